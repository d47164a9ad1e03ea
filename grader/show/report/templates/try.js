"use strict";
// Pictures of handouts whose numbers can be changed: what is computed here needs no recording.

(() => {
  /// A slider with its label; calls `changed` when it moves.
  let sliders = 0;
  const slider = (words, min, max, value, changed) => {
    const id = `try-${++sliders}`;
    const output = Warp.element("output", { for: id }, ` ${value}`);
    const input = Warp.element("input", { type: "range", id, min, max, value, oninput: () => {
      output.textContent = ` ${input.value}`;
      changed();
    } });
    return { input, row: Warp.element("p", { class: "warp-control" },
      Warp.element("label", { for: id }, `${words}: `), input, output) };
  };

  /// @param given  [[words, min, max, value]]  @param draw  gets a width and the values
  /// @returns an element with the sliders, a sentence and the picture
  const figure = (title, given, draw) => {
    const words = Warp.element("p", { class: "warp-words", role: "status" });
    const drawing = Warp.element("div");
    const update = () => {
      const made = draw(Math.max(260, drawing.clientWidth || 600), all.map(({ input }) => +input.value));
      words.textContent = made.says;
      drawing.replaceChildren(made.picture);
    };
    const all = given.map(([label, min, max, value]) => slider(label, min, max, value, update));
    let width = -1;
    new ResizeObserver(() => {
      if (drawing.clientWidth === width) return;
      width = drawing.clientWidth;
      update();
    }).observe(drawing);
    update();
    return Warp.element("div", { class: "warp try" }, Warp.heading(title),
      ...all.map(({ row }) => row), words, drawing);
  };

  /// Threads of blocks above, the elements below.
  const threads = (width, [elements, block, blocks]) => {
    const count = block * blocks;
    const surplus = Math.max(0, count - elements);
    const missing = Math.max(0, elements - count);
    const says = `${Warp.plural(blocks, "block")} of ${Warp.plural(block, "thread")}: ` +
      `${Warp.plural(count, "thread")} for ${Warp.plural(elements, "element")}. ` +
      (missing > 0 ? `No thread has ${missing === 1 ? `element ${elements - 1}` : `elements ${count} to ${elements - 1}`}.`
        : surplus > 0 ? `${Warp.plural(surplus, "thread")} of the last ${blocks > Math.ceil(elements / block) ? "blocks" : "block"} ` +
          `${surplus === 1 ? "has" : "have"} no element.` : "Each thread has one element.");
    const columns = Math.max(8, Math.min(32, Math.floor((width - 4) / 26)));
    const cell = Math.floor((width - 4) / columns);
    const parts = [];
    const rows = (top, label, total, look) => {
      parts.push(Warp.textAt(0, top + 11, label, { class: "warp-label" }));
      for (let i = 0; i < total; ++i) {
        const [x, y] = [(i % columns) * cell, top + 18 + Math.floor(i / columns) * 26];
        const { text, style, kind, title } = look(i);
        parts.push(Warp.rect(x + 1, y, cell - 2, 22, { class: kind, style, rx: 3 }, Warp.element("title", {}, title)),
          Warp.textAt(x + cell / 2, y + 15, text, { class: "warp-cell-text", "text-anchor": "middle" }));
      }
      return top + 18 + Math.ceil(total / columns) * 26 + 8;
    };
    const fill = (i) => `fill: var(--warp-block-${Math.floor(i / block) % 2})`;
    const middle = rows(0, "threads, by threadIdx.x; a new grey is the next block", count, (i) => ({
      text: String(i % block), kind: i < elements ? "warp-element" : "warp-lane warp-off", style: i < elements ? fill(i) : null,
      title: `thread ${i % block} of block ${Math.floor(i / block)}: ${i < elements ? `element ${i}` : "no element"}`,
    }));
    const height = rows(middle, "elements", elements, (i) => ({
      text: String(i), kind: i < count ? "warp-element" : "warp-element warp-outside", style: i < count ? fill(i) : null,
      title: i < count ? `element ${i}: thread ${i % block} of block ${Math.floor(i / block)}` : `element ${i}: no thread`,
    }));
    return { says, picture: Warp.picture(width, height, says, ...parts) };
  };

  /// A warp reads a column of an array of floats in shared memory.
  const column = (width, [row]) => {
    const address = Array.from({ length: 32 }, (_, lane) => lane * row * 4);
    const fronts = Warp.wavefrontsOf({ lanes: 0xffffffff, width: 4, address });
    const says = `Lane l reads float ${row} * l, in bank ${row} * l mod 32: ${Warp.plural(fronts.length, "wavefront")}` +
      (fronts.length === 1 ? ", no bank conflict." : `, ${Warp.number(fronts.length - 1)} because of bank conflicts.`);
    return { says, picture: Warp.drawWavefronts(fronts, width, says) };
  };

  const tries = {
    "thread-map-1d": () => figure("Try it: elements, threads and blocks",
      [["Elements", 1, 64, 10], ["Threads per block", 1, 16, 4], ["Blocks", 1, 16, 3]], threads),
    "lanes-to-banks": () => figure("Try it: the length of a row in shared memory",
      [["Floats per row", 1, 40, 8]], column),
  };
  for (const picture of document.querySelectorAll("figure[data-picture]")) {
    const make = tries[picture.dataset.picture];
    if (make) picture.after(make());
  }
})();
