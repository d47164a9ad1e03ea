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
    return Warp.element("div", {}, this.drawAccess(model, step, width, host), state.writers);
  },

  /// The warp's threads above, the elements below.
  drawAccess(model, step, width, host) {
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
    const lanesPerRow = width < 560 ? 16 : 32;
    const laneCell = Math.floor((width - 4) / lanesPerRow);
    const top = 18 + Math.floor(31 / lanesPerRow) * 24 + 20 + 66;
    // What is drawn: boxes with words, a frame and what they say when the pointer is on them.
    const threads = Array.from({ length: 32 }, (_, lane) => {
      const active = lanes.includes(lane);
      const thread = model.thread(step.warp, lane);
      return {
        x: (lane % lanesPerRow) * laneCell + 1, y: 18 + Math.floor(lane / lanesPerRow) * 24, width: laneCell - 2, height: 20,
        fill: !active ? "--warp-empty" : step.kind === "fault" ? "--warp-hue-6" : "--warp-hue-0", words: thread,
        ink: active ? "--warp-ink" : "--warp-soft",
        title: () => `lane ${lane}, thread ${thread}${active ? `: ${model.elementName(step, lane)}` : ", takes no part"}`,
      };
    });
    const cells = order.map((element, number) => {
      const outside = element < 0 || element > last;
      const by = elements.get(element) ?? [];
      return {
        x: (number % perRow) * cell + 1, y: top + Math.floor(number / perRow) * 40, width: cell - 2, height: 22,
        fill: outside ? "--warp-hue-6" : by.length === 0 ? "--warp-empty"
          : by.length > 1 && step.type !== "load" ? "--warp-hue-1" : "--warp-hue-2",
        frame: outside ? "--warp-bad" : "--warp-edge", dashed: outside, ends: element === last,
        words: String(element), ink: "--warp-ink", by,
        title: () => `element ${element}${outside ? ", which the array does not have" : ""}` +
          (by.length ? `: lanes ${by.join(", ")}` : ""),
      };
    });
    const height = top + Math.ceil(order.length / perRow) * 40 + 4;
    const canvas = Warp.canvas(width, height, this.says(model, step), host, (context, colour) => {
      this.paintWires(context, colour, threads, cells);
      for (const box of [...threads, ...cells]) this.paintBox(context, colour, box, width);
      context.textAlign = "left";
      context.fillStyle = colour("--warp-soft");
      context.fillText("threads of the block", 0, 8);
      context.fillText(array ? `elements of ${array.name}` : "addresses", 0, top - 12);
    });
    canvas.addEventListener("pointermove", (event) => {
      const [left, up] = [event.offsetX, event.offsetY];
      canvas.title = [...threads, ...cells].find((box) => left >= box.x && left < box.x + box.width &&
        up >= box.y && up < box.y + box.height)?.title() ?? "";
    });
    return Warp.element("div", {}, Warp.element("p", { class: "warp-heading" }, "This access"), canvas);
  },

  paintWires(context, colour, threads, cells) {
    context.globalAlpha = 0.65;
    context.lineWidth = 1.2;
    for (const to of cells) {
      context.strokeStyle = colour(to.dashed ? "--warp-bad" : "--warp-accent");
      for (const lane of to.by) {
        const from = threads[lane];
        const [x1, y1] = [from.x + from.width / 2, from.y + from.height];
        const x2 = to.x + to.width / 2;
        const middle = (y1 + to.y) / 2;
        context.beginPath();
        context.moveTo(x1, y1);
        context.bezierCurveTo(x1, middle, x2, middle, x2, to.y);
        context.stroke();
      }
    }
    context.globalAlpha = 1;
  },

  paintBox(context, colour, box, width) {
    context.font = "11px system-ui, sans-serif";
    context.textBaseline = "middle";
    context.textAlign = "center";
    context.fillStyle = colour(box.fill);
    context.fillRect(box.x, box.y, box.width, box.height);
    if (box.frame) {
      context.strokeStyle = colour(box.frame);
      context.lineWidth = 1;
      if (box.dashed) context.setLineDash([4, 3]);
      context.strokeRect(box.x + 0.5, box.y + 0.5, box.width - 1, box.height - 1);
      context.setLineDash([]);
    }
    context.fillStyle = colour(box.ink);
    if (box.words.length * 6.3 <= box.width) context.fillText(box.words, box.x + box.width / 2, box.y + box.height / 2);
    if (!box.ends) return;
    const end = box.x + box.width;
    context.fillStyle = colour("--warp-ink");
    context.fillRect(end, box.y - 5, 3, 32);
    context.fillStyle = colour("--warp-soft");
    context.textAlign = end > width / 2 ? "right" : "center";
    context.fillText("end of the array", Math.min(end, width - 20), box.y + 32);
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
      Warp.legend([{ style: `background: ${Warp.hue(0)}` }, "colour: the block of the thread"],
        ["warp-key-never", "never written"], ["warp-key-many", "written more than once"]));
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
