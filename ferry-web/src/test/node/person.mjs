// What the scripts of BrowserTest share: a person at the page of a folder, in Chromium.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import chromium from "@sparticuz/chromium";
import puppeteer from "puppeteer-core";

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** Opens a browser. FILES has what is uploaded. Errors of the console are wrong unless EXPECTED says that they are due. */
export async function person(files, expected) {
  const browser = await puppeteer.launch({
    executablePath: await chromium.executablePath(),
    headless: "shell",
    args: ["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"],
  });
  const page = await browser.newPage();
  page.setDefaultTimeout(60_000);
  const wrong = [];
  page.on("pageerror", (e) => wrong.push("error " + e.message));
  page.on("console", (m) => {
    if (m.type() === "error" && !expected(m.text())) wrong.push(m.text() + " " + m.location().url);
  });
  page.on("dialog", (dialog) => {
    if (dialog.type() !== "beforeunload") wrong.push("dialog " + dialog.message());
    dialog.accept();
  });
  const requests = [];
  page.on("request", (r) => {
    if (/PUT|PATCH/.test(r.method())) requests.push([r.method(), r.url().split("/").pop(), r.headers()["upload-complete"], r.headers()["upload-offset"] ?? 0].join(" "));
  });

  const names = () => page.$$eval("#rows a", (links) => links.map((a) => a.textContent));
  return {
    browser, page, wrong, requests, names,
    settled: async (wanted) => {
      await page.waitForFunction((w) => [...document.querySelectorAll("#rows a")].map((a) => a.textContent).join("|") === w, {}, wanted.join("|"))
        .catch(async () => { throw new Error("not " + wanted.join("|") + " but " + (await names()).join("|")); });
    },
    sees: async (what) => {
      await page.evaluate(axe);
      const { violations } = await page.evaluate(() => window.axe.run());
      violations.forEach((v) => wrong.push(what + ": " + v.id + " " + v.nodes.map((n) => n.html.slice(0, 200)).join(" ")));
    },
    has: (name) => page.waitForFunction((n) => [...document.querySelectorAll("#rows a")].some((a) => a.textContent === n), {}, name),
    upload: async (picker, ...paths) => (await page.$(picker)).uploadFile(...paths.map((path) => files + "/" + path)),
    uploaded: () => page.waitForFunction(() => /uploaded$/.test(document.querySelector("#uploads h2")?.firstChild.data)),
    closeUploads: () => page.locator("#uploads header [data-key=close]").click(),
  };
}
