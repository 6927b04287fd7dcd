// Takes the picture of a folder's page for README: node picture.mjs URL OUT.png
import chromium from "@sparticuz/chromium";
import puppeteer from "puppeteer-core";

const [url, out] = process.argv.slice(2);
const browser = await puppeteer.launch({
  args: ["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"],
  executablePath: await chromium.executablePath(),
  headless: "shell",
});
const page = await browser.newPage();
await page.setViewport({width: 860, height: 470, deviceScaleFactor: 1.5});
await page.goto(url, {waitUntil: "networkidle0"});
await page.screenshot({path: out});
await browser.close();
