// Uploads a file to a Ferry server over HTTP, and prints it as it comes back.
//
// Usage: node files_http.mjs http://HOST:7080/files/PATH FILE
import { createReadStream } from "node:fs";
import { pipeline } from "node:stream/promises";

const [url, file] = process.argv.slice(2);

async function ask(options) {
  const response = await fetch(url, options);
  if (!response.ok) {
    throw new Error(`${url}: ${response.status} ${await response.text()}`);
  }
  return response;
}

await ask({ method: "PUT", body: createReadStream(file), duplex: "half" });
const { body } = await ask({});
await pipeline(body, process.stdout);
