// `warpgrade serve` in a real browser: run.sh of the reports' tests starts this.
import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { phone, violations } from "../../show/report/browser/visit.mjs";
import { checked, inEditor, open, ready, solution, start, tabTo, tooWide, type, until } from "./served.mjs";

const data = mkdtempSync(join(tmpdir(), "serve-"));
let server, url;

before(async () => {
  server = await start(data);
  url = server.url;
});
after(async () => {
  await server.stop();
  rmSync(data, { recursive: true });
});

/// Runs `look` in a signed-in window.
async function signedIn(options, look) {
  const { page, close } = await open(url, options);
  await page.goto(url);
  await page.waitForURL((at) => at.pathname === "/" && at.search === "");
  await look(page);
  await close();
}

async function openLab(page, lab) {
  await page.goto(new URL(`/labs/${lab}`, url).href);
  await ready(page);
}

test("by keyboard alone vecadd is broken, explained, solved and submitted on its page", async () => {
  await signedIn({}, async (page) => {
    await tabTo(page, () => document.activeElement.getAttribute("href") === "/labs/vecadd");
    await page.keyboard.press("Enter");
    await ready(page);
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
    await ready(page);
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

test("a check that ends with an environment error says what, where and what next", async () => {
  const other = mkdtempSync(join(tmpdir(), "serve-"));
  const broken = await start(other, ["--sandbox", "bubblewrap"], { PATH: "/nowhere" });
  after(() => broken.stop());
  const { page, close } = await open(broken.url);
  await page.goto(broken.url);
  await page.waitForURL((at) => at.pathname === "/" && at.search === "");
  await page.goto(new URL("/labs/vecadd", broken.url).href);
  await ready(page);
  await page.click("#check");
  await until(page, "#status", /Check 1 has no result/, checked);
  await until(page, "#headline", /environment or internal error/);
  const said = await page.textContent("#problems li");
  assert.match(said, /error: .* was not found in PATH; install it/);
  assert.match(said, /where: check 1 at vecadd, on the machine of the server/);
  assert.match(said, /next: Run `warpgrade doctor`/);
  assert.deepEqual(await violations(page), []);
  await close();
  rmSync(other, { recursive: true });
});

test("a lab of questions is answered in its page", async () => {
  await signedIn({}, async (page) => {
    await openLab(page, "predict");
    assert.match(await page.textContent("#files"), /answers\.toml/);
    await page.click("#check");
    await until(page, "#points", /of 100 points/, checked);
  });
});

test("in the playground a program is run, explained, and shared as a link", async () => {
  let link;
  await signedIn({}, async (page) => {
    await page.click("a[href='/labs/playground']");
    await ready(page);
    await page.click("#tab-handout");
    await page.frameLocator("#panel-handout iframe").getByRole("heading", { name: "Limits" }).waitFor();
    await page.locator(".editor textarea, .editor .cm-content").first().focus();
    await type(page, "__global__ void k(int* a) {\n  a[threadIdx.x] = 1;\n}\nint main(int argc, char**) {\n"
      + "  int* a;\n  cudaMalloc(&a, 4 * argc);\n  k<<<1, 2>>>(a);\n  cudaFree(a);\n}\n");
    await page.keyboard.press("Control+Enter");
    await until(page, "#headline", /program\.cu:2: .*write/, checked);
    assert.match(await page.textContent("#problems li"), /error: program\.cu, line 2/);
    assert.ok(await page.isHidden("#points"));
    const report = page.frameLocator("#report");
    await report.getByRole("list", { name: "PTX of line 2" }).waitFor();

    await page.click("text=\"arguments.txt\"");
    await page.locator("[role=tabpanel]:not([hidden]) .editor textarea, [role=tabpanel]:not([hidden]) .editor .cm-content").last().focus();
    await type(page, "one");
    await page.click("#check");
    await until(page, "#headline", /no error was found/, checked);

    await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
    await page.click("#share");
    await until(page, "#status", /The link is copied/);
    link = await page.evaluate(() => navigator.clipboard.readText());
  });
  await signedIn({}, async (page) => {
    await page.goto(new URL("/labs/playground", url).href);
    await ready(page);
    await page.locator(".editor textarea, .editor .cm-content").first().focus();
    await type(page, "// something else\n");
    await until(page, "#saved", /^Saved$/);
    await page.addInitScript(() => { window.confirm = (text) => (window.asked = text, true); });
    await page.goto("about:blank");
    await page.goto(link);
    await ready(page);
    await until(page, "#status", /Nothing was run/);
    assert.match(await page.evaluate(() => window.asked), /^Replace your files by those of the link\?/);
    assert.match(await page.locator(".editor").first().textContent(), /cudaMalloc/);
    assert.doesNotMatch(page.url(), /#/);
    await page.goto("about:blank");
    await page.goto(`${link.slice(0, -20)}`);
    await ready(page);
    await until(page, "#status", /The link is damaged/);
  });
});

for (const colorScheme of ["light", "dark"]) {
  for (const [name, viewport] of [["a desktop", undefined], ["a phone", phone]]) {
    test(`axe-core finds no violation on ${name} in ${colorScheme} colours, and nothing is wider`, async () => {
      await signedIn({ colorScheme, ...(viewport && { viewport }) }, async (page) => {
        for (const path of ["/", "/labs/vecadd", "/labs/playground", "/compare?from=1&to=2"]) {
          await page.goto(new URL(path, url).href);
          if (path.startsWith("/labs")) {
            await ready(page);
            await page.click("#tab-attempts");
          }
          assert.deepEqual(await violations(page), [], path);
          assert.ok(await tooWide(page) <= 0, `${path} is too wide`);
        }
      });
    });
  }
}
