// node connect-node.mjs SERVER DESCRIPTORS: calls over both protocols, and uploads.
import { createGrpcWebTransport } from "@connectrpc/connect-node";
import { calls, client } from "./calls.mjs";

const [server, descriptors] = process.argv.slice(2);
for (const httpVersion of ["1.1", "2"]) {
  const files = client(descriptors, createGrpcWebTransport({ baseUrl: server, httpVersion }));
  async function* parts() {
    yield { part: { case: "facts", value: { name: "new", size: 5n } } };
    yield { part: { case: "chunk", value: new TextEncoder().encode("hello") } };
  }
  const lines = await calls(files);
  lines.push("upload " + (await files.upload(parts())).facts.size);
  lines.forEach((line) => console.log(httpVersion + " " + line));
}
// Connections that are kept would keep the process.
process.exit(0);
