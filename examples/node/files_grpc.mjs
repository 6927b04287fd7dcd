// Uploads a file to a Ferry server over gRPC, and prints it as it comes back.
//
// Needs the packages @grpc/grpc-js and @grpc/proto-loader.
//
// Usage: node files_grpc.mjs files.proto HOST:7070 PATH FILE
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";

const require = createRequire(`${process.cwd()}/`);
const grpc = require("@grpc/grpc-js");
const loader = require("@grpc/proto-loader");

const [proto, address, path, file] = process.argv.slice(2);
const { ferry } = grpc.loadPackageDefinition(loader.loadSync(proto));
const files = new ferry.v1.Files(address, grpc.credentials.createInsecure());

await new Promise((done, failed) => {
  const bytes = readFileSync(file);
  const upload = files.Upload((error) => (error ? failed(error) : done()));
  upload.write({ facts: { name: path, size: bytes.length } });
  for (let at = 0; at < bytes.length; at += 256 * 1024) {
    upload.write({ chunk: bytes.subarray(at, at + 256 * 1024) });
  }
  upload.end();
});
await new Promise((done, failed) => {
  const download = files.Download({ path });
  download.on("data", (part) => process.stdout.write(part.chunk ?? ""));
  download.on("end", done).on("error", failed);
});
files.close();
