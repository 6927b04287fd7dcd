// node page.mjs PAGE PREFIX: opens a report in headless Chromium at the widths of a telephone, a
// small and a wide screen, uses it, and writes a screenshot of each to PREFIX-WIDTH-SCHEME.png.
// Prints what it finds.
import chromium from "@sparticuz/chromium";
import puppeteer from "puppeteer-core";
import { pathToFileURL } from "node:url";

const [file, prefix] = process.argv.slice(2);
const browser = await puppeteer.launch({
  executablePath: await chromium.executablePath(),
  headless: "shell",
  args: ["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"],
});
try {
  for (const [width, scheme] of [[390, "light"], [390, "dark"], [800, "dark"], [1600, "light"]]) {
    const page = await browser.newPage();
    page.on("pageerror", (error) => console.log("error " + error.message));
    page.on("console", (message) => message.type() === "error" && console.log("error " + message.text()));
    page.on("request", (request) => request.url().startsWith("http") && console.log("request " + request.url()));
    await page.setViewport({ width, height: 900 });
    await page.emulateMediaFeatures([{ name: "prefers-color-scheme", value: scheme }]);
    await page.goto(pathToFileURL(file).href);
    await page.evaluate(() => document.querySelectorAll("details").forEach((d) => (d.open = true)));
    console.log(width + " " + JSON.stringify(await page.evaluate(() => {
      const visible = (list) => [...list].filter((e) => !e.hidden);
      const section = document.querySelector("section[data-table]");
      const first = () => section.querySelector(".figures tbody td").firstChild.textContent;
      const head = [...section.querySelectorAll(".figures th")].find((th) => th.textContent === "Time");
      head.click();
      const fastest = first();
      head.click();
      const slowest = first();
      const filter = document.querySelector(".filter input");
      const type = (text) => {
        filter.value = text;
        filter.dispatchEvent(new Event("input"));
        return visible(section.querySelectorAll(".figures tbody tr")).length;
      };
      const charts = [...document.querySelectorAll(".chart")];
      // The part of its chart's width that the longest bar has.
      const bars = charts.map((c) => Math.max(...[...c.querySelectorAll("svg path:not([fill=none])")]
          .map((b) => b.getBoundingClientRect().width)) / c.clientWidth);
      const filtered = type("bare");
      type("");
      section.querySelectorAll(".metrics button")[1].click();
      return {
        cut: document.documentElement.scrollWidth > innerWidth,
        // At 800, a table with parameters may scroll.
        figures: innerWidth === 800 || [...document.querySelectorAll(".figures")].every((t) => t.scrollWidth <= t.clientWidth),
        order: [...document.querySelectorAll("h2")].map((h) => h.firstChild.textContent.trim()),
        fastest, slowest, filtered,
        // Of the names and ticks in pictures, which nothing wraps.
        overlaps: [...document.querySelectorAll(".chart svg, .verdicts tr.group .track")].flatMap((picture) => {
          const boxes = [...picture.querySelectorAll("text, .label")].map((e) => e.getBoundingClientRect());
          return boxes.filter((a, i) => boxes.some((b, j) => j > i && a.left < b.right - 1 && b.left < a.right - 1
              && a.top < b.bottom - 2 && b.top < a.bottom - 2));
        }).length,
        shortened: [...document.querySelectorAll(".chart text")].filter((t) => t.textContent.endsWith("...")).length,
        barsFill: bars.every((part) => part > 0.2),
        charts: [...document.querySelectorAll(".chart")].every((c) => c.querySelector("svg")),
        canvas: document.querySelectorAll("canvas").length,
        points: section.querySelectorAll(".samples b").length,
      };
    })));
    await page.screenshot({ path: `${prefix}-${width}-${scheme}.png`, fullPage: true });
    // A tooltip is HTML, and a name is none.
    const tips = await page.evaluate(async () => {
      const texts = [];
      for (const dataIndex of [0, 1, 2, 3, 4, 5]) {
        echarts.getInstanceByDom(document.querySelector(".chart"))
            .dispatchAction({ type: "showTip", seriesIndex: 1, dataIndex });
        await new Promise((resolve) => setTimeout(resolve, 50));
        texts.push(document.querySelector(".chart").innerText);
        if (document.images.length > 0) console.error("a name became an image");
      }
      return texts;
    });
    if (!tips.every((text) => text.includes("fork"))) console.log("error no tooltip in " + tips);
    await page.close();
  }
} finally {
  await browser.close();
}
