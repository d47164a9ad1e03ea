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

  draw(model, step, width, state, changed, host) {
    const array = this.arrayOf(model, step, state);
    if (!array) return Warp.element("p", {}, "The kernel has no shared memory.");
    const { width: bytes } = this.widthOf(model, array);
    const columns = width < 480 ? 8 : width < 1150 ? 16 : 32;
    const [from, to] = this.window(array, bytes, step, columns);
    // The cells stay from step to step: only those that change are painted again.
    const key = [width, array.base, from, to, host.dataset.colours].join();
    if (state.memory?.key !== key) {
      state.memory = { key, ...this.drawCells(array, Math.floor((width - 40) / columns), columns, from, to, host) };
      state.memory.all = Warp.element("div", {},
        this.heading(model, array, state, changed, Math.floor(array.bytes / bytes), from, to),
        state.memory.canvas, this.legend(model));
    }
    this.updateCells(model, step, array, state.memory, from);
    state.memory.canvas.setAttribute("aria-label",
      `${array.name}, ${Warp.plural(Math.floor(array.bytes / bytes), "element")}. ${this.says(model, step)}`);
    return state.memory.all;
  },

  high: 24,  // pixels of a row

  /// A canvas with labels of the rows, and a cell for each element: { canvas, cells, paint }.
  drawCells(array, cell, columns, from, to, host) {
    const { high } = this;
    const left = 38;
    const rows = Math.ceil((to - from) / columns);
    const cells = Array.from({ length: to - from }, (_, number) => ({
      x: left + number % columns * cell, y: Math.floor(number / columns) * high, cell,
    }));
    let paint;
    const canvas = Warp.canvas(left + columns * cell, rows * high + 2, array.name, host, (context, colour) => {
      context.font = "11px system-ui, sans-serif";
      context.textBaseline = "middle";
      context.fillStyle = colour("--warp-soft");
      for (let row = 0; row < rows; ++row) context.fillText(String(from + row * columns), 0, row * high + high / 2);
      context.textAlign = "center";
      paint = (shown) => this.paintCell(context, colour, shown);
    });
    canvas.addEventListener("pointermove", (event) => {
      const box = canvas.getBoundingClientRect();
      const column = Math.floor((event.clientX - box.left - left) / cell);
      const shown = column >= 0 && column < columns && cells[Math.floor((event.clientY - box.top) / high) * columns + column];
      canvas.title = shown ? shown.title() : "";
    });
    return { canvas, cells, paint };
  },

  paintCell(context, colour, { x, y, cell, hue, old, text, mark }) {
    const [wide, high] = [cell - 2, this.high - 2];
    context.clearRect(x, y, cell, this.high);
    context.save();
    context.beginPath();
    context.rect(x + 1, y + 1, wide, high);
    if (hue === undefined) {  // uninitialized: striped
      context.fillStyle = colour("--warp-empty");
      context.fill();
      context.clip();
      context.strokeStyle = colour("--warp-stripe");
      context.lineWidth = 2;
      context.beginPath();
      for (let at = x - this.high; at < x + cell; at += 8) {
        context.moveTo(at, y + this.high);
        context.lineTo(at + this.high, y);
      }
      context.stroke();
    } else {
      context.globalAlpha = old ? 0.35 : 0.75;
      context.fillStyle = colour(`--warp-hue-${hue}`);
      context.fill();
    }
    context.restore();
    // Inside of the cell, so that clearing it takes the frame away.
    const [frame, thick] = { read: ["--warp-accent", 3], write: ["--warp-ink", 3], wrong: ["--warp-bad", 4] }[mark] ??
      ["--warp-edge", 1];
    context.strokeStyle = colour(frame);
    context.lineWidth = thick;
    context.strokeRect(x + thick / 2, y + thick / 2, cell - thick, this.high - thick);
    context.fillStyle = colour("--warp-ink");
    if (cell >= 30 && text.length * 6.4 <= wide) context.fillText(text, x + cell / 2, y + this.high / 2);
  },

  updateCells(model, step, array, { cells, paint }, from) {
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
      shown.text = by === null ? "" : by.values
        ? Warp.short(Warp.value(now.bytes.subarray(at, at + width), type), type) : "?";
      shown.hue = by === null ? undefined : by.warp % 12;
      shown.old = old;
      shown.mark = lane === undefined ? "" : bad ? "wrong" : step.type === "load" ? "read" : "write";
      shown.title = () => `${array.name}[${i}]: ` + (by
        ? `${shown.text}, written by warp ${by.warp} at ${model.place(by)}, ${now.count[at]} times` : "uninitialized") +
        (lane === undefined ? "" : `; lane ${lane} ${step.type === "load" ? "reads" : "writes"} it now`);
      paint(shown);
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
    const warps = Array.from({ length: Math.min(model.warps, 12) }, (_, warp) => [{ style: `background: ${Warp.hue(warp)}` }, `warp ${warp}`]);
    return Warp.legend(...warps, ["warp-faded", "paler: written before the last barrier"],
      ["warp-outline-read", "read now"], ["warp-outline-write", "written now"]);
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
