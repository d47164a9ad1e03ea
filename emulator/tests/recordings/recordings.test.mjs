// The pages of recordings in a real browser; run.sh makes them with pages.sh and starts this.
import assert from "node:assert/strict";
import { stat } from "node:fs/promises";
import { test } from "node:test";
import { folder, phone, paper, visit, violations, cut } from "../../../grader/show/report/browser/visit.mjs";

// Each scene, the picture that it opens on, and what that says.
const scenes = {
  reverse: ["Shared memory", "Warp 0 reads tile[127] to tile[96] with 32 lanes; 32 of these elements are uninitialized."],
  strided: ["Memory access", "32 sectors of 32 bytes moved, 4 would do; 128 of 1,024 bytes are used (13 %)."],
  transpose: ["Banks", "32 wavefronts, 1 would do: 31 wavefronts because of bank conflicts."],
  outside: ["Elements and threads", "Thread 0 of the block writes cudaMalloc #2[1024], which is out of bounds (scenes.cu:45). The array has 1,024 elements."],
  uninitialized: ["Shared memory", "Warp 0 reads tile[63] to tile[32] with 32 lanes; 14 of these elements are uninitialized."],
  barrier: ["Divergence", null],
  lost: ["Timeline", null],
  reduce: ["Timeline", null],
  streams: ["Streams", null],
};
const pictures = ["Timeline", "Memory access", "Banks", "Shared memory", "Divergence", "Elements and threads", "Streams"];
const words = (page) => page.locator(".warp-words").textContent();
/// Pixels of the colour of findings.
const red = (page) => page.locator(".warp-canvas canvas").evaluate((canvas) => {
  const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
  let count = 0;
  for (let i = 0; i < data.length; i += 4) count += data[i] === 0xb0 && data[i + 1] === 0x23 && data[i + 2] === 0x1b;
  return count;
});
const position = (page) => page.locator(".warp-position").textContent();

for (const [scene, [picture, said]] of Object.entries(scenes)) {
  test(`${scene}: opens on ${picture} and says what it shows`, async () => {
    await visit(`${scene}.html`, {}, async (page) => {
      assert.equal(await page.locator("[role=tab][aria-selected=true]").textContent(), picture);
      if (said) assert.equal(await words(page), said);
    });
  });
  for (const colorScheme of ["light", "dark"]) {
    test(`${scene}, ${colorScheme}: axe-core finds no violation`, async () => {
      await visit(`${scene}.html`, { colorScheme }, async (page) => {
        assert.deepEqual(await violations(page), []);
      });
    });
  }
  test(`${scene}: on a phone nothing but tables and code scrolls sideways`, async () => {
    await visit(`${scene}.html`, { viewport: phone, hasTouch: true }, async (page) => {
      for (const name of pictures) {
        await page.getByRole("tab", { name }).click();
        const width = await page.evaluate(() => document.documentElement.scrollWidth);
        assert.ok(width <= phone.width, `${name}: ${width} pixels wide`);
      }
    });
  });
  test(`${scene}: a page is under 600 KB`, async () => {
    assert.ok((await stat(`${folder}/${scene}.html`)).size < 600_000);
  });
}

test("axe-core finds no violation in any picture, on a phone", async () => {
  await visit("transpose.html", { viewport: phone }, async (page) => {
    for (const name of pictures) {
      await page.getByRole("tab", { name }).click();
      assert.deepEqual(await violations(page), [], name);
    }
  });
});

test("sectors that are drawn are those that the counters have", async () => {
  await visit("strided.html", {}, async (page) => {
    assert.equal(await page.locator(".warp-moved").count(), 32);
    assert.equal(await page.locator(".warp-good").count(), 4);
    await page.getByLabel("Line", { exact: true }).selectOption({ index: 1 });
    await page.getByRole("button", { name: "Next" }).click();
    assert.equal(await page.locator(".warp-moved").count(), 4);
    const odd = await page.evaluate(() => {
      const recording = Warp.read(document.getElementById("recording-data").textContent);
      return recording.blocks[0].steps.filter((step) => step.kind === "access" && !step.shared &&
        Warp.sectorsOf(step).reduce((sum, line) => sum + line.sectors.length, 0) !== step.passes).length;
    });
    assert.equal(odd, 0);
  });
});

test("wavefronts that are drawn are those that the counters have, and padding removes them", async () => {
  await visit("transpose.html", {}, async (page) => {
    assert.equal(await page.locator(".warp-conflict").count(), 31);
    const slider = page.getByLabel("Padding per row of 32 elements");
    await slider.focus();
    await page.keyboard.press("ArrowRight");
    assert.equal(await page.locator(".warp-conflict").count(), 0);
    assert.equal(await page.locator(".warp-served").count(), 32);
    await page.getByText("With 1 element of padding: 1 wavefront instead of 32").waitFor();
    const odd = await page.evaluate(() => {
      const recording = Warp.read(document.getElementById("recording-data").textContent);
      return recording.blocks[0].steps.filter((step) => step.kind === "access" && step.shared &&
        Warp.wavefrontsOf(step).length !== step.passes).length;
    });
    assert.equal(odd, 0);
  });
});

test("a race opens on both accesses and the edge that is missing", async () => {
  await visit("reverse.html", {}, async (page) => {
    await page.getByRole("button", { name: "Jump to" }).nth(1).click();
    assert.equal(await page.locator("[role=tab][aria-selected=true]").textContent(), "Timeline");
    assert.match(await words(page), /^Thread \d+ \(warp \d\) (reads|writes) tile\[\d+\] at scenes.cu:\d+; thread \d+ \(warp \d\) (reads|writes) tile\[\d+\] at scenes.cu:\d+\. No barrier stands between the two accesses\.$/);
    const count = await red(page);
    assert.ok(count > 200, `${count} red pixels`);
  });
});

test("a race between blocks has a row for each block, and says that nothing orders them", async () => {
  await visit("lost.html", {}, async (page) => {
    assert.match(await words(page), /^Thread 0 of block \((\d, 0, 0)\) \(warp 0\) (reads|writes) cudaMalloc #2\[0\] at scenes.cu:\d+; thread 0 of block \((?!\1)\d, 0, 0\) \(warp 0\) (reads|writes) cudaMalloc #2\[0\] at scenes.cu:\d+\. Blocks run in any order: nothing orders the two accesses\.$/);
    assert.ok(await red(page) > 200);
  });
});

test("a page opens at a line on the picture that the line needs", async () => {
  await visit("transpose.html", {}, async (page) => {
    const opened = await page.evaluate(() => {
      const model = new Warp.Model(Warp.read(document.getElementById("recording-data").textContent), 0);
      const line = (text) => model.line(model.steps.find((step) => model.sourceOf(step).includes(text)));
      const at = (options) => Warp.opening(model, options);
      return {
        store: at({ line: line("tile[threadIdx.y][threadIdx.x] =") }).picture,
        conflict: at({ line: line("out[threadIdx.y * 32") }).picture,
        text: at({ text: "__syncthreads", picture: "timeline" }).picture,
        loads: model.steps[at({ counters: "global_load_sectors / 8" })?.index ?? 0].type,
        banks: at({ counters: "shared_load_conflicts" }).picture,
        none: at({ line: 1 }),
      };
    });
    assert.deepEqual(opened, { store: "access", conflict: "banks", text: "timeline", loads: "load", banks: "banks", none: undefined });
  });
});

test("each picture says what its marks mean, where the picture is", async () => {
  for (const scene of ["transpose", "branches", "lost"]) {
    await visit(`${scene}.html`, {}, async (page) => {
      for (const name of pictures) {
        await page.getByRole("tab", { name }).click();
        if (/nothing of this kind/.test(await words(page)) || /no shared memory/.test(await page.locator(".warp-drawing").textContent())) continue;
        assert.ok(await page.locator(".warp-drawing .warp-legend span").count() > 2, `${scene}, ${name}`);
      }
    });
  }
});

test("source lines are whole, and those that a picture is about say why", async () => {
  const tags = (page, kind) => page.locator(`.warp-${kind}-line b`).allTextContents();
  await visit("strided.html", {}, async (page) => {
    assert.deepEqual(await tags(page, "cost"), ["load: 32 sectors instead of 4"]);
    const wide = await page.locator(".warp-source").evaluate((element) => [element.scrollWidth, element.clientWidth]);
    assert.equal(wide[0], wide[1]);
  });
  await visit("transpose.html", {}, async (page) => assert.deepEqual(await tags(page, "cost"), ["load: 32 wavefronts instead of 1"]));
  await visit("uninitialized.html", {}, async (page) => {
    assert.deepEqual(await tags(page, "cost"), ["writes 50 of the 64 elements of tile"]);
    assert.deepEqual(await tags(page, "bad"), ["reads uninitialized elements"]);
    assert.match(await page.locator(".warp-drawing").textContent(), /50 elements: written by line \d+, .*14 elements|14 elements: uninitialized.*50 elements: written by line \d+/);
  });
  await visit("branches.html", {}, async (page) => {
    await page.getByRole("tab", { name: "Divergence" }).click();
    assert.ok((await tags(page, "cost")).some((words) => words.startsWith("lanes diverge")));
  });
  await visit("reverse.html", {}, async (page) => {
    await page.getByRole("button", { name: "Jump to" }).nth(1).click();
    const both = (await tags(page, "bad")).join("; ");
    assert.match(both, /thread \d+ reads tile\[(\d+)\]/);
    assert.match(both, /thread \d+ writes tile\[\d+\]/);
  });
});

test("shared memory has the rows of the array, and a number in few characters", async () => {
  await visit("transpose.html", {}, async (page) => {
    await page.getByRole("tab", { name: "Shared memory" }).click();
    assert.match(await page.locator(".warp-drawing .warp-heading").textContent(), /^tile\[32\]\[32\]: 1,024 elements$/);
    assert.match(await words(page), /tile\[\d+\]\[\d+\] to tile/);
    const short = await page.evaluate(() => [[-0.0628, 1, 3], [0.47123, 1, 8], [0.47123, 1, 3], [-0.99, 1, 3], [123456, 2, 3],
      [1e-5, 1, 3], [255, 2, 1]].map((one) => Warp.shorter(...one)));
    assert.deepEqual(short, ["-.1", ".4712", ".47", "-1", "1e5", "~0", "#"]);
  });
});

test("a tree reduction is a film: its values are the sums", async () => {
  await visit("reduce.html", {}, async (page) => {
    await page.getByRole("tab", { name: "Shared memory" }).click();
    await page.getByRole("button", { name: "Last" }).click();
    await page.locator("summary").click();
    let sum = 0;
    for (let i = 0; i < 128; ++i) sum += i % 17 * 0.5;
    assert.equal(await page.locator(".warp-table td").nth(1).textContent(), String(sum));
    const canvas = page.locator(".warp-drawing canvas");
    const { width } = await canvas.boundingBox();
    await canvas.hover({ position: { x: 53, y: 31 } });
    assert.match(await canvas.getAttribute("title"), new RegExp(`^\\w+\\[0\\]: ${sum}, written by warp 0 at scenes.cu:\\d+, \\d times`));
    await page.getByRole("button", { name: "First" }).click();
    assert.equal(await page.locator(".warp-table td", { hasText: "uninitialized" }).count(), 96);
    // A cell that a line has written has its colour, the others are striped.
    const colours = await canvas.evaluate((element, wide) => {
      const scale = element.width / wide;
      const context = element.getContext("2d");
      return [0, 40].map((i) => {
        const box = [46 + i % 16 * Math.floor((wide - 46) / 16) + 6, 16 + Math.floor(i / 16) * 30 + 25, 8, 2];
        const { data } = context.getImageData(...box.map((value) => Math.round(value * scale)));
        return new Set(Array.from({ length: data.length / 4 }, (_, at) => data.slice(4 * at, 4 * at + 4).join())).size;
      });
    }, width);
    assert.equal(colours[0], 1);
    assert.ok(colours[1] > 1);
  });
});

test("playing goes on to the end, and stops", async () => {
  await visit("uninitialized.html", { reducedMotion: "reduce" }, async (page) => {
    await page.getByRole("button", { name: "First" }).click();
    await page.getByLabel("Speed").selectOption("60");
    await page.getByRole("button", { name: "Play" }).click();
    await page.getByText("5 of 5").waitFor();
    await page.getByRole("button", { name: "Play" }).waitFor();
  });
});

test("all is reached by keyboard: tabs, steps, play, the table", async () => {
  await visit("reduce.html", {}, async (page) => {
    await page.getByRole("tab", { name: "Timeline" }).focus();
    await page.keyboard.press("ArrowRight");
    assert.equal(await page.locator("[role=tab][aria-selected=true]").textContent(), "Memory access");
    await page.getByRole("tabpanel").focus();
    await page.keyboard.press("Home");
    assert.match(await position(page), /^1 of /);
    await page.keyboard.press("ArrowRight");
    assert.match(await position(page), /^2 of /);
    await page.keyboard.press("End");
    const [at, count] = (await position(page)).split(" of ");
    assert.equal(at, count);
    await page.locator("summary").focus();
    await page.keyboard.press("Enter");
    await page.locator(".warp-table tbody tr").first().waitFor();
  });
});

test("a finger that moves sideways goes to the next step", async () => {
  await visit("transpose.html", { viewport: phone, hasTouch: true }, async (page) => {
    const before = await position(page);
    await page.locator(".warp-drawing").evaluate((element) => {
      const touch = (clientX) => new Touch({ identifier: 1, target: element, clientX, clientY: 100 });
      element.dispatchEvent(new TouchEvent("touchstart", { touches: [touch(300)], bubbles: true }));
      element.dispatchEvent(new TouchEvent("touchend", { changedTouches: [touch(100)], bubbles: true }));
    });
    assert.notEqual(await position(page), before);
  });
});

test("the table has the facts of the picture", async () => {
  await visit("strided.html", {}, async (page) => {
    await page.locator("summary").click();
    await page.locator(".warp-table tbody tr").first().waitFor();
    assert.equal(await page.locator(".warp-table tbody tr").count(), 32);
    assert.match(await page.locator(".warp-table caption").textContent(), /32 sectors/);
    assert.equal(await page.locator(".warp-table tbody tr").nth(3).locator("td").nth(2).textContent(), "cudaMalloc #1[24]");
  });
});

test("on A4 paper nothing is cut at the right, and the table is there", async () => {
  await visit("strided.html", { viewport: paper }, async (page) => {
    await page.emulateMedia({ media: "print" });
    await page.evaluate(() => dispatchEvent(new Event("beforeprint")));
    assert.deepEqual(await cut(page), []);
    assert.ok(await page.locator(".warp-table tbody tr").count() > 0);
  });
});

test("a recording that cannot be read is one message", async () => {
  await visit("reduce.html", {}, async (page) => {
    const message = await page.evaluate(() => {
      try {
        return Warp.read(btoa("warprec\x01" + "\x7f"));
      } catch (error) {
        return error.message;
      }
    });
    assert.equal(message, "the recording is truncated");
  });
});

/// The words of a variable beside the source; undefined if it cannot be seen.
const variable = (page, name) => page.locator(".warp-variables tbody tr").filter({ has: page.getByRole("button", { name, exact: true }) })
  .locator("td").textContent({ timeout: 1000 }).catch(() => undefined);
const toLine = async (page, text) => {
  await page.getByRole("tab", { name: "Timeline" }).click();
  const value = await page.getByLabel("Line", { exact: true }).locator("option").evaluateAll((options, words) => {
    const recording = Warp.read(document.getElementById("recording-data").textContent);
    const line = recording.files[0].lines.findIndex((one) => one.includes(words)) + recording.files[0].first;
    return options.find((option) => +option.value === line).value;
  }, text);
  await page.getByLabel("Line", { exact: true }).selectOption(value);
  await page.getByLabel("Warp", { exact: true }).selectOption("0");
  await page.getByRole("button", { name: "Last" }).click();
};

test("variables stand beside the source, with one value, a row of numbers, or each lane's", async () => {
  await visit("variables.html", {}, async (page) => {
    await toLine(page, "unsigned long long wide");
    assert.equal(await variable(page, "n"), "48");
    assert.equal(await variable(page, "in"), "cudaMalloc #1");
    assert.equal(await variable(page, "i"), "48 to 79 (+1 per lane)");
    assert.equal(await variable(page, "pair.first"), "144 to 237 (+3 per lane)");
    assert.equal(await variable(page, "pair.second"), "0.5");
    assert.equal(await variable(page, "even"), "true in 16 lanes, false in 16");
    assert.equal(await variable(page, "sums[0]"), "21 values, 0 to 334");
    assert.equal(await variable(page, "wide"), "32 values, 81985529216486943 to 81985529216486974");
    assert.equal(await variable(page, "sum"), "not initialized");
    assert.equal(await variable(page, "constant"), "optimized out");
    assert.equal(await variable(page, "inner"), undefined);
    assert.deepEqual(await page.locator(".warp-variables .warp-changed").allTextContents(),
      ["32 values, 81985529216486943 to 81985529216486974"]);
  });
});

test("each lane's value of a variable is shown by keyboard, and lanes that take no part have none", async () => {
  await visit("variables.html", {}, async (page) => {
    await toLine(page, "const int inner");
    assert.equal(await variable(page, "inner"), "248 to 267 (+1 per lane)");
    await page.getByRole("button", { name: "n", exact: true }).focus();
    await page.keyboard.press("Tab");
    assert.equal(await page.locator(".warp-variables [aria-pressed=true]").textContent(), "pair.first");
    await page.getByRole("button", { name: "inner", exact: true }).focus();
    const cells = page.locator(".warp-by-lane td");
    assert.equal(await cells.count(), 32);
    assert.equal(await cells.nth(19).textContent(), "19 267");
    assert.equal(await cells.nth(20).textContent(), "20 –");
    assert.deepEqual(await violations(page), []);
  });
});

test("going back and forth shows the same values", async () => {
  await visit("variables.html", {}, async (page) => {
    const odd = await page.evaluate(() => {
      const { steps, variables } = Warp.read(document.getElementById("recording-data").textContent).blocks[0];
      const text = (step) => {
        const { set, values } = variables.after(step);
        return JSON.stringify([set, values], (_, value) => typeof value === "bigint" ? String(value) : value);
      };
      const forward = steps.map(text);
      return steps.filter((_, i) => text(steps[steps.length - 1 - i]) !== forward[steps.length - 1 - i]).length;
    });
    assert.equal(odd, 0);
  });
});

test("variables on a phone and in the dark: nothing scrolls sideways, axe-core finds nothing", async () => {
  await visit("variables.html", { viewport: phone, hasTouch: true, colorScheme: "dark" }, async (page) => {
    await page.getByRole("button", { name: "in", exact: true }).tap();
    assert.equal(await page.locator(".warp-by-lane td").nth(31).textContent(), "31 cudaMalloc #1");
    const width = await page.evaluate(() => document.documentElement.scrollWidth);
    assert.ok(width <= phone.width, `${width} pixels wide`);
    assert.deepEqual(await violations(page), []);
  });
});

test("a program without debug information has no variables on its page", async () => {
  await visit("reduce.html", {}, async (page) => {
    assert.equal(await page.locator(".warp-variables").isVisible(), false);
  });
});

test("the calls of streams: what waits for what, from which line, and what the engines do", async () => {
  await visit("streams.html", {}, async (page) => {
    const copy = /^cudaMemcpyAsync: 262,144 bytes to the device in stream 3 \(scenes\.cu:\d+\), at [\d.]+ ms, for [\d.]+ ms\. After the event in stream 2\. Ready at [\d.]+ ms, and then the engine for copies to the device is busy\.$/;
    const slider = page.getByLabel("Step", { exact: true });
    await slider.focus();
    for (let i = 0; i < 5; ++i) await page.keyboard.press("ArrowRight");
    assert.match(await words(page), copy);
    assert.equal(await page.locator(".warp-edge-here").count(), 1);
    assert.equal(await page.locator(".warp-cursor").count(), 2);  // in the stream's row and in the engine's
    assert.match(await page.locator(".warp-here").textContent(), /cudaMemcpyAsync\(there, host/);
    assert.equal(await page.getByLabel("Warp", { exact: true }).isVisible(), false);
    // A click on the bar of the other stream's first copy, which runs before it on the same engine.
    const canvas = page.locator(".warp-canvas canvas");
    const [first, second] = await page.evaluate(() => {
      const { calls } = new Warp.Model(Warp.read(document.getElementById("recording-data").textContent), 0);
      const copies = calls.filter((call) => call.engine === 1);
      return copies.map((call) => ({ index: call.index, begin: call.begin, end: call.end }));
    });
    assert.ok(first.end <= second.begin);
    const cursors = await page.locator(".warp-cursor").all();
    const { x, y } = await cursors[1].boundingBox();
    await page.mouse.move(x - 10, y + 8);
    assert.match(await canvas.getAttribute("title"), /^cudaMemcpyAsync: .* in stream 2 /);
    await page.mouse.click(x - 10, y + 8);
    assert.match(await words(page), /in stream 2 \(scenes/);
    // The other pictures still show the step that they showed.
    await page.getByRole("tab", { name: "Timeline" }).click();
    assert.match(await words(page), /^Warp 0/);
  });
});

test("the table of the calls has the facts of the recording", async () => {
  await visit("streams.html", { colorScheme: "dark" }, async (page) => {
    await page.locator("summary").click();
    const rows = await page.locator(".warp-table tbody tr").evaluateAll((all) => all.map((row) => [...row.cells].map((cell) => cell.textContent)));
    const calls = await page.evaluate(() => Warp.read(document.getElementById("recording-data").textContent).calls);
    assert.equal(rows.length, calls.list.length);
    rows.forEach((row, i) => {
      const call = calls.list[i];
      assert.equal(row[0], call.name.split("(")[0]);
      assert.equal(row[1], `scenes.cu:${call.line}`);
      assert.ok(Math.abs(+row[6] - (call.begin - calls.begin)) < 1e-6 && Math.abs(+row[7] - (call.end - call.begin)) < 1e-6);
    });
    assert.match(await page.locator(".warp-control").textContent(), /Two engines are busy at once for [\d.]+ ms of [\d.]+ ms\./);
  });
});

test("names of calls are text, whatever is in them, and a recording of version 1 has no calls", async () => {
  await visit("streams.html", {}, async (page) => {
    const tabs = await page.evaluate(() => {
      const recording = Warp.read(document.getElementById("recording-data").textContent);
      recording.calls.list[0].name = "<img src=x onerror=alert(1)>";
      const host = document.getElementById("recording");
      Warp.show(host, recording, { picture: "streams" });
      host.querySelector("details").open = true;
      const names = host.querySelectorAll("img").length;
      recording.calls.list = [];
      Warp.show(host, recording);
      return [names, [...host.querySelectorAll("[role=tab]")].map((tab) => tab.textContent)];
    });
    assert.deepEqual(tabs, [0, pictures.slice(0, -1)]);
  });
});
