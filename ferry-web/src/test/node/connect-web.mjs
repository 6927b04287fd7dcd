// node connect-web.mjs HOST PORT SERVER FOREIGN DESCRIPTORS: a page of HOST:PORT in headless Chromium, which calls
// both servers.
import http from "node:http";
import { build } from "esbuild";
import chromium from "@sparticuz/chromium";
import puppeteer from "puppeteer-core";

const [host, port, server, foreign, descriptors] = process.argv.slice(2);
const bundle = await build({ entryPoints: ["page.mjs"], bundle: true, write: false });
const pages = http.createServer((request, response) => {
  const script = request.url === "/page.js";
  response.setHeader("content-type", script ? "text/javascript" : "text/html");
  response.end(script ? bundle.outputFiles[0].text : "<script src=/page.js></script>");
});
await new Promise((listening) => pages.listen(Number(port), host, listening));
const browser = await puppeteer.launch({
  executablePath: await chromium.executablePath(),
  headless: "shell",
  // Not the package's own, which turn the rules of origins off.
  args: ["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"],
});
try {
  const page = await browser.newPage();
  await page.goto("http://" + host + ":" + port + "/");
  for (const called of [server, foreign]) {
    const lines = await page.evaluate((s, d) => window.ferry(s, d), called, descriptors);
    lines.forEach((line) => console.log(line));
  }
} finally {
  await browser.close();
  pages.close();
}
