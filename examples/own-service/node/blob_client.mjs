// Writes a file to a blob, and prints the blob as it comes back.
//
// Needs the packages of package.json.
//
// Usage: node blob_client.mjs blobs.proto HOST:PORT FILE
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";

const require = createRequire(`${process.cwd()}/`);
const grpc = require("@grpc/grpc-js");
const loader = require("@grpc/proto-loader");

const [proto, address, file] = process.argv.slice(2);
// An offset of 0 is not sent.
const options = { longs: Number, defaults: true };
const { example } = grpc.loadPackageDefinition(loader.loadSync(proto, options));
const blobs = new example.BlobStore(address, grpc.credentials.createInsecure());

const written = await new Promise((done, failed) => {
  const bytes = readFileSync(file);
  const write = blobs.Write((error, response) => (error ? failed(error) : done(response)));
  for (let offset = 0; offset < bytes.length; offset += 64 * 1024) {
    write.write({ offset, data: bytes.subarray(offset, offset + 64 * 1024) });
  }
  write.end();
});
let position = 0;
for await (const blob of blobs.Read({ name: written.name })) {
  if (blob.offset !== position) {
    throw new Error(`offset ${blob.offset} at byte ${position}`);
  }
  position += blob.data.length;
  process.stdout.write(blob.data);
}
blobs.close();
