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

  tags: (model, step, { finding }) => step.kind === "fault" && finding ? Warp.findingTags(model, finding) : new Map(),

  draw(model, step, width, state, changed, host) {
    // The launch's part is the same for all steps.
    const key = [width, state.output, host.dataset.colours].join();
    if (state.writersKey !== key) {
      state.writersKey = key;
      state.writers = this.drawWriters(model, width, state, changed, host);
    }
    return Warp.element("div", {}, this.drawAccess(model, step, width, host, state.finding), state.writers);
  },

  /// The warp's threads above, the elements below.
  drawAccess(model, step, width, host, finding) {
    const bytes = model.instruction(step).width || step.width;
    const lanes = Warp.lanesOf(step.lanes);
    const array = model.arrayAt(step.shared, step.address[lanes[0]]);
    const base = array?.base ?? 0;
    const last = array ? Math.floor(array.bytes / bytes) - 1 : Infinity;
    const rest = this.otherPart(model, step);
    const elements = new Map();
    const byLane = new Map();  // the part of the instruction that a lane has
    for (const part of rest ? [step, rest] : [step]) {
      for (const lane of Warp.lanesOf(part.lanes)) {
        byLane.set(lane, part);
        for (let at = 0; at < part.width; at += bytes) {
          const element = Math.floor((part.address[lane] + at - base) / bytes);
          if (!elements.has(element)) elements.set(element, []);
          elements.get(element).push(lane);
        }
      }
    }
    const faulty = step.kind === "fault" || rest?.kind === "fault";
    const order = this.around([...elements.keys()].sort((a, b) => a - b), last);
    const digits = Math.max(2, ...order.map((element) => String(element).length));
    const fitting = Math.floor((width - 4) / (digits * 6.6 + 8));
    const perRow = fitting >= 32 ? 32 : fitting >= 16 ? 16 : 8;
    const cell = Math.floor((width - 4) / perRow);
    // A thread has one number for each of the block's extents that is not 1.
    const extents = model.block.block;
    const parts = extents.map((_, i) => i).filter((i) => i === 0 || extents[i] > 1);
    const left = width < 560 ? 16 : 76;
    const lanesPerRow = width < 560 ? 16 : 32;
    const laneCell = Math.floor((width - left - 4) / lanesPerRow);
    const tall = 6 + 14 * parts.length;
    const rows = 32 / lanesPerRow;
    const top = 18 + rows * (tall + 6) + 66;
    const verb = { load: "reads", store: "writes", atomic: "updates" }[step.type];
    // What is drawn: boxes with lines of words, a frame and what they say when the pointer is on them.
    const threads = Array.from({ length: 32 }, (_, lane) => {
      const part = byLane.get(lane);
      const number = step.warp * 32 + lane;
      const exists = number < model.block.threads;
      const place = [number % extents[0], Math.floor(number / extents[0]) % extents[1], Math.floor(number / (extents[0] * extents[1]))];
      return {
        x: left + (lane % lanesPerRow) * laneCell + 1, y: 18 + Math.floor(lane / lanesPerRow) * (tall + 6), width: laneCell - 2,
        height: tall, fill: !part ? "--warp-empty" : part.kind === "fault" ? "--warp-wrong" : "--warp-on",
        words: exists ? parts.map((i) => String(place[i])) : [], ink: part ? "--warp-ink" : "--warp-soft",
        title: () => `lane ${lane}, thread ${model.thread(step.warp, lane)}` +
          (part ? `: ${model.elementName(part, lane)}` : ", takes no part"),
      };
    });
    const cells = order.map((element, number) => {
      const outside = element < 0 || element > last;
      const by = elements.get(element) ?? [];
      return {
        x: (number % perRow) * cell + 1, y: top + Math.floor(number / perRow) * 40, width: cell - 2, height: 22,
        fill: by.length === 0 ? "--warp-empty" : outside ? "--warp-wrong"
          : by.length > 1 && step.type !== "load" ? "--warp-moved" : "--warp-fine",
        frame: outside ? "--warp-bad" : "--warp-edge", dashed: outside, ends: element === last,
        words: [String(element)], ink: "--warp-ink", by,
        title: () => `element ${element}${outside ? ", which the array does not have" : ""}` +
          (by.length ? `: lanes ${by.join(", ")}` : ""),
      };
    });
    const height = top + Math.ceil(order.length / perRow) * 40 + 8;
    const canvas = Warp.canvas(width, height, this.says(model, step), host, (context, colour) => {
      this.paintWires(context, colour, threads, cells);
      for (const box of [...threads, ...cells]) this.paintBox(context, colour, box, width, last + 1);
      context.textAlign = "left";
      context.fillStyle = colour("--warp-soft");
      context.fillText(`warp ${step.warp}: its 32 threads, by ` +
        `${left < 20 ? parts.map((i) => "xyz"[i]).join(", ") + " of " : ""}threadIdx, of block (${model.block.id.join(", ")})`, 0, 8);
      for (let row = 0; row < rows; ++row) {
        parts.forEach((i, number) => context.fillText(left < 20 ? "xyz"[i] : `threadIdx.${"xyz"[i]}`, 0,
          18 + row * (tall + 6) + tall / parts.length * (number + 0.5)));
      }
      const words = array ? `elements of ${array.name} that they ${verb.slice(0, -1)}` : "addresses";
      context.lineWidth = 4;
      context.strokeStyle = colour("--warp-paper");
      context.strokeText(words, 0, top - 12);
      context.fillText(words, 0, top - 12);
    });
    canvas.addEventListener("pointermove", (event) => {
      const [x, y] = [event.offsetX, event.offsetY];
      canvas.title = [...threads, ...cells].find((box) => x >= box.x && x < box.x + box.width &&
        y >= box.y && y < box.y + box.height)?.title() ?? "";
    });
    const outside = cells.some((box) => box.dashed);
    return Warp.element("div", {}, Warp.heading(`This access: line ${model.line(step)} ${verb} ${array?.name ?? "memory"}` + (step.kind === "fault" && finding?.naming.length > 0
        ? `. The compiler gives this line; ${array.name} is named in ${finding.naming.length > 1 ? "lines" : "line"} ${finding.naming.join(", ")}` : "")),
      Warp.legend(faulty && ["warp-key-wrong", `a thread that ${verb} out of bounds, and the element that it ${verb}`],
        (!faulty || rest) && ["warp-key-on", `a thread that ${verb} an element`],
        (!faulty || rest) && ["warp-key-fine", "the element"],
        cells.some((box) => box.fill === "--warp-moved") && ["warp-key-moved", "an element that several threads write"],
        byLane.size < 32 && ["warp-key-empty", "a thread that takes no part, an element that no thread accesses"],
        outside && ["warp-key-outside", `dashed: not in the array; ${array?.name ?? "it"} has elements 0 to ${last}`]),
      canvas);
  },

  /// Of an instruction that some lanes execute out of bounds, the accesses of the others are another
  /// step; of an access in bounds, the ones that are not. Undefined if all lanes are alike.
  otherPart(model, step) {
    return [model.steps[step.index - 1], model.steps[step.index + 1]].find((other) =>
      other && other.kind !== step.kind && (other.kind === "access" || other.kind === "fault") &&
      other.warp === step.warp && other.instruction === step.instruction && (other.lanes & step.lanes) === 0);
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

  paintBox(context, colour, box, width, count) {
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
    const high = box.height / box.words.length;
    box.words.forEach((words, i) => {
      if (words.length * 6.3 <= box.width) context.fillText(words, box.x + box.width / 2, box.y + high * (i + 0.5));
    });
    if (!box.ends) return;
    const end = box.x + box.width;
    context.fillStyle = colour("--warp-ink");
    context.fillRect(end, box.y - 5, 3, 32);
    context.textAlign = end > width / 2 ? "right" : "left";
    context.fillText(`end of the array: it has ${Warp.plural(count, "element")}`, end, box.y + 33);
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
    return Warp.element("div", {},
      Warp.heading(`The whole launch: which thread wrote each element of ${output.name} last `, choice),
      Warp.legend(["warp-key-blocks", `a grey and a name for each block of threads; ${columns} elements in a row`],
        never > 0 && ["warp-key-never", "striped: never written"], many > 0 && ["warp-key-many", "written more than once"]),
      Warp.element("div", {}, words),
      this.paintWriters(model, output, shown, columns, cell, words, host));
  },

  /// Runs of elements whose last writer is in one block; a grey says where one ends, words which it is.
  paintWriters(model, output, shown, columns, cell, words, host) {
    const high = 18;
    const [grid] = [model.block.grid];
    const name = (block) => grid[1] * grid[2] === 1 ? `block ${block}`
      : `block (${[block % grid[0], Math.floor(block / grid[0]) % grid[1], Math.floor(block / (grid[0] * grid[1]))]
        .slice(0, grid[2] > 1 ? 3 : 2).join(", ")})`;
    const canvas = Warp.canvas(columns * cell, Math.ceil(shown.length / columns) * high, words, host, (context, colour) => {
      context.font = "10px system-ui, sans-serif";
      context.textBaseline = "middle";
      const never = Warp.pattern(context, "stripes", colour("--warp-empty"), colour("--warp-soft"));
      const same = (a, b) => b && (a.count === 0) === (b.count === 0) && a.block === b.block;
      for (let i = 0, first = 0; i < shown.length; ++i) {
        const element = shown[i];
        const [x, y] = [(i % columns) * cell, Math.floor(i / columns) * high];
        context.fillStyle = element.count === 0 ? never : colour(`--warp-block-${element.block % 2}`);
        context.fillRect(x, y, cell, high - 1);
        if (element.count > 1) {
          context.strokeStyle = colour("--warp-bad");
          context.lineWidth = 2;
          context.strokeRect(x + 1, y + 1, cell - 3, high - 3);
        }
        if (same(element, shown[i + 1]) && (i + 1) % columns !== 0) continue;
        const [from, run] = [(first % columns) * cell, (i + 1 - first) * cell];
        first = i + 1;
        context.fillStyle = colour("--warp-ink");
        context.fillRect(x + cell - 1, y, 1, high - 1);
        const label = element.count === 0 ? "never written" : name(element.block);
        if (context.measureText(label).width + 4 > run) continue;
        if (element.count === 0) {
          context.fillStyle = colour("--warp-paper");
          context.fillRect(from + 1, y + 2, context.measureText(label).width + 4, high - 5);
          context.fillStyle = colour("--warp-ink");
        }
        context.fillText(label, from + 3, y + high / 2);
      }
    });
    canvas.addEventListener("pointermove", (event) => {
      const box = canvas.getBoundingClientRect();
      const i = Math.floor((event.clientY - box.top) / high) * columns + Math.floor((event.clientX - box.left) / cell);
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
