// The reports' pages in a real browser; run.sh makes the pages and starts this.
import assert from "node:assert/strict";
import { readFile, stat } from "node:fs/promises";
import { test } from "node:test";
import { folder, phone, desktop, paper, visit, violations, cut } from "./visit.mjs";

const pages = [
  "right.html", "wrong.html", "corner.html", "measured.html", "bytes.html", "hostile.html",
  "class_small.html", "class_course.html", "term.html",
];
for (const name of pages) {
  for (const colorScheme of ["light", "dark"]) {
    test(`${name}, ${colorScheme}: axe-core finds no violation`, async () => {
      await visit(name, { colorScheme }, async (page) => {
        assert.deepEqual(await violations(page), []);
      });
    });
  }
  test(`${name}: on a phone nothing but tables and code scrolls sideways`, async () => {
    await visit(name, { viewport: phone }, async (page) => {
      const width = await page.evaluate(() => document.documentElement.scrollWidth);
      assert.ok(width <= phone.width, `${width} pixels wide`);
      assert.deepEqual(await violations(page), []);
    });
  });
  test(`${name}: on A4 paper nothing is cut at the right`, async () => {
    await visit(name, { viewport: paper }, async (page) => {
      await page.emulateMedia({ media: "print" });
      assert.deepEqual(await cut(page), []);
      const pdf = await page.pdf({ format: "A4" });
      assert.ok(pdf.length > 10_000);
    });
  });
}

test("a student's page is under 600 KB, whatever was handed in", async () => {
  for (const name of ["right.html", "wrong.html", "hostile.html"]) {
    const { size } = await stat(`${folder}/${name}`);
    assert.ok(size < 600_000, `${name}: ${size} bytes`);
  }
});

test("400 students' pages are made, and how long it took is said", async () => {
  const { pages: count, seconds } = JSON.parse(await readFile(`${folder}/rendered.json`, "utf8"));
  assert.equal(count, 400);
  console.log(`# ${count} pages took ${seconds} s of the processor (goal: 20)`);
});

test("charts are drawn, and a chart has something in it", async () => {
  for (const name of ["wrong.html", "measured.html", "bytes.html"]) {
    await visit(name, {}, async (page) => {
      for (const id of ["tiers", "roofline"]) {
        const colours = await page.$eval(`#${id}`, (canvas) => {
          const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
          return new Set(new Uint32Array(data.buffer)).size;
        });
        assert.ok(colours > 10, `${name}: ${id} has ${colours} colours`);
      }
    });
  }
});

test("source is coloured, marked, and a line opens by keyboard to its numbers", async () => {
  await visit("wrong.html", {}, async (page) => {
    assert.ok(await page.locator(".source .token.keyword", { hasText: "__global__" }).count() >= 1);
    assert.equal(await page.locator(".source .token.comment").count(), 3);
    const marked = await page.locator(".source .marked .no").allTextContents();
    assert.deepEqual(marked, ["8", "9"]);
    const line = page.locator(".source details").first();
    assert.equal(await line.locator("code").first().textContent(), "  tile[threadIdx.x] = a[i];");
    await line.locator("summary").focus();
    await page.keyboard.press("Enter");
    await line.getByText("1,024 sectors").waitFor({ state: "visible" });
  });
});

test("both sides of a race stand beside each other with their threads", async () => {
  await visit("wrong.html", {}, async (page) => {
    const sides = page.locator("#findings .sides figure");
    assert.equal(await sides.count(), 2);
    const boxes = [await sides.nth(0).boundingBox(), await sides.nth(1).boundingBox()];
    assert.equal(boxes[0].y, boxes[1].y);
    assert.match(await sides.nth(1).textContent(), /vecadd\.cu:8.*lane 0 writes/s);
  });
});

test("code in findings wraps, on a phone and on a desk", async () => {
  for (const viewport of [phone, desktop]) {
    await visit("corner.html", { viewport }, async (page) => {
      const rows = await page.$$eval("#findings .excerpt", (blocks) => blocks.map((block) => ({
        over: block.scrollWidth - block.clientWidth,
        high: block.querySelector(".marked code").getClientRects()[0].height,
        low: block.querySelector(".row:not(.marked) code").getClientRects()[0].height,
      })));
      assert.equal(rows.length, 1);
      assert.equal(rows[0].over, 0);
      assert.ok(rows[0].high > 1.5 * rows[0].low, `${rows[0].high} beside ${rows[0].low}`);
    });
  }
});

test("the read and the write of one line are one card, with one source and one advice", async () => {
  await visit("corner.html", {}, async (page) => {
    const card = page.locator("#findings article");
    assert.equal(await card.count(), 1);
    assert.deepEqual(await card.locator("h3 code").allTextContents(),
      ["oob-global-write", "oob-global-read"]);
    assert.equal(await card.locator(".excerpt").count(), 1);
    assert.equal(await card.locator(".do").count(), 1);
  });
  await visit("wrong.html", {}, async (page) => {  // near miss: a race is one finding of two lines
    assert.equal(await page.locator("#findings article h3").count(), 1);
  });
});

test("the case that tells most is open, and it alone", async () => {
  await visit("corner.html", {}, async (page) => {
    assert.deepEqual(await page.locator("#cases details summary strong").allTextContents(),
      ["less", "large"]);
    assert.deepEqual(await page.locator("#cases details[open] summary strong").allTextContents(),
      ["large"]);
    const head = await page.locator("#cases details[open] table th").allTextContents();
    assert.deepEqual(head, ["First wrong elements", "Yours", "Expected"]);  // whole numbers
  });
});

for (const name of ["wrong.html", "corner.html"]) {
  test(`${name}: a phone shows the points of every row without scrolling`, async () => {
    await visit(name, { viewport: phone }, async (page) => {
      for (const section of ["#cases", "#points"]) {
        const right = await page.$$eval(`${section} table.wide tr > :nth-child(2)`,
          (cells) => cells.map((cell) => ({
            text: cell.textContent, right: cell.getBoundingClientRect().right,
          })));
        assert.equal(right[0].text, "Points");
        assert.ok(right.length > 2);
        for (const cell of right) {
          assert.ok(cell.right <= phone.width, `${section}: ${cell.text} ends at ${cell.right}`);
        }
      }
    });
  });
}

test("what has some of its points is partial in every category", async () => {
  await visit("corner.html", {}, async (page) => {
    const tiles = await page.$$eval(".tiles li", (all) => all.map((tile) => ({
      name: tile.querySelector("strong").textContent,
      points: tile.querySelector(".tile-points").textContent.split(" / ").map(Number),
      status: tile.querySelector(".status").textContent,
    })));
    for (const { name, points: [points, most], status } of tiles) {
      assert.equal(status, points === most ? "passed" : points === 0 ? "failed" : "partial", name);
    }
    assert.equal(tiles.filter((tile) => tile.status === "partial").length, 3);
  });
});

test("the heat of the margin follows the choice", async () => {
  await visit("wrong.html", {}, async (page) => {
    const heat = () => page.$$eval(".source details .h",
      (cells) => cells.map((c) => getComputedStyle(c).backgroundColor));
    const instructions = await heat();
    await page.getByLabel("memory sectors").check();
    const sectors = await heat();
    assert.notDeepEqual(instructions, sectors);
  });
});

test("a link to a pitfall opens its page", async () => {
  await visit("wrong.html", {}, async (page) => {
    await page.locator("section.first a[href^='#pitfall']").click();
    await page.locator("#pitfall-P22[open]").waitFor();
    await page.locator("#pitfall-P22 .prose").waitFor({ state: "visible" });
  });
});

for (const name of ["wrong.html", "measured.html", "class_small.html", "class_course.html"]) {
  test(`${name}: the keyboard reaches every control, and what scrolls`, async () => {
    await visit(name, {}, async (page) => {
      const controls = await page.evaluate(() => {
        const all = [...document.querySelectorAll(
          "a[href], button, summary, input:checked, input[type=search], select, [tabindex='0']")];
        return all.filter((e) => e.checkVisibility()).length;
      });
      for (let i = 0; i < controls + 5; ++i) {
        await page.keyboard.press("Tab");
        await page.evaluate(() => { document.activeElement.dataset.reached = "yes"; });
      }
      const missed = await page.evaluate(() => [...document.querySelectorAll(
        "a[href], button, summary, input:checked, input[type=search], select, [tabindex='0']")]
        .filter((e) => e.checkVisibility() && !e.dataset.reached)
        .map((e) => e.outerHTML.slice(0, 100)));
      assert.deepEqual(missed, []);
    });
  });
}

test("what a submission says stays text", async () => {
  for (const name of ["hostile.html", "class_small.html", "class_large.html"]) {
    await visit(name, {}, async (page) => {
      assert.notEqual(await page.title(), "owned");
      assert.equal(await page.locator("img").count(), 0);
      assert.ok((await page.locator("body").textContent()).includes("<script>document.title"));
    });
  }
});

test("2,000 students: the class page has them all, and says how long it took", async () => {
  await visit("class_large.html", {}, async (page) => {
    const ms = await page.evaluate(() => performance.timing.loadEventEnd
      - performance.timing.navigationStart);
    console.log(`# the page of 2,000 students was there after ${ms} ms (goal: 2000)`);
    assert.equal(await page.locator("#table tbody tr").count(), 2001);
  });
});

test("the table sorts by a click and by keyboard, and filters", async () => {
  await visit("class_large.html", {}, async (page) => {
    const first = () => page.locator("#table tbody tr:not([hidden]) th").first().textContent();
    const score = page.getByRole("button", { name: "Score" });
    await score.click();
    assert.equal(await page.locator("#table th[aria-sort=ascending]").textContent(), "Score");
    assert.match(await first(), /student0007/);  // not graded: below every score
    await score.focus();
    await page.keyboard.press("Enter");
    assert.equal(await page.locator("#table th[aria-sort=descending]").textContent(), "Score");
    assert.match(await first(), /student0001/);
    await page.getByLabel("Find").fill("student0042");
    assert.equal(await page.locator("#shown").textContent(), "1 of 2001 rows");
    assert.match(await first(), /student0042/);
    await page.getByLabel("Find").fill("");
    await page.getByLabel("Verdict").selectOption("not graded");
    assert.equal(await page.locator("#shown").textContent(), "1 of 2001 rows");
  });
});

test("a course's page begins with who needs help and who has nothing gradable", async () => {
  await visit("class_course.html", {}, async (page) => {
    assert.equal(await page.title(), "Parallel programming, autumn");
    const headings = await page.locator("main h2").allTextContents();
    assert.deepEqual(headings.slice(0, 2), ["Who needs help", "Nothing gradable"]);
    const help = await page.locator("#help tbody tr").allTextContents();
    assert.ok(help.length > 0);
    // The fewest points first, each with its first thing to fix.
    const points = help.map((row) => Number(row.match(/(\d+) \/ \d+/)[1]));
    assert.deepEqual(points, points.toSorted((a, b) => a - b));
    const rows = await page.locator("#nothing tbody tr").allTextContents();
    assert.equal(rows.length, 2);
    assert.match(rows[0], /Family005, Given.*Vector addition.*no vecadd\.cu was submitted/s);
    assert.match(rows[1], /Family040, Given.*No submission/s);
  });
});

test("a phone's first screen says who needs help, in what, and what to fix", async () => {
  await visit("class_course.html", { viewport: phone }, async (page) => {
    const rows = await page.$$eval("#help tbody tr", (all) => all.map((row) => ({
      bottom: row.getBoundingClientRect().bottom,
      cells: [...row.cells].map((cell) => cell.getBoundingClientRect().right),
      oneLine: row.cells[0].getBoundingClientRect().top < row.cells[2].getBoundingClientRect().bottom
        && row.cells[2].getBoundingClientRect().top < row.cells[0].getBoundingClientRect().bottom,
      said: row.querySelector(".said").checkVisibility(),
    })));
    assert.ok(rows.filter((row) => row.bottom <= phone.height).length >= 4);
    for (const row of rows) {
      assert.ok(row.said && row.oneLine);
      assert.ok(row.cells.every((right) => right <= phone.width));
    }
  });
});

test("on a phone a grade shows all of its columns, and the table can be sorted", async () => {
  await visit("class_course.html", { viewport: phone }, async (page) => {
    const cut = await page.$$eval("#table :is(th, td)", (cells) => cells
      .filter((cell) => cell.getBoundingClientRect().right > innerWidth)
      .map((cell) => cell.textContent));
    assert.deepEqual(cut, []);
    assert.ok(await page.locator("#table .said", { hasText: "barrier" }).first().isVisible());
    await page.getByRole("button", { name: "Score" }).click();
    assert.equal(await page.locator("#table th[aria-sort=ascending]").textContent(), "Score");
    await page.getByLabel("Find").fill("s007");
    assert.equal(await page.locator("#table tbody tr:visible").count(), 2);
  });
});

test("on a phone the students' names stay while their labs scroll", async () => {
  await visit("class_course.html", { viewport: { width: 240, height: 700 } }, async (page) => {
    const scroll = page.locator("#course .scroll");
    await scroll.evaluate((box) => { box.scrollLeft = box.scrollWidth; });
    const name = await page.locator("#matrix tbody th").first().boundingBox();
    const total = await page.locator("#matrix tbody td:last-child").first().boundingBox();
    assert.ok(name.x >= 0 && total.x + total.width <= 240);
  });
});

test("students by labs: titles, totals and penalties, sorted by a click", async () => {
  await visit("class_course.html", {}, async (page) => {
    const matrix = page.locator("#matrix");
    assert.deepEqual(await matrix.locator("thead th").allTextContents(),
      ["Student", "Reduction", "Vector addition", "Total %"]);
    assert.equal(await matrix.locator("tbody tr").count(), 41);
    const line = matrix.locator("tbody tr", { hasText: "Family001" });
    assert.match(await line.textContent(), /2 days late: \d+ - \d+/);
    const total = page.getByRole("button", { name: "Total %" });
    const first = () => matrix.locator("tbody tr th").first().textContent();
    await total.click();
    const low = await first();
    await total.focus();
    await page.keyboard.press("Enter");
    assert.notEqual(await first(), low);
    // Who has no score comes last either way.
    assert.match(await matrix.locator("tbody tr th").last().textContent(), /Family040/);
    const cell = matrix.locator("tbody tr", { hasText: "Family002" }).locator("a").first();
    assert.equal(await cell.getAttribute("href"), "s002/reduction/feedback.html");
  });
});

test("verdicts follow the pass mark, and can be filtered", async () => {
  await visit("class_course.html", {}, async (page) => {
    const words = await page.locator("#verdict option").allTextContents();
    assert.deepEqual(words.toSorted(), ["all", "not passed", "nothing gradable", "passed"]);
    await page.getByLabel("Verdict").selectOption("nothing gradable");
    assert.equal(await page.locator("#shown").textContent(), "1 of 80 rows");
    await page.getByLabel("Verdict").selectOption("");
    await page.locator("#lab").selectOption("Reduction");
    assert.equal(await page.locator("#shown").textContent(), "40 of 80 rows");
    await page.getByLabel("Find").fill("s007");
    assert.equal(await page.locator("#shown").textContent(), "1 of 80 rows");
  });
});

test("pitfalls that were met once are folded, and open by keyboard", async () => {
  await visit("class_course.html", {}, async (page) => {
    const fold = page.locator("#single");
    assert.match(await fold.locator("summary").textContent(), /^1 pitfall with one occurrence$/);
    assert.equal(await fold.getByText("Family004").isVisible(), false);
    await fold.locator("summary").focus();
    await page.keyboard.press("Enter");
    await fold.getByText("Family004").waitFor({ state: "visible" });
  });
});

test("flags come before the tables, and the leaderboard has aliases and no names", async () => {
  await visit("class_large.html", {}, async (page) => {
    const headings = await page.locator("main h2").allTextContents();
    assert.deepEqual(headings.slice(0, 2), ["Who needs help", "For review"]);
    const board = await page.locator("#leaders").textContent();
    assert.doesNotMatch(board, /student\d/);
    assert.match(board, /[a-z]+ [a-z]+ \d\d/);
    assert.equal(await page.locator("#labs canvas[data-drawn=yes]").count(), 2);
  });
});
