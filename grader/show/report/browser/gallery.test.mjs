// The pages of docs/gallery in a real browser; run.sh copies them and starts this.
import assert from "node:assert/strict";
import { readdirSync, statSync } from "node:fs";
import { test } from "node:test";
import { folder, phone, visit, violations } from "./visit.mjs";

const pages = readdirSync(folder).filter((name) => name.endsWith(".html") && name !== "index.html").toSorted();
const films = pages.filter((name) => name.startsWith("film-"));
const mistakes = pages.filter((name) => !name.startsWith("film-"));
const look = (name, options, act) => visit(name, { parts: true, ...options }, act);
const opened = (page) => page.locator("[role=tab][aria-selected=true]").allTextContents();

test("there are ten mistakes that are told, films of six labs, and nothing is large", async () => {
  await look("index.html", {}, async (page) => {
    const lists = page.locator(".gallery-cards");
    assert.equal(await lists.nth(0).locator("li").count(), 10);
    assert.ok(await lists.nth(1).locator("li").count() >= 6);
    const links = await page.locator(".gallery-cards a").evaluateAll((all) => all.map((a) => a.getAttribute("href")));
    assert.deepEqual(links.toSorted(), pages);
  });
  for (const name of pages) {
    const size = statSync(`${folder}/recordings/${name.replace(".html", ".js")}`).size;
    assert.ok(size < 400_000, `${name}: ${size} bytes`);
  }
});

for (const name of pages) {
  test(`${name}: opens with its pictures, and on a phone only tables and code scroll sideways`, async () => {
    await look(name, { viewport: phone, hasTouch: true }, async (page) => {
      assert.equal((await opened(page)).length, name.startsWith("film-") ? 1 : 2);
      for (const words of await page.locator(".warp-words").allTextContents()) {
        assert.ok(words.length > 10 && !words.includes("undefined") && !words.includes("nothing of this kind"), words);
      }
      const width = await page.evaluate(() => document.documentElement.scrollWidth);
      assert.ok(width <= phone.width, `${width} pixels wide`);
    });
  });
}

for (const colorScheme of ["light", "dark"]) {
  for (const name of ["index.html", mistakes[0], films[0], "P69.html", "P27.html"]) {
    test(`${name}, ${colorScheme}: axe-core finds no violation`, async () => {
      await look(name, { colorScheme }, async (page) => assert.deepEqual(await violations(page), []));
    });
  }
}

test("a mistake and its cure open on the same picture, and the cure has no finding", async () => {
  for (const [name, picture] of Object.entries({
    "P1.html": "Elements and threads", "P22.html": "Timeline", "P27.html": "Divergence", "P35.html": "Shared memory",
    "P62.html": "Memory access", "P69.html": "Banks",
  })) {
    await look(name, {}, async (page) => {
      assert.deepEqual(await opened(page), [picture, picture], name);
      assert.equal(await page.locator("[data-recording=cure] .warp-findings").count(), 0, name);
    });
  }
});

test("the cure of bank conflicts has fewer wavefronts than the mistake", async () => {
  await look("P69.html", {}, async (page) => {
    const [wrong, right] = await page.locator(".warp-words").allTextContents();
    assert.match(wrong, /^32 wavefronts, 1 would do/);
    assert.match(right, /^1 wavefront, 1 would do: no bank conflict/);
  });
});

test("from the index to a page, through its steps and back, by keyboard only", async () => {
  await look("index.html", {}, async (page) => {
    await page.keyboard.press("Tab");
    await page.keyboard.press("Enter");
    await page.waitForURL("**/P1.html");
    await page.getByRole("tabpanel").first().focus();
    await page.keyboard.press("Home");
    assert.match(await page.locator(".warp-position").first().textContent(), /^1 of /);
    await page.keyboard.press("ArrowRight");
    assert.match(await page.locator(".warp-position").first().textContent(), /^2 of /);
    await page.getByRole("link", { name: "All mistakes and films" }).focus();
    await page.keyboard.press("Enter");
    await page.waitForURL("**/index.html");
  });
});

test("a film begins at its first step and plays to its end", async () => {
  const film = films.find((name) => name.includes("reduction"));
  await look(film, { reducedMotion: "reduce" }, async (page) => {
    assert.match(await page.locator(".warp-position").textContent(), /^1 of /);
    await page.getByLabel("Speed").selectOption("60");
    await page.getByRole("button", { name: "Play" }).click();
    const [, count] = (await page.locator(".warp-position").textContent()).split(" of ");
    await page.getByText(`${count} of ${count}`).waitFor();
  });
});
