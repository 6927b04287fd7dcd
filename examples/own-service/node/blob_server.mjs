// Keeps blobs in memory. Prints its port, and serves until its standard input ends.
//
// Needs the packages of package.json.
//
// Usage: node blob_server.mjs blobs.proto
import { createRequire } from "node:module";

const require = createRequire(`${process.cwd()}/`);
const grpc = require("@grpc/grpc-js");
const loader = require("@grpc/proto-loader");

// An offset of 0 is not sent.
const options = { longs: Number, defaults: true };
const { example } = grpc.loadPackageDefinition(loader.loadSync(process.argv[2], options));
const kept = new Map();

function read(call) {
  const blob = kept.get(call.request.name);
  if (!blob) {
    call.emit("error", { code: grpc.status.NOT_FOUND, details: "no such blob" });
    return;
  }
  for (let offset = 0; offset < blob.length; offset += 64 * 1024) {
    call.write({ offset, data: blob.subarray(offset, offset + 64 * 1024) });
  }
  call.end();
}

function write(call, respond) {
  const parts = [];
  let size = 0;
  let refused = false;
  call.on("data", (part) => {
    if (refused) {
      return;
    }
    if (part.offset !== size) {
      refused = true;
      respond({ code: grpc.status.OUT_OF_RANGE, details: `offset ${part.offset}` });
      return;
    }
    parts.push(part.data);
    size += part.data.length;
  });
  call.on("end", () => {
    if (refused) {
      return;
    }
    const name = String(kept.size);
    kept.set(name, Buffer.concat(parts));
    respond(null, { name, size });
  });
}

const server = new grpc.Server();
server.addService(example.BlobStore.service, { Read: read, Write: write });
server.bindAsync("127.0.0.1:0", grpc.ServerCredentials.createInsecure(), (error, port) => {
  if (error) {
    throw error;
  }
  console.log(port);
});
process.stdin.resume().on("end", () => server.forceShutdown());
