// What the tests of `warpgrade serve` in a browser share: the server, and windows that are watched.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { desktop, folder, newContext, phone, violations } from "../../show/report/browser/visit.mjs";

const repository = fileURLToPath(new URL("../../..", import.meta.url));
export const [program] = readFileSync(`${folder}/rendered.json`, "utf8").trim().split(" ");
export const solution = readFileSync(join(repository, "reference/vecadd/solution.cu"), "utf8");
/// How long anything may take on a machine that does other work, too.
export const checked = { timeout: 240_000 };

/// Starts `warpgrade serve`, on a free port unless the options name one.
/// @param environment  variables that differ
/// @returns  {url, stop()}: the first address that it prints, and a function that ends it
export async function start(data, options = [], environment = {}) {
  const port = options.includes("--port") ? [] : ["--port", "0"];
  const server = spawn(program, ["serve", ...port, "--data", data, "--device", "emulator", ...options], {
    stdio: ["ignore", "pipe", "inherit"],
    env: { ...process.env, WARPGRADE_CACHE: "none", XDG_STATE_HOME: "/dev/null", ...environment },
  });
  const ended = new Promise((resolve) => server.once("exit", resolve));
  let said = "", url;
  for await (const part of server.stdout) {
    said += part;
    url = said.match(/http:[^\s,]+/)?.[0];
    if (url && said.includes("Ctrl-C")) break;
  }
  return { url, stop: () => (server.kill("SIGTERM"), ended) };
}

/// A window for pages of the server; `close` fails on console errors, dialogs, and requests elsewhere.
/// @param others  further origins to which its requests may go
export async function open(url, options, others = []) {
  const context = await newContext(options);
  context.setDefaultTimeout(checked.timeout);
  const page = await context.newPage();
  const troubles = [];
  page.on("console", (m) => m.type() === "error" && troubles.push(`console: ${m.text()}`));
  page.on("pageerror", (e) => troubles.push(`error: ${e.message}`));
  page.on("dialog", (d) => { troubles.push("a dialog"); d.dismiss(); });
  const own = [new URL(url).origin, "data:", ...others];
  page.on("request", (r) => own.some((begin) => r.url().startsWith(begin)) || troubles.push(`asks for ${r.url()}`));
  const close = async () => {
    assert.deepEqual(troubles, []);
    await context.close();
  };
  return { page, close };
}

/// Waits until the page of a lab can be used.
export const ready = (page) => page.waitForSelector("body[data-ready=yes]");

/// Waits for a text; the page's policy forbids what waitForFunction does.
export function until(page, selector, text, options) {
  return page.locator(selector, { hasText: text }).first().waitFor(options);
}

/// Presses Tab until the focus is where `wanted` says; fails after many.
export async function tabTo(page, wanted, argument) {
  for (let i = 0; i < 120; ++i) {
    if (await page.evaluate(wanted, argument)) return;
    await page.keyboard.press("Tab");
  }
  assert.fail(`Tab does not reach ${argument ?? wanted}`);
}

export const inEditor = () => document.activeElement.matches(".editor textarea, .editor .cm-content");

/// Replaces the text of the editor that has the focus.
export async function type(page, text) {
  await page.keyboard.press("ControlOrMeta+a");
  await page.keyboard.insertText(text);
}

/// How far the page reaches beyond the window, in pixels.
export const tooWide = (page) => page.evaluate(() => document.documentElement.scrollWidth - innerWidth);

/// Fails on what axe-core finds, and on a page that is wider than the window. SCREENSHOTS names a folder for pictures.
export async function inspect(page, what) {
  const before = page.viewportSize();
  for (const [viewport, colorScheme] of [[desktop, "light"], [phone, "dark"]]) {
    await page.setViewportSize(viewport);
    await page.emulateMedia({ colorScheme });
    if (process.env.SCREENSHOTS) {
      await page.screenshot({ path: join(process.env.SCREENSHOTS, `${what}-${colorScheme}.png`), fullPage: true });
    }
    assert.deepEqual(await violations(page), [], `${what}, ${colorScheme}`);
    assert.ok(await tooWide(page) <= 0, `${what} is too wide for ${viewport.width} pixels`);
  }
  await page.emulateMedia({ colorScheme: null });
  await page.setViewportSize(before);
}
