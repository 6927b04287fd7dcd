// node tus.mjs SERVER FILE: uploads a file as "f", stops after two parts, and goes on.
import { readFileSync } from "node:fs";
import * as tus from "tus-js-client";

const [server, file] = process.argv.slice(2);
const bytes = readFileSync(file);
const requests = [];

function start(previous) {
  return new Promise((resolve, reject) => {
    const upload = new tus.Upload(bytes, {
      endpoint: server + "/files/f",
      uploadUrl: previous,
      protocol: "ietf-draft-05",
      chunkSize: 4_000_000,
      retryDelays: null,
      onBeforeRequest: (request) => requests.push(request.getMethod()),
      onChunkComplete: (size, sent) => {
        if (previous === undefined && sent >= 8_000_000) {
          upload.abort().then(() => resolve(upload.url), reject);
        }
      },
      onSuccess: () => resolve(upload.url),
      onError: reject,
    });
    upload.start();
  });
}

const url = await start();
console.log("stopped " + requests.join(" "));
requests.length = 0;
await start(url);
console.log("resumed " + requests.join(" "));
