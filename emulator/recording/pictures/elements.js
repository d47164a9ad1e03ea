"use strict";
// Elements of an array in global memory and the threads that access them: of one warp now, and of
// the whole launch.

Warp.elementsPicture = {
  id: "elements",
  title: "Elements and threads",
  explains: "Which thread accesses which element, and who wrote each element of the launch's arrays last.",
  stops: (model) => model.steps.filter((s) => (s.kind === "access" && !s.shared) || s.kind === "fault")
    .map((s) => s.index),

  says(model, step) {
    const lanes = Warp.lanesOf(step.lanes);
    const verb = { load: "reads", store: "writes", atomic: "updates" }[step.type];
    const thread = model.thread(step.warp, lanes[0]);
    if (step.kind === "fault") {
      const array = model.arrayAt(step.shared, step.address[lanes[0]]);
      const width = model.instruction(step).width || step.width;
      const size = array ? ` The array has ${Warp.plural(Math.floor(array.bytes / width), "element")}.` : "";
      return `Thread ${thread} of the block ${verb} ${model.elementName(step, lanes[0])}, which is out of bounds` +
        `${lanes.length > 1 ? `, and so do ${lanes.length - 1} other lanes` : ""} (${model.place(step)}).${size}`;
    }
    return `Warp ${step.warp} ${verb} ${model.elementName(step, lanes[0])}` +
      `${lanes.length > 1 ? ` to ${model.elementName(step, lanes.at(-1))}` : ""} with ` +
      `${Warp.plural(lanes.length, "lane")} (${model.place(step)}).`;
  },

  draw(model, step, width, state, changed, host) {
    // The launch's part is the same for all steps.
    const key = [width, state.output, host.dataset.colours].join();
    if (state.writersKey !== key) {
      state.writersKey = key;
      state.writers = this.drawWriters(model, width, state, changed, host);
    }
    return Warp.element("div", {}, this.drawAccess(model, step, width), state.writers);
  },

  /// The warp's threads above, the elements below.
  drawAccess(model, step, width) {
    const bytes = model.instruction(step).width || step.width;
    const lanes = Warp.lanesOf(step.lanes);
    const array = model.arrayAt(step.shared, step.address[lanes[0]]);
    const base = array?.base ?? 0;
    const last = array ? Math.floor(array.bytes / bytes) - 1 : Infinity;
    const elements = new Map();
    for (const lane of lanes) {
      for (let at = 0; at < step.width; at += bytes) {
        const element = Math.floor((step.address[lane] + at - base) / bytes);
        if (!elements.has(element)) elements.set(element, []);
        elements.get(element).push(lane);
      }
    }
    const order = this.around([...elements.keys()].sort((a, b) => a - b), last);
    const digits = Math.max(2, ...order.map((element) => String(element).length));
    const fitting = Math.floor((width - 4) / (digits * 6.6 + 8));
    const perRow = fitting >= 32 ? 32 : fitting >= 16 ? 16 : 8;
    const cell = Math.floor((width - 4) / perRow);
    const parts = [Warp.textAt(0, 12, "threads of the block", { class: "warp-label" })];
    const lanesPerRow = width < 560 ? 16 : 32;
    const laneCell = Math.floor((width - 4) / lanesPerRow);
    const laneX = (lane) => (lane % lanesPerRow) * laneCell + laneCell / 2;
    const laneY = (lane) => 18 + Math.floor(lane / lanesPerRow) * 24;
    const fault = step.kind === "fault";
    const wires = [];
    for (let lane = 0; lane < 32; ++lane) {
      const active = lanes.includes(lane);
      parts.push(Warp.rect(laneX(lane) - laneCell / 2 + 1, laneY(lane), laneCell - 2, 20, {
        class: active ? fault ? "warp-lane warp-wrong-lane" : "warp-lane" : "warp-lane warp-off", rx: 3,
      }, Warp.element("title", {}, `lane ${lane}, thread ${model.thread(step.warp, lane)}` +
        (active ? `: ${model.elementName(step, lane)}` : ", takes no part"))));
      const words = model.thread(step.warp, lane);
      if (words.length * 6.2 < laneCell) {
        parts.push(Warp.textAt(laneX(lane), laneY(lane) + 14, words,
          { class: active ? "warp-lane-text" : "warp-lane-text warp-off", "text-anchor": "middle" }));
      }
    }
    const top = laneY(31) + 20 + 66;
    parts.push(Warp.textAt(0, top - 6, array ? `elements of ${array.name}` : "addresses", { class: "warp-label" }));
    order.forEach((element, number) => {
      const x = (number % perRow) * cell;
      const y = top + Math.floor(number / perRow) * 40;
      const outside = element < 0 || element > last;
      const by = elements.get(element) ?? [];
      const classes = ["warp-element"];
      if (outside) classes.push("warp-outside");
      else if (by.length > 0) classes.push(by.length > 1 && step.type !== "load" ? "warp-twice" : "warp-touched");
      parts.push(Warp.rect(x + 1, y, cell - 2, 22, { class: classes.join(" "), rx: 2 },
        Warp.element("title", {}, `element ${element}${outside ? ", which the array does not have" : ""}` +
          (by.length ? `: lanes ${by.join(", ")}` : ""))));
      const words = element === null ? "…" : String(element);
      if (words.length * 6.4 <= cell - 2) {
        parts.push(Warp.textAt(x + cell / 2, y + 15, words, { class: "warp-cell-text", "text-anchor": "middle" }));
      }
      if (element === last) {
        parts.push(Warp.rect(x + cell - 1, y - 5, 3, 32, { class: "warp-end" }),
          Warp.textAt(Math.min(x + cell, width - 20), y + 36, "end of the array",
            { class: "warp-label", "text-anchor": x > width / 2 ? "end" : "middle" }));
      }
      for (const lane of by) {
        wires.push(Warp.curve(laneX(lane), laneY(lane) + 20, x + cell / 2, y,
          { class: outside ? "warp-wire warp-bad" : "warp-wire" }));
      }
    });
    const rows = Math.ceil(order.length / perRow);
    return Warp.element("div", {}, Warp.element("p", { class: "warp-heading" }, "This access"),
      Warp.picture(width, top + rows * 40 + 4, this.says(model, step), ...wires, ...parts));
  },

  /// The elements, with some before and after, at most 128; the end of the array is among them when
  /// it is near.
  around(elements, last) {
    const low = elements[0] - 4;
    const high = elements.at(-1) + 4;
    if (high - low <= 128) {
      const all = [];
      const least = elements[0] < 0 ? low : Math.max(low, 0);
      const most = elements.at(-1) > last ? high : Math.min(high, last);
      for (let i = least; i <= most; ++i) all.push(i);
      return all;
    }
    const shown = elements.slice(0, 127);
    if (shown.at(-1) > last && elements[0] <= last && !shown.includes(last)) shown.push(last);
    return [...new Set(shown)].sort((a, b) => a - b);
  },

  drawWriters(model, width, state, changed, host) {
    const outputs = model.block.outputs;
    if (outputs.length === 0) return null;
    const output = outputs[state.output ?? 0] ?? outputs[0];
    const columns = Math.max(32, Math.min(64, Math.floor(width / 12 / 16) * 16));
    const cell = Math.floor(width / columns);
    const shown = output.elements.slice(0, columns * 40);
    const never = output.elements.filter((e) => e.count === 0).length;
    const many = output.elements.filter((e) => e.count > 1).length;
    const total = Math.floor(output.bytes / output.width);
    const words = `${output.name}: of ${total > output.elements.length ? "the first " : ""}` +
      `${Warp.plural(output.elements.length, "element")}, ${Warp.number(never)} never written, ` +
      `${Warp.number(many)} written more than once.`;
    const choice = outputs.length < 2 ? null : Warp.element("select", {
      "aria-label": "Array", onchange: (event) => { state.output = +event.target.value; changed(); },
    }, ...outputs.map((o, i) => Warp.element("option", { value: i, ...(o === output ? { selected: "" } : {}) }, o.name)));
    return Warp.element("div", {}, Warp.element("p", { class: "warp-heading" }, "Written by the launch ", choice),
      Warp.element("p", {}, words),
      this.paintWriters(model, output, shown, columns, cell, words, host),
      Warp.element("p", { class: "warp-legend" },
        Warp.element("span", {}, Warp.element("i", { style: `background: ${Warp.hue(0)}` }), "colour: the block of the thread"),
        Warp.element("span", {}, Warp.element("i", { class: "warp-key-never" }), "never written"),
        Warp.element("span", {}, Warp.element("i", { class: "warp-key-many" }), "written more than once")));
  },

  paintWriters(model, output, shown, columns, cell, words, host) {
    const canvas = Warp.canvas(columns * cell, Math.ceil(shown.length / columns) * cell, words, host,
      (context, colour) => shown.forEach((element, i) => {
        const x = (i % columns) * cell;
        const y = Math.floor(i / columns) * cell;
        context.fillStyle = colour(element.count === 0 ? "--warp-empty" : `--warp-hue-${element.block % 12}`);
        context.fillRect(x, y, cell - 1, cell - 1);
        if (element.count < 2) return;
        context.strokeStyle = colour("--warp-bad");
        context.lineWidth = 2;
        context.strokeRect(x + 1, y + 1, cell - 3, cell - 3);
      }));
    canvas.addEventListener("pointermove", (event) => {
      const box = canvas.getBoundingClientRect();
      const i = Math.floor((event.clientY - box.top) / cell) * columns + Math.floor((event.clientX - box.left) / cell);
      const element = shown[i];
      canvas.title = !element ? "" : element.count === 0 ? `${output.name}[${i}] was never written`
        : `${output.name}[${i}]: written ${element.count} times, last by thread ${this.threadName(model, element)} ` +
          `at ${model.place({ instruction: element.instruction })}`;
    });
    return canvas;
  },

  threadName(model, element) {
    return `${model.thread(0, element.thread)} of block ${element.block}`;
  },

  table(model, step, state) {
    const output = model.block.outputs[state.output ?? 0];
    const rows = Warp.lanesOf(step.lanes).map((lane) => [
      `lane ${lane}, thread ${model.thread(step.warp, lane)}`, model.elementName(step, lane),
      step.kind === "fault" ? "out of bounds" : step.type,
    ]);
    if (output) {
      const odd = output.elements.map((e, i) => [e, i]).filter(([e]) => e.count !== 1).slice(0, 200);
      for (const [element, i] of odd) {
        rows.push([element.count === 0 ? "no thread" : `last: thread ${this.threadName(model, element)}`,
          `${output.name}[${i}]`, element.count === 0 ? "never written" : `written ${element.count} times`]);
      }
    }
    return { caption: this.says(model, step), head: ["Thread", "Element", "Access"], rows };
  },
};
