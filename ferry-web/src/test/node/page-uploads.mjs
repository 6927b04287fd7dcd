// node page-uploads.mjs SERVER WITHOUT FILES: uploads that do not go as planned, at the page of a folder, in Chromium.
// The server WITHOUT keeps no part of an upload. FILES has "large", of which there are parts, ".ferry-large" whose name no server takes, and small files.
import { statSync } from "node:fs";
import { person } from "./person.mjs";

const [server, without, files] = process.argv.slice(2);
const { browser, page, wrong, requests, settled, has, upload, uploaded, closeUploads } =
  await person(files, (text) => /status of 40[04]/.test(text));

const puts = (what) => {
  console.log(what + ": " + requests.splice(0).filter((r) => r.startsWith("PUT")).join(", "));
};
// Requests for how far an upload is wait until they are let go.
const hold = () => page.evaluate(() => {
  window.holds = true;
  window.held = [];
  window.answered = 0;
});
const held = (count) => page.waitForFunction((c) => window.held.length === c, {}, count);
const letGo = async (count) => {
  await page.evaluate(() => {
    window.holds = false;
    window.held.forEach((go) => go());
  });
  await page.waitForFunction((c) => window.answered >= c, {}, count);
};
// An upload that this browser remembers, and of which the server knows nothing.
const uploadKnown = async (name) => {
  const { size, mtimeMs } = statSync(files + "/" + name);
  await page.evaluate((record) => localStorage.setItem("ferry-uploads", JSON.stringify({ ["5a".repeat(16)]: record })), { path: name, size, time: mtimeMs });
  await upload("#pick", name);
};

try {
  await page.evaluateOnNewDocument(() => {
    const real = window.fetch;
    window.fetch = async (target, options) => {
      const held = window.holds && options.method === "HEAD";
      if (held) await new Promise((go) => window.held.push(go));
      const response = await real(target, options);
      if (held) window.answered++;
      return response;
    };
  });
  await page.goto(server + "/files/", { waitUntil: "networkidle0" });

  await hold();
  await uploadKnown("large");
  await held(1);
  await page.locator("#uploads li [aria-label^=Cancel]").click();
  await letGo(1);
  await upload("#pick", "small.txt");
  await uploaded();
  puts("cancelled");
  await closeUploads();

  await hold();
  await uploadKnown("large");
  await held(1);
  await page.locator("#uploads li [aria-label^=Pause]").click();
  await page.locator("#uploads li [aria-label^=Continue]").click();
  await held(2);
  await letGo(2);
  await uploaded();
  puts("continued");
  await closeUploads();

  await upload("#pick", ".ferry-large");
  await page.waitForSelector("#uploads li.failed");
  puts("refused");
  await closeUploads();

  // A row that was chosen is no longer there when Shift is to choose up to it.
  await has("small.txt");
  await page.locator("#rows tr:nth-last-child(2) input").click();
  await page.locator("#rows tr:nth-last-child(2) input").click();
  await page.type("#filter", "LARGE");
  await settled(["large"]);
  await page.keyboard.down("Shift");
  await page.locator("#rows tr:nth-child(2) input").click();
  await page.keyboard.up("Shift");
  console.log("chosen: " + await page.$eval("#selected", (text) => text.textContent));

  await page.goto(without + "/files/", { waitUntil: "networkidle0" });
  await upload("#pick", "large");
  await uploaded();
  puts("in one");
  await closeUploads();

  await page.evaluate(() => {
    Storage.prototype.setItem = () => { throw new DOMException("full", "QuotaExceededError"); };
  });
  await upload("#pick", "a", "b", "c", "d");
  await uploaded();
  console.log("not remembered: " + await page.$eval("#uploads h2", (head) => head.firstChild.data));
  await closeUploads();

  await page.evaluate(() => {
    const fails = (resolve, reject) => reject(new DOMException("gone", "NotFoundError"));
    const file = (name, read) => ({ isFile: true, name, file: read ?? ((resolve) => resolve(new File([name], name))) });
    const folder = (name, ...entries) =>
      ({ isDirectory: true, name, createReader: () => ({ readEntries: (resolve) => resolve(entries.splice(0)) }) });
    const unreadable = { isDirectory: true, name: "unreadable", createReader: () => ({ readEntries: fails }) };
    const tree = folder("tree", file("broken", fails), unreadable, folder(".ferry-x"), folder("there"), folder("empty"), file("good"));
    const drop = new Event("drop", { cancelable: true });
    drop.dataTransfer = { types: ["Files"], items: [{ kind: "file", webkitGetAsEntry: () => tree }] };
    dispatchEvent(drop);
  });
  await page.waitForFunction(() => document.querySelector("#live").textContent === "3 uploads failed");
  console.log("left out: " + (await page.$$eval("#uploads li.failed bdi", (items) => items.map((bdi) => bdi.title))).join(", "));
} finally {
  wrong.forEach((line) => console.log("WRONG " + line));
  await browser.close();
}
