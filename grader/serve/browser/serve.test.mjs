// `warpgrade serve` in a real browser: run.sh of the reports' tests starts this.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { folder, newContext, phone, violations } from "../../show/report/browser/visit.mjs";

const repository = fileURLToPath(new URL("../../..", import.meta.url));
const [program] = readFileSync(`${folder}/rendered.json`, "utf8").trim().split(" ");
const solution = readFileSync(join(repository, "reference/vecadd/solution.cu"), "utf8");
const data = mkdtempSync(join(tmpdir(), "serve-"));
const checked = { timeout: 240_000 };
let server, url;

before(async () => {
  server = spawn(program, ["serve", "--port", "0", "--data", data, "--device", "emulator"], {
    stdio: ["ignore", "pipe", "inherit"],
    env: { ...process.env, WARPGRADE_CACHE: "none", XDG_STATE_HOME: "/dev/null" },
  });
  let said = "";
  for await (const part of server.stdout) {
    said += part;
    url = said.match(/http:\S+/)?.[0];
    if (url && said.includes("Ctrl-C")) break;
  }
});
after(async () => {
  const ended = new Promise((resolve) => server.once("exit", resolve));
  server.kill("SIGTERM");
  await ended;
  rmSync(data, { recursive: true });
});

/// Runs `look` in a signed-in window; fails on console errors, dialogs, and requests elsewhere.
async function signedIn(options, look) {
  const context = await newContext(options);
  const page = await context.newPage();
  const troubles = [];
  page.on("console", (m) => m.type() === "error" && troubles.push(`console: ${m.text()}`));
  page.on("pageerror", (e) => troubles.push(`error: ${e.message}`));
  page.on("dialog", (d) => { troubles.push("a dialog"); d.dismiss(); });
  page.on("request", (r) => {
    if (!r.url().startsWith(new URL(url).origin) && !r.url().startsWith("data:")) troubles.push(`asks for ${r.url()}`);
  });
  await page.goto(url);
  await page.waitForURL((at) => at.pathname === "/" && at.search === "");
  await look(page);
  assert.deepEqual(troubles, []);
  await context.close();
}

async function openLab(page, lab) {
  await page.goto(new URL(`/labs/${lab}`, url).href);
  await page.waitForSelector("body[data-ready=yes]");
}

/// Waits for a text; the page's policy forbids what waitForFunction does.
function until(page, selector, text, options) {
  return page.locator(selector, { hasText: text }).waitFor(options);
}

/// Presses Tab until the focus is where `wanted` says; fails after many.
async function tabTo(page, wanted) {
  for (let i = 0; i < 80; ++i) {
    if (await page.evaluate(wanted)) return;
    await page.keyboard.press("Tab");
  }
  assert.fail(`Tab does not reach ${wanted}`);
}

const inEditor = () => document.activeElement.matches(".editor textarea, .editor .cm-content");

/// Replaces the text of the editor that has the focus.
async function type(page, text) {
  await page.keyboard.press("ControlOrMeta+a");
  await page.keyboard.insertText(text);
}

test("by keyboard alone vecadd is broken, explained, solved and submitted on its page", async () => {
  await signedIn({}, async (page) => {
    await tabTo(page, () => document.activeElement.getAttribute("href") === "/labs/vecadd");
    await page.keyboard.press("Enter");
    await page.waitForSelector("body[data-ready=yes]");
    await tabTo(page, () => document.activeElement.getAttribute("href") === "#work");
    await page.keyboard.press("Enter");
    await tabTo(page, inEditor);

    await type(page, "#include \"vecadd.h\"\nvoid vecadd(const float*, const float*, float*, int) {\n  nonsense;\n}\n");
    await page.keyboard.press("Control+Enter");
    await page.waitForSelector("#problems li", checked);
    assert.match(await page.textContent("#problems li"), /error: vecadd\.cu, line 3/);
    assert.equal(await page.locator(".gutter .error, .cm-lint-marker-error").count(), 1);

    // Out of the editor, in which Tab indents, and from the list of problems to the line.
    await page.keyboard.press("Escape");
    await tabTo(page, () => document.activeElement.matches("#problems button"));
    await page.keyboard.press("Enter");
    assert.ok(await page.evaluate(inEditor));
    await type(page, solution);
    await page.keyboard.press("Control+Shift+Enter");
    await until(page, "#points", /100 of 100 points: everything passes/, checked);
    assert.match(await page.textContent("#saved"), /receipt 2-[0-9a-f]{12}/);
    assert.equal(await page.locator(".gutter .error, .cm-lint-marker-error").count(), 0);
    const report = page.frameLocator("#report");
    await report.getByRole("heading", { name: "Vector addition" }).waitFor();
  });
});

test("what was typed is there after a reload, and an attempt is restored and compared", async () => {
  await signedIn({}, async (page) => {
    await openLab(page, "vecadd");
    const text = () => page.evaluate(() => (document.querySelector(".editor textarea")?.value
      ?? document.querySelector(".editor .cm-content").innerText));
    await page.locator(".editor textarea, .editor .cm-content").first().focus();
    await type(page, "// a draft\n");
    await until(page, "#saved", /^Saved$/);
    await page.reload();
    await page.waitForSelector("body[data-ready=yes]");
    assert.match(await text(), /a draft/);
    await page.click("#tab-attempts");
    await page.click("button[aria-label='Restore the files of attempt 1']");
    await until(page, "#status", /attempt 1/);
    assert.match(await text(), /nonsense/);
    await page.click("#compare button[type=submit]");
    await page.waitForSelector(".diff .added");
    assert.match(await page.textContent(".diff .removed"), /nonsense|void vecadd/);
  });
});

test("a running check is canceled with the button", async () => {
  await signedIn({}, async (page) => {
    await openLab(page, "vecadd");
    await page.click("#check");
    await page.locator("#cancel:enabled").waitFor();
    await page.click("#cancel");
    await until(page, "#status", /canceled/);
  });
});

test("a lab of questions is answered in its page", async () => {
  await signedIn({}, async (page) => {
    await openLab(page, "predict");
    assert.match(await page.textContent("#files"), /answers\.toml/);
    await page.click("#check");
    await until(page, "#points", /of 100 points/, checked);
  });
});

for (const colorScheme of ["light", "dark"]) {
  for (const [name, viewport] of [["a desktop", undefined], ["a phone", phone]]) {
    test(`axe-core finds no violation on ${name} in ${colorScheme} colours, and nothing is wider`, async () => {
      await signedIn({ colorScheme, ...(viewport && { viewport }) }, async (page) => {
        for (const path of ["/", "/labs/vecadd", "/compare?from=1&to=2"]) {
          await page.goto(new URL(path, url).href);
          if (path.startsWith("/labs")) {
            await page.waitForSelector("body[data-ready=yes]");
            await page.click("#tab-attempts");
          }
          assert.deepEqual(await violations(page), [], path);
          const [wide, inner] = await page.evaluate(() => [document.documentElement.scrollWidth, innerWidth]);
          assert.ok(wide <= inner, `${path} is ${wide} pixels wide`);
        }
      });
    });
  }
}
