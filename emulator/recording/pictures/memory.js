"use strict";
// Shared memory as a film: each array as cells, with its value and what wrote it last.

Warp.memoryPicture = {
  id: "memory",
  title: "Shared memory",
  explains: "Each element: its value, and the warp and the source line that wrote it last. Striped: uninitialized.",
  stops: (model) => model.steps
    .filter((s) => (s.kind === "access" && s.shared) || s.kind === "complete" ||
      (s.kind === "fault" && s.shared)).map((s) => s.index),

  arrayOf(model, step, state) {
    const arrays = model.block.shared.filter((a) => a.bytes > 0);
    if (state.array !== undefined && arrays[state.array]) return arrays[state.array];
    if (step.address && step.shared) {
      const at = step.address[Warp.lanesOf(step.lanes)[0]];
      state.last = arrays.findIndex((a) => at >= a.base && at < a.base + a.bytes);
    }
    return arrays[Math.max(0, state.last ?? 0)];
  },

  /// Bytes of an element: the smallest that an instruction uses.
  widthOf(model, array) {
    model.widths ??= new Map();
    if (!model.widths.has(array)) {
      let width = 0;
      const samples = [];
      let type = 0;
      for (const step of model.steps) {
        if (step.kind !== "access" || !step.shared) continue;
        const at = step.address[Warp.lanesOf(step.lanes)[0]];
        if (at < array.base || at >= array.base + array.bytes) continue;
        const instruction = model.instruction(step);
        const bytes = instruction.width || step.width;
        if (width === 0 || bytes < width) width = bytes;
        type ||= instruction.type;
        if (step.values && samples.length < 256) {
          samples.push(...step.values.filter((v) => v?.byteLength === bytes));
        }
      }
      width ||= 4;
      model.widths.set(array, { width, type: Warp.guessType(samples, type) });
    }
    return model.widths.get(array);
  },

  says(model, step) {
    if (step.kind === "complete") return `All have arrived at barrier ${step.count}; they go on.`;
    const lanes = Warp.lanesOf(step.lanes);
    const state = model.sharedAfter(step.index - 1);
    const never = step.type === "store" || step.kind === "fault" ? 0
      : lanes.filter((lane) => state.writer[step.address[lane]] === -1).length;
    const verb = { load: "reads", store: "writes", atomic: "updates" }[step.type];
    const what = lanes.length === 1 ? model.elementName(step, lanes[0])
      : `${model.elementName(step, lanes[0])} to ${model.elementName(step, lanes.at(-1))}`;
    return `Warp ${step.warp} ${verb} ${what} with ${Warp.plural(lanes.length, "lane")}` +
      (never > 0 ? `; ${never === 1 ? "1 of these elements is" : `${never} of these elements are`} uninitialized.` : ".");
  },

  /// Columns of the picture: as many as the array has, where its extents are known and it has not too many rows. `known`:
  /// its rows are those of the array.
  shapeOf(array, bytes, width) {
    const extents = Warp.extentsOf(array, bytes);
    const fitting = width < 480 ? 8 : width < 1150 ? 16 : 32;
    const own = extents.at(-1);
    if (extents.length > 1 && own <= 128 && array.bytes / bytes / own <= 64) return { extents, columns: own, known: true };
    return { extents, columns: extents.length > 1 && own < fitting ? fitting - fitting % own : fitting, known: false };
  },

  /// Cells that the picture has: all, or as many around the access as fit.
  window(array, width, step, columns) {
    const elements = Math.floor(array.bytes / width);
    const most = 512;
    if (elements <= 4 * most && columns > 16 || elements <= 2 * most) return [0, elements];
    const at = step.address?.[Warp.lanesOf(step.lanes)[0]] ?? array.base;
    const row = Math.floor(Math.max(0, at - array.base) / width / columns);
    const rows = 2 * Math.ceil(most / columns / 2);
    const first = Math.max(0, Math.min(row - rows / 2, Math.ceil(elements / columns) - rows)) * columns;
    return [first, Math.min(first + rows * columns, elements)];
  },

  draw(model, step, width, state, changed, host) {
    const array = this.arrayOf(model, step, state);
    if (!array) return Warp.element("div", {}, "The kernel has no shared memory.");
    const { width: bytes } = this.widthOf(model, array);
    const elements = Math.floor(array.bytes / bytes);
    const shape = this.shapeOf(array, bytes, width);
    const [from, to] = this.window(array, bytes, step, shape.columns);
    // The cells stay from step to step: only those that change are painted again.
    const key = [width, array.base, from, to, host.dataset.colours].join();
    if (state.memory?.key !== key) {
      // Narrower cells have no value; paper cannot scroll.
      const least = matchMedia("print").matches ? 4 : 22;
      const cell = Math.min(64, Math.max(least, Math.floor((width - this.left) / shape.columns)));
      state.memory = { key, from, ...this.drawCells(array, cell, shape, from, to, host), lines: Warp.element("div") };
      state.memory.wide = Warp.element("div", { class: "warp-wide", ...(this.left + cell * shape.columns > width
        ? { tabindex: 0, role: "group", "aria-label": `Elements of ${array.name}` } : {}) }, state.memory.canvas);
      state.memory.all = Warp.element("div", {},
        this.heading(model, array, state, changed, { elements, from, to, ...shape }),
        this.legend(model), state.memory.wide, state.memory.lines);
    }
    this.updateCells(model, step, array, state.memory);
    state.memory.canvas.setAttribute("aria-label",
      `${array.name}, ${Warp.plural(elements, "element")}. ${this.says(model, step)}`);
    return state.memory.all;
  },

  high: 30,  // pixels of a row
  left: 46,
  top: 16,

  /// A canvas with labels of rows and columns, and a cell for each element: { canvas, cells, paint }.
  drawCells(array, cell, { extents, columns, known }, from, to, host) {
    const { high, left, top } = this;
    const rows = Math.ceil((to - from) / columns);
    const cells = Array.from({ length: to - from }, (_, number) => ({
      x: left + number % columns * cell, y: top + Math.floor(number / columns) * high, cell, first: number % columns === 0,
    }));
    const every = cell >= 22 ? 1 : 4;
    let paint;
    const canvas = Warp.canvas(left + columns * cell, top + rows * high + 2, array.name, host, (context, colour) => {
      context.font = "10px system-ui, sans-serif";
      context.textBaseline = "middle";
      context.fillStyle = colour("--warp-soft");
      for (let row = 0; row < rows; ++row) {
        const first = from + row * columns;
        context.fillText(known ? Warp.indices(extents, first).slice(0, -1).map((i) => `[${i}]`).join("") : `[${first}]`, 0,
          top + row * high + high / 2, left - 4);
      }
      context.textAlign = "center";
      for (let column = 0; column < columns; column += every) {
        context.fillText(known ? String(column) : `+${column}`, left + column * cell + cell / 2, top / 2, cell * every);
      }
      paint = (shown) => this.paintCell(context, colour, shown);
    });
    canvas.addEventListener("pointermove", (event) => {
      const box = canvas.getBoundingClientRect();
      const column = Math.floor((event.clientX - box.left - left) / cell);
      const shown = column >= 0 && column < columns && cells[Math.floor((event.clientY - box.top - top) / high) * columns + column];
      canvas.title = shown ? shown.title() : "";
    });
    return { canvas, cells, paint };
  },

  paintCell(context, colour, { x, y, cell, hue, old, value, mark, tag }) {
    const [wide, high] = [cell - 2, this.high - 2];
    context.clearRect(x, y, cell, this.high);
    if (hue === undefined) {
      this.stripes ??= new Map();
      const marks = colour("--warp-stripe");
      if (!this.stripes.has(marks)) this.stripes.set(marks, Warp.pattern(context, "stripes", colour("--warp-empty"), marks));
      context.fillStyle = this.stripes.get(marks);
    } else {
      context.globalAlpha = old ? 0.35 : 0.8;
      context.fillStyle = colour(`--warp-hue-${hue}`);
    }
    context.fillRect(x + 1, y + 1, wide, high);
    context.globalAlpha = 1;
    // Inside of the cell, so that clearing it takes the frame away.
    const [frame, thick] = { read: ["--warp-accent", 3], write: ["--warp-ink", 3], wrong: ["--warp-bad", 4] }[mark] ??
      ["--warp-edge", 1];
    context.strokeStyle = colour(frame);
    context.lineWidth = thick;
    context.strokeRect(x + thick / 2, y + thick / 2, cell - thick, this.high - thick);
    context.fillStyle = colour("--warp-ink");
    if (cell < 18) return;
    // Smaller where four characters need it.
    const small = cell < 34;
    context.font = small ? "9px system-ui, sans-serif" : "11px system-ui, sans-serif";
    const text = value?.(Math.floor((cell - 4) / (small ? 5.1 : 6.3))) ?? "";
    context.fillText(text, x + cell / 2, y + this.high * 0.64);
    if (!tag) return;
    context.font = "9px system-ui, sans-serif";
    context.textAlign = "left";
    context.fillText(tag, x + 4, y + 8);
    context.textAlign = "center";
  },

  updateCells(model, step, array, { cells, paint, from, lines, wide, canvas }) {
    const { width, type } = this.widthOf(model, array);
    const now = model.sharedAfter(step.index);
    const before = model.sharedAfter(step.index - 1);
    const touched = new Map();
    if ((step.kind === "access" || step.kind === "fault") && step.shared) {
      for (const lane of Warp.lanesOf(step.lanes)) {
        for (let at = 0; at < step.width; at += width) {
          touched.set(Math.floor((step.address[lane] + at - array.base) / width), lane);
        }
      }
    }
    const written = new Map();  // by instruction: how many of the cells
    let last = -1;  // the warp of the cell at the left
    cells.forEach((shown, number) => {
      const i = from + number;
      const at = array.base + i * width;
      const writer = now.writer[at];
      const lane = touched.get(i);
      const bad = lane !== undefined && step.type !== "store" && before.writer[at] < 0;
      const old = writer >= 0 && model.phase[writer] < model.phase[step.index];
      const by = writer < 0 ? null : model.steps[writer];
      written.set(by?.instruction, (written.get(by?.instruction) ?? 0) + 1);
      const tag = by && model.warps > 1 && (shown.first || by.warp !== last) ? `w${by.warp}` : "";
      last = by ? by.warp : -1;
      const key = `${writer} ${lane} ${lane === undefined ? "" : step.type} ${bad} ${old} ${tag}`;
      if (shown.key === key) return;
      shown.key = key;
      const known = by?.values && Warp.value(now.bytes.subarray(at, at + width), type);
      shown.value = by && ((most) => by.values ? Warp.shorter(known, type, most) : "?");
      shown.hue = by === null ? undefined : Warp.lineHue(model, by);
      Object.assign(shown, { old, tag, mark: lane === undefined ? "" : bad ? "wrong" : step.type === "load" ? "read" : "write" });
      shown.title = () => `${Warp.indexName(array, i, width)}: ` + (by
        ? `${by.values ? Warp.short(known, type) : "?"}, written by warp ${by.warp} at ${model.place(by)}, ${now.count[at]} times`
        : "uninitialized") +
        (lane === undefined ? "" : `; lane ${lane} ${step.type === "load" ? "reads" : "writes"} it now`);
      paint(shown);
    });
    this.showLines(model, lines, written);
    if (wide.tabIndex < 0 || touched.size === 0) return;
    const { x } = cells[Math.max(0, Math.min(cells.length - 1, Math.min(...touched.keys()) - from))];
    if (x < wide.scrollLeft + this.left || x > wide.scrollLeft + wide.clientWidth - 120) wide.scrollLeft = x - 120;
  },

  /// Below the cells: the lines that wrote them.
  showLines(model, host, written) {
    const lines = new Map();
    for (const [instruction, count] of written) {
      const line = instruction === undefined ? 0 : model.line({ instruction });
      const known = lines.get(line) ?? { count: 0, instruction };
      lines.set(line, { ...known, count: known.count + count });
    }
    const key = JSON.stringify([...lines]);
    if (host.dataset.key === key) return;
    host.dataset.key = key;
    host.replaceChildren(Warp.legend(...[...lines].sort(([a], [b]) => a - b).map(([line, { count, instruction }]) => line === 0
      ? ["warp-key-never", `${Warp.plural(count, "element")}: uninitialized, no line has written ${count === 1 ? "it" : "them"} yet`]
      : [{ style: `background: ${Warp.hue(Warp.lineHue(model, { instruction }))}` },
        `${Warp.plural(count, "element")}: written by line ${line}, ${model.sourceOf({ instruction }).trim().slice(0, 80)}`])));
  },

  /// The lines that write the array, and how much of it, in the whole block.
  tags(model, step, { finding, ...state }) {
    const array = this.arrayOf(model, step, state);
    const tags = new Map(array ? this.writersOf(model, array) : []);
    if (finding?.kind.startsWith("unwritten-shared")) {
      for (const [line, tag] of Warp.findingTags(model, finding)) {
        tags.set(line, line === finding.line && finding.naming.length === 0 ? ["reads uninitialized elements", "bad"]
          : [[tag[0], tags.get(line)?.[0]].filter(Boolean).join("; "), "bad"]);
      }
    }
    return tags;
  },
  writersOf(model, array) {
    model.writersOf ??= new Map();
    if (model.writersOf.has(array)) return model.writersOf.get(array);
    const { width } = this.widthOf(model, array);
    const elements = Math.floor(array.bytes / width);
    const lines = new Map();  // to a flag for each element
    for (const step of model.steps) {
      if (step.kind !== "access" || !step.shared || step.type === "load") continue;
      const { address } = step;
      for (const lane of Warp.lanesOf(step.lanes)) {
        for (let at = address[lane] - array.base; at < address[lane] - array.base + step.width; at += width) {
          if (at < 0 || at >= array.bytes) continue;
          const line = model.line(step);
          if (!lines.has(line)) lines.set(line, new Uint8Array(elements));
          lines.get(line)[Math.floor(at / width)] = 1;
        }
      }
    }
    const tags = [...lines].map(([line, flags]) => {
      const count = flags.reduce((sum, flag) => sum + flag, 0);
      return [line, [`writes ${count === elements ? "all" : `${Warp.number(count)} of the`} ${Warp.plural(elements, "element")} of ${array.name}`, "cost"]];
    });
    model.writersOf.set(array, tags);
    return tags;
  },

  heading(model, array, state, changed, { elements, from, to, extents, columns, known }) {
    const arrays = model.block.shared.filter((a) => a.bytes > 0);
    const part = to - from < elements ? `, here ${from} to ${to - 1}` : "";
    const all = extents.map((extent) => `[${extent}]`).join("");
    const words = `${array.name}${all}: ${Warp.plural(elements, "element")}${part}` +
      (known || extents.length === 1 ? "" : all ? `, ${columns} in each row of the picture`
        : `. Its row length is not known; the picture has ${columns} in each row`);
    if (arrays.length < 2) return Warp.heading(words);
    const choice = Warp.element("select", {
      "aria-label": "Shared array",
      onchange: (event) => { state.array = +event.target.value; changed(); },
    }, ...arrays.map((a, i) => Warp.element("option", { value: i, ...(a === array ? { selected: "" } : {}) }, a.name)));
    return Warp.heading(choice, ` ${words}`);
  },

  legend: (model) => Warp.legend(["warp-key-run", "colour: the source line that wrote the element last"],
    model.warps > 1 && ["warp-key-tag", "w0, w1, ...: the warp that did; it holds up to the next tag"],
    ["warp-faded", "paler: written before the last barrier"], ["warp-key-never", "striped: uninitialized"],
    ["warp-outline-read", "read now"], ["warp-outline-write", "written now"],
    ["warp-outline-wrong", "read now, and uninitialized"]),

  table(model, step, state) {
    const array = this.arrayOf(model, step, state);
    if (!array) return { caption: "The kernel has no shared memory.", head: [], rows: [] };
    const { width: bytes, type } = this.widthOf(model, array);
    const [from, to] = this.window(array, bytes, step, 32);
    const now = model.sharedAfter(step.index);
    const rows = [];
    for (let i = from; i < to; ++i) {
      const at = array.base + i * bytes;
      const writer = now.writer[at] < 0 ? null : model.steps[now.writer[at]];
      rows.push([Warp.indexName(array, i, bytes),
        writer === null ? "uninitialized" : !writer.values ? "not known"
          : Warp.short(Warp.value(now.bytes.subarray(at, at + bytes), type), type),
        writer === null ? "" : `warp ${writer.warp}, ${model.place(writer)}`, now.count[at]]);
    }
    return { caption: this.says(model, step), head: ["Element", "Value", "Written by", "Writes"], rows };
  },
};
