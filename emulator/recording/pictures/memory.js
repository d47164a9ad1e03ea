"use strict";
// Shared memory as a film: each array as cells with who wrote them last.

Warp.memoryPicture = {
  id: "memory",
  title: "Shared memory",
  explains: "Each element: its value and the warp that wrote it last. Striped: uninitialized.",
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

  /// Cells that the picture has: all, or as many around the access as fit.
  window(array, width, step, columns) {
    const elements = Math.floor(array.bytes / width);
    const most = 1024;
    if (elements <= most) return [0, elements];
    const at = step.address?.[Warp.lanesOf(step.lanes)[0]] ?? array.base;
    const row = Math.floor(Math.max(0, at - array.base) / width / columns);
    const first = Math.max(0, Math.min(row - 8, Math.ceil(elements / columns) - most / columns)) * columns;
    return [first, Math.min(first + most, elements)];
  },

  draw(model, step, width, state, changed) {
    const array = this.arrayOf(model, step, state);
    if (!array) return Warp.element("p", {}, "The kernel has no shared memory.");
    const { width: bytes } = this.widthOf(model, array);
    const columns = width < 480 ? 8 : width < 1150 ? 16 : 32;
    const [from, to] = this.window(array, bytes, step, columns);
    // The cells stay from step to step: only those that change are drawn again.
    const key = [width, array.base, from, to].join();
    if (state.memory?.key !== key) {
      state.memory = { key, ...this.drawCells(array, Math.floor((width - 40) / columns), columns, from, to) };
      state.memory.all = Warp.element("div", {},
        this.heading(model, array, state, changed, Math.floor(array.bytes / bytes), from, to),
        state.memory.picture, this.legend(model));
    }
    this.updateCells(model, step, array, state.memory.cells, from);
    state.memory.picture.setAttribute("aria-label",
      `${array.name}, ${Warp.plural(Math.floor(array.bytes / bytes), "element")}. ${this.says(model, step)}`);
    return state.memory.all;
  },

  /// Empty cells: { cells: [{ rect, title, text, cell }], picture }.
  drawCells(array, cell, columns, from, to) {
    const high = 24;
    const cells = [];
    const parts = [Warp.element("defs", {}, Warp.element("pattern", {
      id: "warp-stripes", width: 6, height: 6, patternUnits: "userSpaceOnUse",
      patternTransform: "rotate(45)",
    }, Warp.rect(0, 0, 6, 6, { class: "warp-empty" }), Warp.rect(0, 0, 2, 6, { class: "warp-stripe" })))];
    for (let i = from; i < to; ++i) {
      const column = (i - from) % columns;
      const y = Math.floor((i - from) / columns) * high;
      if (column === 0) {
        parts.push(Warp.textAt(0, y + 16, String(i), { class: "warp-label" }));
      }
      const title = Warp.element("title");
      const rect = Warp.rect(38 + column * cell + 1, y + 1, cell - 2, high - 2, { rx: 2 }, title);
      const text = Warp.textAt(38 + column * cell + cell / 2, y + 16, "",
        { class: "warp-cell-text", "text-anchor": "middle" });
      cells.push({ rect, title, text, cell });
      parts.push(rect, text);
    }
    const rows = Math.ceil((to - from) / columns);
    return { cells, picture: Warp.picture(38 + columns * cell, rows * high + 2, array.name, ...parts) };
  },

  updateCells(model, step, array, cells, from) {
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
    cells.forEach((shown, number) => {
      const i = from + number;
      const at = array.base + i * width;
      const writer = now.writer[at];
      const lane = touched.get(i);
      const bad = lane !== undefined && step.type !== "store" && before.writer[at] < 0;
      const old = writer >= 0 && model.phase[writer] < model.phase[step.index];
      const key = `${writer} ${lane} ${lane === undefined ? "" : step.type} ${bad} ${old}`;
      if (shown.key === key) return;
      shown.key = key;
      const by = writer < 0 ? null : model.steps[writer];
      const value = by === null ? "" : by.values
        ? Warp.short(Warp.value(now.bytes.subarray(at, at + width), type), type) : "?";
      shown.rect.setAttribute("class", "warp-cell" + (lane === undefined ? ""
        : bad ? " warp-wrong" : step.type === "load" ? " warp-read" : " warp-write"));
      shown.rect.setAttribute("style",
        by ? `fill: ${Warp.hue(by.warp)}; fill-opacity: ${old ? 0.35 : 0.75}` : "fill: url(#warp-stripes)");
      shown.title.textContent = `${array.name}[${i}]: ` + (by
        ? `${value}, written by warp ${by.warp} at ${model.place(by)}, ${now.count[at]} times` : "uninitialized") +
        (lane === undefined ? "" : `; lane ${lane} ${step.type === "load" ? "reads" : "writes"} it now`);
      shown.text.textContent = shown.cell >= 30 && value.length * 6.4 <= shown.cell - 2 ? value : "";
    });
  },

  heading(model, array, state, changed, elements, from, to) {
    const arrays = model.block.shared.filter((a) => a.bytes > 0);
    const part = to - from < elements ? `, elements ${from} to ${to - 1}` : "";
    const words = `${array.name}: ${Warp.plural(elements, "element")}${part}`;
    if (arrays.length < 2) return Warp.element("p", { class: "warp-heading" }, words);
    const choice = Warp.element("select", {
      "aria-label": "Shared array",
      onchange: (event) => { state.array = +event.target.value; changed(); },
    }, ...arrays.map((a, i) => Warp.element("option", { value: i, ...(a === array ? { selected: "" } : {}) }, a.name)));
    return Warp.element("p", { class: "warp-heading" }, choice, ` ${words}`);
  },

  legend(model) {
    const items = [];
    for (let warp = 0; warp < Math.min(model.warps, 12); ++warp) {
      items.push(Warp.element("span", {},
        Warp.element("i", { style: `background: ${Warp.hue(warp)}` }), `warp ${warp}`));
    }
    items.push(Warp.element("span", {}, Warp.element("i", { class: "warp-faded" }), "paler: written before the last barrier"));
    items.push(Warp.element("span", {}, Warp.element("i", { class: "warp-outline-read" }), "read now"));
    items.push(Warp.element("span", {}, Warp.element("i", { class: "warp-outline-write" }), "written now"));
    return Warp.element("p", { class: "warp-legend" }, ...items);
  },

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
      rows.push([`${array.name}[${i}]`,
        writer === null ? "uninitialized" : !writer.values ? "not known"
          : Warp.short(Warp.value(now.bytes.subarray(at, at + bytes), type), type),
        writer === null ? "" : `warp ${writer.warp}, ${model.place(writer)}`, now.count[at]]);
    }
    return { caption: this.says(model, step), head: ["Element", "Value", "Written by", "Writes"], rows };
  },
};
