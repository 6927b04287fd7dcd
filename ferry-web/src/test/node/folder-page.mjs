// node folder-page.mjs SERVER FILES DOWNLOADS ENTRIES: a person at the page of a folder, in Chromium.
// With more than 10,000 ENTRIES it looks at more for accessibility, and files are large.
// FILES has what is uploaded, and the folder "many" ENTRIES. The test stops the server once while "large" is uploaded.
import { renameSync } from "node:fs";
import { person } from "./person.mjs";

const [server, files, downloads, entries] = process.argv.slice(2);
const thorough = Number(entries) > 10_000;
let stopped = false;
const { browser, page, wrong, requests, names, settled, has, upload, uploaded, closeUploads, ...one } =
  await person(files, (text) => stopped && text.includes("net::ERR_"));

const act = async (name, label) => {
  await page.evaluate((n) => [...document.querySelectorAll("#rows tr")].find((row) => row.querySelector("a")?.textContent === n).querySelector(".more button").click(), name);
  await page.evaluate((l) => [...document.querySelectorAll("[role=menuitem]")].find((item) => item.textContent.startsWith(l)).click(), label);
};
const answer = async (text) => {
  await page.waitForSelector("dialog[open]");
  if (text !== undefined) {
    await page.$eval("dialog input", (field) => { field.value = ""; });
    await page.type("dialog input", text);
  }
  await page.locator("dialog [value=ok]").click();
  await page.waitForFunction(() => !document.querySelector("dialog"));
};
const selected = () => page.evaluate(() => document.getElementById("selection").hidden ? "none selected" : document.getElementById("selected").textContent);
const sees = async (what) => {
  if (thorough || ["list", "dialog", "uploads"].includes(what)) await one.sees(what);
};
const throttle = async (bytes) => (await page.createCDPSession()).send("Network.emulateNetworkConditions",
  { offline: false, latency: 0, downloadThroughput: -1, uploadThroughput: bytes });

try {
  const cdp = await browser.target().createCDPSession();
  await cdp.send("Browser.setDownloadBehavior", { behavior: "allow", downloadPath: downloads, eventsEnabled: true });
  const saved = (click) => new Promise((resolve) => {
    cdp.on("Browser.downloadProgress", (e) => { if (e.state === "completed") resolve(); });
    click();
  });
  await page.goto(server + "/", { waitUntil: "networkidle0" });
  console.log("at " + new URL(page.url()).pathname + ": " + (await names()).map((n) => n.slice(0, 30)).join(" | "));
  await sees("list");

  await page.locator("th[data-sort=size] button").click();
  console.log("by size: " + (await names()).slice(2, 5).join(" | "));
  await page.locator("th[data-sort=name] button").click();
  await page.type("#filter", "FILE");
  await settled(["file2.txt", "file10.txt"]);
  await page.$eval("#filter", (field) => { field.value = ""; field.dispatchEvent(new Event("input")); });
  await has("many");

  await page.locator("#new-folder").click();
  await answer("new <b> folder");
  await has("new <b> folder");
  await page.evaluate(() => [...document.querySelectorAll("#rows a")].find((a) => a.textContent === "new <b> folder").click());
  await settled([]);
  await upload("#pick-folder", "folder");
  await uploaded();
  await settled(["folder"]);
  await closeUploads();
  await upload("#pick", "small.txt");
  await uploaded();
  await settled(["folder", "small.txt"]);
  await sees("uploads");
  await closeUploads();
  await upload("#pick", "small.txt");
  await page.waitForSelector("#uploads li.exists");
  await page.evaluate(() => [...document.querySelectorAll("#uploads button")].find((b) => b.textContent === "Keep both").click());
  await settled(["folder", "small (1).txt", "small.txt"]);
  await closeUploads();
  await page.evaluate(() => [...document.querySelectorAll("#rows tr")].find((row) => row.querySelector("a")?.textContent === "small (1).txt").querySelector("input").click());
  console.log(await selected());
  await act("small (1).txt", "Rename");
  await sees("dialog");
  await answer("renamed & \"quoted\"");
  await has("renamed & \"quoted\"");
  await page.waitForSelector("#bar:not([hidden])");
  console.log("renamed: " + await selected());
  await act("small.txt", "Preview");
  await page.waitForSelector("#preview pre");
  console.log("preview: " + await page.$eval("#preview pre", (text) => text.textContent));
  await sees("preview");
  await page.keyboard.press("Escape");
  await act("small.txt", "Move");
  await page.waitForSelector(".folders .folder");
  await page.locator(".folders .folder").click();
  await page.waitForFunction(() => document.querySelector("dialog p").textContent.endsWith("/folder"));
  await answer();
  await settled(["folder", "renamed & \"quoted\""]);
  await saved(() => page.locator("#zip").click());
  renameSync(downloads + "/new _b_ folder.zip", downloads + "/all.zip");
  await page.locator("#rows tr:nth-child(3) input").click();
  await sees("selection");
  await page.locator("[data-do=delete]").click();
  await answer();
  await settled(["folder"]);
  await page.locator("#all").click();
  await saved(() => page.locator("[data-do=zip]").click());
  await page.locator("[data-do=delete]").click();
  await answer();
  await settled([]);
  await page.goto(server + "/files/links/", { waitUntil: "networkidle0" });
  await settled(["shortcut", "tree"]);
  await page.locator("#all").click();
  await page.locator("[data-do=delete]").click();
  await answer();
  await settled([]);
  await page.goto(server + "/files/" + encodeURIComponent("new <b> folder") + "/", { waitUntil: "networkidle0" });
  console.log("changed");

  // The server is stopped meanwhile, and another one continues.
  stopped = true;
  requests.length = 0;
  await throttle(thorough ? 20_000_000 : 6_000_000);
  await upload("#pick", "large");
  await page.waitForSelector("#uploads li.waiting");
  await uploaded();
  const goesOn = (method) => Number(requests.find((r) => r.startsWith("PATCH")).split(" ").pop()) > 0;
  console.log("stopped: " + requests.filter((r) => r.startsWith("PUT")).length + " PUT, goes on " + goesOn());
  stopped = false;
  await closeUploads();

  // The page is left meanwhile.
  await upload("#pick", "large2");
  await page.waitForFunction(() => document.querySelector("#uploads progress")?.value > 0.3);
  requests.length = 0;
  await page.reload({ waitUntil: "networkidle0" });
  console.log("reloaded: " + await page.$eval("#uploads h2", (head) => head.firstChild.data));
  await throttle(-1);
  await upload("#pick", "large2");
  await uploaded();
  console.log("reloaded: " + requests.filter((r) => r.startsWith("PUT")).length + " PUT, goes on " + goesOn());
  await closeUploads();

  await page.goto(server + "/files/many/", { waitUntil: "networkidle0" });
  await page.waitForFunction((count) => document.querySelector("table").getAttribute("aria-rowcount") === count, {}, String(Number(entries) + 1));
  await page.focus("#rows a");
  await page.keyboard.press("End");
  console.log("many: " + await page.evaluate(() => document.activeElement.textContent + ", " + (document.querySelectorAll("#rows tr").length < 100)));
  for (const [width, scheme] of [[360, "dark"], [1600, "light"]]) {
    await page.setViewport({ width, height: 700 });
    await page.emulateMediaFeatures([{ name: "prefers-color-scheme", value: scheme }]);
    await page.goto(server + "/files/", { waitUntil: "networkidle0" });
    await sees(width + " " + scheme);
    console.log(width + ": " + await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth));
  }
  await page.goto(server + "/files/missing", { waitUntil: "networkidle0" });
  await sees("problem");
  wrong.splice(0, wrong.length, ...wrong.filter((text) => !text.endsWith("/files/missing")));

  // What users stored runs nothing, also if it is opened by itself.
  const other = await browser.newPage();
  other.on("dialog", (dialog) => { wrong.push("dialog of a file"); dialog.accept(); });
  for (const name of ["hostile.html", "hostile.svg"]) {
    await other.goto(server + "/files/" + name, { waitUntil: "networkidle0" });
    console.log(name + ": " + await other.evaluate(() => origin + " " + (document.documentElement.dataset.ran ?? "did not run")));
  }
} finally {
  wrong.forEach((line) => console.log("WRONG " + line));
  await browser.close();
}
