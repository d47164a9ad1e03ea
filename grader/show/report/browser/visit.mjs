// What the tests of pages share: a browser, and looks at a page that is in the folder PAGES. The program of the
// browser is in CHROMIUM; run.sh sets both.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { after, before } from "node:test";
import { pathToFileURL } from "node:url";
import { chromium } from "playwright-core";

export const folder = process.env.PAGES;
export const phone = { width: 390, height: 844 };
export const desktop = { width: 1280, height: 900 };
/// The part of an A4 page inside its margins, 182 by 269 mm at 96 dots an inch.
export const paper = { width: 688, height: 1017 };
const axe = await readFile(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
let browser;

before(async () => {
  browser = await chromium.launch({
    executablePath: process.env.CHROMIUM,
    args: ["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"],
  });
});
after(() => browser.close());

/// A new window without cookies, for pages of a server.
export function newContext(options) {
  return browser.newContext({ viewport: desktop, ...options });
}

/// Opens a page, runs `look` on it, and fails on a console error, a request or a dialog.
/// @param options  of the browser's context; and `parts`: files of the page's folder may be asked for
export async function visit(name, { parts, ...options }, look) {
  const context = await newContext(options);
  const page = await context.newPage();
  const troubles = [];
  const url = pathToFileURL(`${folder}/${name}`).href;
  page.on("console", (m) => m.type() === "error" && troubles.push(`console: ${m.text()}`));
  page.on("pageerror", (e) => troubles.push(`error: ${e.message}`));
  page.on("dialog", (d) => { troubles.push("a dialog"); d.dismiss(); });
  const own = (asked) => asked.split("#")[0] === url || asked.startsWith("data:") ||
    (parts && asked.startsWith(`${pathToFileURL(folder).href}/`));
  page.on("request", (r) => own(r.url()) || troubles.push(`asks for ${r.url()}`));
  await page.goto(url);
  await look(page);
  assert.deepEqual(troubles, []);
  await context.close();
}

/// What axe-core finds on the page.
export async function violations(page) {
  // Through the debugger: the page's own policy forbids a script that is not its own.
  await page.evaluate(axe);
  const result = await page.evaluate(() => window.axe.run(document, { resultTypes: ["violations"], preload: false }));
  return result.violations.map((v) => `${v.id}: ${v.nodes.slice(0, 3).map((n) => n.html.slice(0, 200)
    + " " + n.any.map((a) => a.message).join(" ")).join(" | ")}`);
}

/// Elements that reach beyond the right edge, with everything unfolded.
export function cut(page) {
  return page.evaluate(() => {
    for (const details of document.querySelectorAll("details")) details.open = true;
    return [...document.querySelectorAll("main *")]
      .filter((e) => e.getBoundingClientRect().right > innerWidth + 1)
      .map((e) => e.outerHTML.slice(0, 120)).slice(0, 3);
  });
}
