// node sign-out.mjs SERVER FILES USER TOKEN: a user in its folder, who signs out in Chromium with the script of the page, and without it.
import { person } from "./person.mjs";

const [server, files, user, token] = process.argv.slice(2);
const { browser, page, wrong, settled, sees, upload, uploaded } = await person(files, (text) => text.includes("401"));

const signIn = async () => {
  // As if typed into the dialogue. Scripts do not run well at an address with a password.
  await page.goto(Object.assign(new URL(server + "/files/"), { username: user, password: token }).href);
  await page.goto(server + "/files/", { waitUntil: "networkidle0" });
  console.log("signed in: " + await page.$eval("#user", (shown) => shown.textContent.trim()));
};
const signOut = async () => {
  await Promise.all([page.waitForNavigation(), page.click("#user button")]);
  console.log(await page.$eval("main", (shown) => shown.innerText.replace(/\s+/g, " ")));
  console.log("then: " + (await page.goto(server + "/files/")).status());
};

try {
  await signIn();
  await settled(["home"]);
  await page.click("#rows a");
  await page.waitForFunction(() => document.getElementById("note").textContent.startsWith("This folder is empty."));
  await sees("list of a user");
  await upload("#pick", "small.txt");
  await uploaded();
  await settled(["small.txt"]);
  await signOut();
  await page.setJavaScriptEnabled(false);
  await signIn();
  await signOut();
} finally {
  wrong.forEach((line) => console.log("WRONG " + line));
  await browser.close();
}
