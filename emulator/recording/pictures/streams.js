"use strict";
// The program's calls over modelled time: a row for the host's waits, one for each stream and one for each engine.

// Kinds of calls and engines in their order in recordings: what they are called, and the hues of kinds.
Warp.operations = {
  names: ["kernel", "copy", "fill", "page migration", "event", "host function", "wait of the host"],
  hues: [0, 1, 4, 6, 7, 8],
  engines: ["kernels", "copies to the device", "copies to the host"],
};

Warp.streamsPicture = {
  id: "streams",
  title: "Streams",
  explains: "When copies and kernels run: each is in the row of its stream, and below in that of the engine that it takes. Lines lead from what it waits for. Times are modelled.",
  items: (model) => model.calls,
  isEmpty: (model) => model.calls.length === 0,
  stops: (model) => model.calls.map((call) => call.index),

  /// Rows in their order, and of each call the numbers of its rows, that of its stream first.
  rowsOf(model) {
    if (model.callRows) return model.callRows;
    const { calls } = model;
    const several = calls.some((call) => call.device > 0 || call.between);
    const of = (device) => several ? `device ${device}, ` : "";
    const found = new Map();
    const row = (group, device, number, name) => {
      const key = [group, device, number].join();
      if (!found.has(key)) found.set(key, { order: [group, device, number], name });
      return key;
    };
    const keys = calls.map((call) => {
      if (call.kind === 6) return [row(0, 0, 0, "host")];
      const stream = call.stream === 0 ? "default stream" : `stream ${call.stream}`;
      const own = [row(1, call.device, call.stream, of(call.device) + stream)];
      const engine = (device, number) => own.push(row(2, device, number, of(device) + Warp.operations.engines[number]));
      if (call.engine < 3) engine(call.between ? call.between[0] : call.device, call.engine);
      if (call.between) engine(call.between[1], 1);
      return own;
    });
    const order = [...found].sort(([, a], [, b]) => a.order.reduce((is, one, i) => is || one - b.order[i], 0));
    const numbers = new Map(order.map(([key], number) => [key, number]));
    return model.callRows = { names: order.map(([, { name }]) => name), engines: order.findIndex(([, { order: [group] }]) => group === 2),
      of: keys.map((own) => own.map((key) => numbers.get(key))) };
  },

  /// What the legend calls a bar, and its colour.
  looks({ kind, engine, pageable }) {
    if (kind === 6) return [Warp.operations.names[kind], "--warp-stripe"];
    if (pageable) return ["copy of pageable memory", "--warp-hue-9"];
    if (kind === 1 && engine < 3) return [engine === 0 ? "copy on the device" : `copy ${this.direction({ engine })}`, `--warp-hue-${[10, 1, 2][engine]}`];
    return [Warp.operations.names[kind], `--warp-hue-${Warp.operations.hues[kind]}`];
  },

  ms: (time) => `${+time.toPrecision(4)} ms`,
  /// "stream 1", "the default stream"
  rowName(model, call) {
    const { names, of } = this.rowsOf(model);
    return names[of[call.index][0]].replace("default", "the default");
  },
  /// "reverse", "cudaMemcpyAsync"
  shortName: (call) => call.kind === 0 ? call.name.split("(")[0] : call.name,
  direction: (call) => call.between ? `from device ${call.between[0]} to device ${call.between[1]}`
    : ["on the device", "to the device", "to the host", "on the host"][call.engine],
  what(call) {
    const name = this.shortName(call);
    if (call.kind === 0) return `Kernel ${name}`;
    if (call.kind === 6) return `The host waits in ${name}`;
    if (call.kind === 4) return "An event is recorded";
    if (call.bytes === 0) return name[0].toUpperCase() + name.slice(1);
    const way = call.kind === 1 || call.kind === 3 ? ` ${this.direction(call)}` : "";
    return `${name}: ${Warp.plural(call.bytes, "byte")}${way}${call.pageable ? ", pageable memory" : ""}`;
  },
  /// What it waits for besides the call before it in its stream.
  waitsFor(model, call) {
    const of = call.after.map((number) => model.calls[number]);
    return of.map((one) => one.kind === 6 ? `the host's wait in ${this.shortName(one)}`
      : `${one.kind === 4 ? "the event" : this.shortName(one)} in ${this.rowName(model, one)}`);
  },

  says(model, call) {
    const { begin } = model.recording.calls;
    const place = call.file === 0 ? "" : ` (${model.place(call)})`;
    const where = call.kind === 6 ? "" : ` in ${this.rowName(model, call)}`;
    const waits = [...new Set(this.waitsFor(model, call))];
    const more = waits.length > 3 ? `, ${waits.length - 3} more` : "";
    return `${this.what(call)}${where}${place}, at ${this.ms(call.begin - begin)}, for ${this.ms(call.end - call.begin)}.` +
      (waits.length > 0 ? ` After ${waits.slice(0, 3).join(", ")}${more}.` : "") +
      (call.ready < call.begin ? ` Ready at ${this.ms(call.ready - begin)}, and then the engine for ${Warp.operations.engines[call.engine]} is busy.` : "");
  },

  draw(model, call, width, state, changed, host) {
    const { names, engines, of } = this.rowsOf(model);
    const { begin, end, overlap, leftOut } = model.recording.calls;
    const left = width < 520 ? 108 : 150;
    const [high, top, gap] = [26, 4, 10];
    const y = (row) => top + row * high + (engines >= 0 && row >= engines ? gap : 0);
    const height = y(names.length) + 20;
    const total = Math.max(end - begin, 1e-9);
    const zoom = state.callZoom ?? 1;
    const span = total / zoom;
    const from = Math.max(begin, Math.min((call.begin + call.end - span) / 2, end - span));
    const right = width - 6;
    const x = (time) => left + (time - from) / span * (right - left);
    const key = [width, from, span, host.dataset.colours].join();
    if (state.callsKey !== key) {
      state.callsKey = key;
      state.calls = Warp.canvas(width, height, "", host, (context, colour) =>
        this.paint(model, context, colour, { names, of, left, right, high, height, from, span, begin, x, y }));
      const callAt = (event) => {
        const box = state.calls.getBoundingClientRect();
        const [at, row] = [event.clientX - box.left, names.findIndex((_, i) => event.clientY - box.top < y(i) + high)];
        return model.calls.findLast((one) => of[one.index].includes(row) && at >= x(one.begin) - 2 && at <= Math.max(x(one.end), x(one.begin) + 3));
      };
      state.calls.addEventListener("click", (event) => {
        const found = callAt(event);
        if (found) changed(found.index);
      });
      state.calls.addEventListener("pointermove", (event) => {
        const found = callAt(event);
        state.calls.title = found ? this.says(model, found) : "";
      });
    }
    state.calls.setAttribute("aria-label",
      `${Warp.plural(model.calls.length, "call")} over ${this.ms(total)}. ${this.says(model, call)}`);
    const clip = (time) => Math.max(left, Math.min(right, x(time)));
    const cursors = of[call.index].map((row) => Warp.element("i", {
      class: "warp-cursor", style: `left: ${clip(call.begin) - 2}px; top: ${y(row) + 1}px; height: ${high - 2}px;` +
        `width: ${Math.max(5, clip(call.end) - clip(call.begin) + 4)}px`,
    }));
    const zoomBy = (factor) => () => {
      state.callZoom = Math.max(1, Math.min(1024, zoom * factor));
      changed();
    };
    return Warp.element("div", {},
      Warp.element("div", { class: "warp-canvas" }, state.calls, this.edges(model, call, { width, height, high, x: clip, y, of }), ...cursors),
      Warp.element("div", { class: "warp-control" },
        Warp.element("button", { type: "button", onclick: zoomBy(0.5) }, "Zoom out"),
        Warp.element("button", { type: "button", onclick: zoomBy(2) }, "Zoom in"),
        Warp.element("span", {}, `Two engines are busy at once for ${this.ms(overlap)} of ${this.ms(total)}.` +
          (leftOut > 0 ? ` ${Warp.plural(leftOut, "later call")} ${leftOut === 1 ? "is" : "are"} left out.` : ""))),
      this.legend(model));
  },

  /// The lines to a call, over the canvas, and from it to those that wait for it.
  edges(model, call, { width, height, high, x, y, of }) {
    const place = (one, time) => [x(time), y(of[one.index][0]) + high / 2];
    const line = (before, after) => {
      const [x1, y1] = place(before, before.end);
      const [x2, y2] = place(after, after.begin);
      const middle = Math.max(12, Math.abs(x2 - x1) / 2);
      return Warp.element("path", { class: after === call ? "warp-edge warp-edge-here" : "warp-edge",
        d: `M${x1} ${y1}C${x1 + middle} ${y1} ${x2 - middle} ${y2} ${x2} ${y2}` });
    };
    return Warp.element("svg", { width, height, "aria-hidden": "true", class: "warp-edges" },
      ...model.calls.filter((one) => one.after.includes(call.index)).map((one) => line(call, one)),
      ...call.after.map((number) => line(model.calls[number], call)));
  },

  paint(model, context, colour, { names, of, left, right, high, height, from, span, begin, x, y }) {
    context.font = "12px system-ui, sans-serif";
    context.textBaseline = "middle";
    names.forEach((name, row) => {
      context.fillStyle = colour("--warp-empty");
      context.fillRect(left, y(row) + 2, right - left, high - 4);
      context.fillStyle = colour("--warp-ink");
      context.fillText(name, 0, y(row) + high / 2, left - 6);
    });
    context.fillStyle = colour("--warp-soft");
    context.fillText(this.ms(from - begin), left, height - 9);
    context.textAlign = "right";
    context.fillText(this.ms(from + span - begin), right, height - 9);
    context.textAlign = "left";
    context.save();
    context.beginPath();
    context.rect(left, 0, right - left, height);
    context.clip();
    for (const call of model.calls) {
      const wide = Math.max(1, x(call.end) - x(call.begin));
      if (call.ready < call.begin) {  // ready, and its engine is busy
        context.fillStyle = colour("--warp-soft");
        context.fillRect(x(call.ready), y(of[call.index][0]) + high / 2 - 1, x(call.begin) - x(call.ready), 2);
      }
      for (const row of of[call.index]) {
        context.fillStyle = colour(this.looks(call)[1]);
        context.fillRect(x(call.begin), y(row) + 4, wide > 4 ? wide - 1 : wide, high - 8);  // the next one may follow at once
        const words = this.shortName(call);
        if (wide < 30 || context.measureText(words).width > wide - 8) continue;
        context.fillStyle = colour("--warp-ink");
        context.fillText(words, Math.max(x(call.begin), left) + 4, y(row) + high / 2);
      }
    }
    context.restore();
  },

  legend(model) {
    return Warp.legend(
      ...[...new Map(model.calls.map((call) => this.looks(call)))].map(([words, colour]) => [{ style: `background: var(${colour})` }, words]),
      model.calls.some((call) => call.ready < call.begin) && ["warp-key-ready", "waits for the engine"],
      model.calls.some((call) => call.after.length > 0) && ["warp-key-edge", "waits for, and is waited for"]);
  },

  table(model) {
    const { begin, leftOut } = model.recording.calls;
    const ms = (time) => +time.toPrecision(6);
    return {
      caption: `${Warp.plural(model.calls.length, "call")}, in the order of the program${leftOut > 0 ? `; ${leftOut} more are left out` : ""}`,
      head: ["Call", "Line", "Stream", "Engine", "Bytes", "Ready, ms", "Begins, ms", "Takes, ms", "After"],
      rows: model.calls.map((call) => [this.shortName(call), call.file === 0 ? "" : model.place(call), this.rowName(model, call),
        Warp.operations.engines[call.engine] ?? "", call.bytes === 0 ? "" : Warp.number(call.bytes) + (call.pageable ? ", pageable" : ""),
        ms(call.ready - begin), ms(call.begin - begin), ms(call.end - call.begin), this.waitsFor(model, call).join(", ")]),
    };
  },
};

/// The call that pictures of streams open at: the first of a line; or else the first copy of pageable memory, where a
/// formula counts these; or else the first call after a wait of the host. Undefined if there is none.
Warp.callFor = (model, { line, counters = "" }) => {
  const first = (fits) => model.calls.find(fits);
  if (line !== undefined) return first((call) => call.line === line)?.index;
  const found = (/pageable/.test(counters) && first((call) => call.pageable)) ||
    first((call) => call.after.some((number) => model.calls[number].kind === 6)) || model.calls[0];
  return found?.index;
};
