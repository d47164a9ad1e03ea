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
    const { width: bytes, type } = this.widthOf(model, array);
    const columns = width < 480 ? 8 : width < 1150 ? 16 : 32;
    const cell = Math.floor((width - 40) / columns);
    const high = 24;
    const [from, to] = this.window(array, bytes, step, columns);
    const now = model.sharedAfter(step.index);
    const before = model.sharedAfter(step.index - 1);
    const touched = new Map();
    const here = (step.kind === "access" || step.kind === "fault") && step.shared;
    if (here) {
      for (const lane of Warp.lanesOf(step.lanes)) {
        for (let at = 0; at < step.width; at += bytes) {
          touched.set(Math.floor((step.address[lane] + at - array.base) / bytes), lane);
        }
      }
    }
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
      const at = array.base + i * bytes;
      const writer = now.writer[at];
      const step0 = writer < 0 ? null : model.steps[writer];
      const lane = touched.get(i);
      const bad = lane !== undefined && here && step.type !== "store" && before.writer[at] < 0;
      const classes = ["warp-cell"];
      if (lane !== undefined) classes.push(bad ? "warp-wrong" : step.type === "load" ? "warp-read" : "warp-write");
      const old = step0 && model.phase[writer] < model.phase[step.index];
      const known = step0 === null || step0.values;
      const value = step0 === null ? "" : known
        ? Warp.short(Warp.value(now.bytes.subarray(at, at + bytes), type), type) : "?";
      parts.push(Warp.rect(38 + column * cell + 1, y + 1, cell - 2, high - 2, {
        class: classes.join(" "), rx: 2,
        style: step0 ? `fill: ${Warp.hue(step0.warp)}; fill-opacity: ${old ? 0.35 : 0.75}` : "fill: url(#warp-stripes)",
      }, Warp.element("title", {}, `${array.name}[${i}]: ` + (step0
        ? `${value}, written by warp ${step0.warp} at ${model.place(step0)}, ${now.count[at]} times`
        : "uninitialized") + (lane === undefined ? "" : `; lane ${lane} ${step.type === "load" ? "reads" : "writes"} it now`))));
      if (value !== "" && cell >= 30 && value.length * 6.4 <= cell - 2) {
        parts.push(Warp.textAt(38 + column * cell + cell / 2, y + 16, value,
          { class: "warp-cell-text", "text-anchor": "middle" }));
      }
    }
    const rows = Math.ceil((to - from) / columns);
    const elements = Math.floor(array.bytes / bytes);
    const name = `${array.name}, ${Warp.plural(elements, "element")}. ${this.says(model, step)}`;
    return Warp.element("div", {}, this.heading(model, array, state, changed, elements, from, to),
      Warp.picture(38 + columns * cell, rows * high + 2, name, ...parts), this.legend(model));
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
