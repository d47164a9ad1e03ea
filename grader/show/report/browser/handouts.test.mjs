// The labs' handouts and their pictures in a real browser; run.sh makes the pages and starts this.
import assert from "node:assert/strict";
import { readdirSync } from "node:fs";
import { test } from "node:test";
import { folder, phone, paper, visit, violations, cut } from "./visit.mjs";

const names = readdirSync(folder).filter((name) => name.endsWith(".html")).toSorted();
const handouts = names.filter((name) => name.startsWith("handout-"));
const pictures = names.filter((name) => name.startsWith("picture-"));
/// The smallest writing of a picture that can be read, in pixels.
const readable = 8.5;

test("there is a handout of every lab, and there are pictures", () => {
  assert.ok(handouts.length > 30, `${handouts.length} handouts`);
  assert.ok(pictures.length > 30, `${pictures.length} pictures`);
});

/// Pixels per unit of each picture that is shown.
function scales(page) {
  return page.$$eval("main > .prose figure svg",
    (all) => all.map((svg) => svg.getBoundingClientRect().width / svg.viewBox.baseVal.width));
}

for (const name of handouts) {
  // What axe-core checks depends on the elements; the colours of dark pages are below.
  test(`${name}: axe-core finds no violation, and on a phone only tables, code and pictures scroll`, async () => {
    await visit(name, { viewport: phone }, async (page) => {
      assert.deepEqual(await violations(page), []);
      const width = await page.evaluate(() => document.documentElement.scrollWidth);
      assert.ok(width <= phone.width, `${width} pixels wide`);
      for (const scale of await scales(page)) assert.ok(11 * scale >= readable, `a picture at ${scale}`);
    });
  });
  test(`${name}: on A4 paper nothing is cut, and pictures are dark on light`, async () => {
    await visit(name, { viewport: paper, colorScheme: "dark" }, async (page) => {
      await page.emulateMedia({ media: "print", colorScheme: "dark" });
      assert.deepEqual(await cut(page), []);
      const wrong = await page.evaluate((height) => {
        const shown = (selector) => [...document.querySelectorAll(`main > .prose ${selector}`)];
        const light = (e) => getComputedStyle(e).fill.match(/[\d.]+/g).slice(0, 3).reduce((a, b) => a + Number(b), 0) / 765;
        return [
          ...shown("pre").filter((e) => {
            const { lineHeight, paddingTop } = getComputedStyle(e);
            const lines = Math.round((e.clientHeight - 2 * parseFloat(paddingTop)) / parseFloat(lineHeight));
            return lines > e.textContent.trimEnd().split("\n").length;
          }).map((e) => `a line is too long: ${e.textContent.slice(0, 60)}`),
          ...shown("figure").filter((e) => getComputedStyle(e).breakInside !== "avoid").map(() => "a page may end in a picture"),
          ...shown("figure").filter((e) => e.getBoundingClientRect().height > height).map(() => "higher than a page"),
          ...shown("h2, h3").filter((e) => getComputedStyle(e).breakAfter !== "avoid").map(() => "a page may end after a heading"),
          ...shown("figure text").filter((e) => light(e) > 0.5).map((e) => `light writing: ${e.textContent}`),
          ...shown("figure rect.none").filter((e) => light(e) < 0.9).map(() => "a dark box"),
        ];
      }, paper.height);
      assert.deepEqual([...new Set(wrong)], []);
      for (const scale of await scales(page)) assert.ok(11 * scale >= readable, `a picture at ${scale}`);
    });
  });
}

for (const name of ["handout-transpose.html", "handout-vecadd.html"]) {
  test(`${name}: axe-core finds no violation in dark colours`, async () => {
    await visit(name, { colorScheme: "dark" }, async (page) => {
      assert.deepEqual(await violations(page), []);
    });
  });
}

test("on a handout page blocks, threads and rows can be tried, also by keyboard", async () => {
  await visit("handout-vecadd.html", { viewport: phone }, async (page) => {
    const part = page.locator(".try", { hasText: "elements, threads and blocks" }).first();
    assert.equal(await part.locator(".warp-words").textContent(),
      "3 blocks of 4 threads: 12 threads for 10 elements. 2 threads of the last block have no element.");
    assert.equal(await part.locator(".warp-off:not(text)").count(), 2);
    await part.getByRole("slider", { name: "Blocks:" }).focus();
    await page.keyboard.press("ArrowLeft");
    assert.match(await part.locator(".warp-words").textContent(), /No thread has elements 8 to 9\.$/);
    assert.equal(await part.locator(".warp-outside").count(), 2);
    await page.evaluate(() => { for (const details of document.querySelectorAll("details")) details.open = true; });
    const banks = page.locator(".try", { hasText: "the length of a row" }).first();
    await banks.getByRole("slider", { name: "Floats per row" }).fill("33");
    assert.match(await banks.locator(".warp-words").textContent(), /1 wavefront, no bank conflict\.$/);
    const width = await page.evaluate(() => document.documentElement.scrollWidth);
    assert.ok(width <= phone.width, `${width} pixels wide`);
  });
});

for (const name of pictures) {
  test(`${name}: its writing is inside, apart, and not wider than its box`, async () => {
    await visit(name, {}, async (page) => {
      const wrong = await page.evaluate(() => {
        const svg = document.querySelector("svg");
        const { width, height } = svg.viewBox.baseVal;
        const box = (e) => { const { x, y, width: w, height: h } = e.getBBox(); return { l: x, t: y + 2, r: x + w, b: y + h - 3 }; };
        const texts = [...svg.querySelectorAll("text")].map((e) => ({ says: e.textContent, before: e.previousElementSibling, ...box(e) }));
        const found = texts.filter((a) => a.l < 0 || a.t < 0 || a.r > width || a.b > height).map((a) => `cut: ${a.says}`);
        texts.forEach((a, i) => texts.slice(i + 1).forEach((b) => {
          if (a.l < b.r && b.l < a.r && a.t < b.b && b.t < a.b) found.push(`one over the other: ${a.says} and ${b.says}`);
        }));
        for (const a of texts) {
          // A cell is a box and, after it, its text in the middle.
          if (a.before?.tagName !== "rect") continue;
          const cell = a.before.getBBox();
          const centred = Math.abs((a.l + a.r) / 2 - cell.x - cell.width / 2) < 0.6 && a.t > cell.y - 2 && a.b < cell.y + cell.height + 2;
          if (centred && a.r - a.l > cell.width) found.push(`wider than its box: ${a.says}`);
        }
        return found;
      });
      assert.deepEqual(wrong, []);
    });
  });
}
