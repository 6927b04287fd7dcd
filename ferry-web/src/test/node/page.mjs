// What the page has: calls by connect-web, and the routes of HTTP.
import { createGrpcWebTransport } from "@connectrpc/connect-web";
import { calls, client } from "./calls.mjs";

window.ferry = async (server, descriptors) => {
  const lines = await calls(client(descriptors, createGrpcWebTransport({ baseUrl: server })));
  try {
    const got = await fetch(server + "/files/f");
    const size = (await got.arrayBuffer()).byteLength;
    const put = await fetch(server + "/files/put", { method: "PUT", body: "hello" });
    lines.push("fetch " + (got.headers.get("etag") !== null) + " " + size + " " + put.status);
  } catch (e) {
    lines.push("fetch failed: " + e.message);
  }
  return lines;
};
