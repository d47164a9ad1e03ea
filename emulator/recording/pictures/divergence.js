"use strict";
// The 32 lanes of a warp over time, coloured by source line.

Warp.divergencePicture = {
  id: "divergence",
  title: "Divergence",
  explains: "The lanes of one warp over its instructions: which lanes run, and which wait for others.",
  stops: (model, state) => model.steps.filter((s) => s.warp === (state.warp ?? 0) &&
    s.kind !== "complete").map((s) => s.index),

  /// Steps of the warp, each with where it begins, counted in instructions of the warp; which of its lanes wait at a
  /// barrier while others run; and when each lane has ended.
  rowOf(model, warp) {
    model.rows ??= new Map();
    if (model.rows.has(warp)) return model.rows.get(warp);
    let at = 0;
    const row = [];
    const waits = [];
    let open = [];
    const threads = Math.min(32, model.block.threads - 32 * warp);
    const ended = Array.from({ length: 32 }, (_, lane) => lane < threads ? Infinity : 0);
    for (const step of model.steps) {
      if (step.kind === "complete") {
        for (const one of open) if (one.barrier === step.count) one.to = at;
        open = open.filter((one) => one.barrier !== step.count);
      }
      if (step.warp !== warp) continue;
      const count = step.kind === "arrive" ? 1
        : step.kind === "run" || step.kind === "access" ? step.count : 0;
      if (count > 0) row.push({ step, from: at, to: at += count });
      if (step.kind === "arrive") {
        const all = ended.reduce((mask, end, lane) => end > at ? (mask | 1 << lane) >>> 0 : mask, 0);
        const wait = { from: at, to: Infinity, lanes: step.lanes, barrier: step.count, step, some: step.lanes !== all };
        waits.push(wait);
        open.push(wait);
      }
      if (step.kind === "leave") for (const lane of Warp.lanesOf(step.lanes)) ended[lane] = at;
    }
    const made = { row, waits, ended, total: Math.max(1, at) };
    model.rows.set(warp, made);
    return made;
  },

  divergent(model, warp) {
    model.divergent ??= new Map();
    if (!model.divergent.has(warp)) {
      model.divergent.set(warp, model.steps.filter((s) => s.kind === "diverge" && s.warp === warp));
    }
    return model.divergent.get(warp);
  },

  /// Lines where lanes go different ways, and barriers that only some of them reach.
  tags(model, step) {
    const tags = new Map();
    const times = new Map();
    for (const one of this.divergent(model, step.warp)) times.set(model.line(one), (times.get(model.line(one)) ?? 0) + 1);
    for (const [line, count] of times) tags.set(line, [`lanes diverge${count > 1 ? `, ${count} times` : ""}`, "cost"]);
    for (const wait of this.rowOf(model, step.warp).waits) {
      if (wait.some) tags.set(model.line(wait.step), ["only some lanes arrive", "bad"]);
    }
    return tags;
  },

  says(model, step) {
    const count = Warp.lanesOf(step.lanes).length;
    if (step.kind === "diverge") {
      return `Warp ${step.warp} diverges at ${model.place(step)}: ` +
        `${Warp.plural(Warp.lanesOf(step.other).length, "lane")} of ${count} go elsewhere and wait.`;
    }
    if (step.kind === "leave") return `${Warp.plural(count, "lane")} of warp ${step.warp} end.`;
    const branches = this.divergent(model, step.warp).length;
    return `${Warp.plural(count, "lane")} of warp ${step.warp} run ${model.place(step)}. ` +
      `The warp has ${Warp.plural(branches, "divergent branch", "divergent branches")}.`;
  },

  /// What the step is, below the picture.
  callout(model, step) {
    const lanes = Warp.lanesOf(step.lanes);
    const who = `line ${model.line(step)}: lane${lanes.length > 1 ? "s" : ""} ${Warp.ranges(lanes)}`;
    switch (step.kind) {
      case "arrive": return `${who} arrive${lanes.length > 1 ? "" : "s"} at barrier ${step.count}`;
      case "diverge": return `${who} diverge: ${Warp.ranges(Warp.lanesOf(step.other))} go elsewhere`;
      case "leave": return `${who} end`;
      default: return who;
    }
  },

  draw(model, step, width, state, changed, host) {
    const left = 34;
    const top = 18;
    const high = 11;
    const height = top + 32 * high + 22;
    const { row, total, waits, ended } = this.rowOf(model, step.warp);
    const zoom = state.zoom ?? 1;
    const here = row.find((one) => one.step.index >= step.index) ?? row.at(-1) ?? { from: 0, to: 0 };
    const span = total / zoom;
    const from = Math.max(0, Math.min(here.from - span / 2, total - span));
    const x = (at) => left + (Math.max(from, Math.min(at, from + span)) - from) / span * (width - left - 4);
    const name = `Lanes of warp ${step.warp} over ${Warp.plural(total, "instruction")}. ${this.says(model, step)}`;
    const key = [width, step.warp, from, span, host.dataset.colours].join();
    if (state.divergenceKey !== key) {
      state.divergenceKey = key;
      state.divergence = Warp.canvas(width, height, name, host, (context, colour) => {
        context.font = "11px system-ui, sans-serif";
        context.textBaseline = "middle";
        const away = Warp.pattern(context, "dots", colour("--warp-empty"), colour("--warp-soft"));
        const waiting = Warp.pattern(context, "stripes", colour("--warp-wait"), colour("--warp-key"));
        const y = (lane) => top + lane * high + 1;
        context.fillStyle = colour("--warp-soft");
        context.fillText("lane", 0, top - 9);
        for (let lane = 0; lane < 32; ++lane) {
          context.fillStyle = away;
          context.fillRect(left, y(lane), x(ended[lane]) - left, high - 1);
          context.fillStyle = colour("--warp-edge");  // it has ended: a thin line
          context.fillRect(x(ended[lane]), y(lane) + high / 2 - 1, width - 4 - x(ended[lane]), 1);
          context.fillStyle = colour("--warp-ink");
          if (lane % 4 === 0) context.fillText(String(lane), 8, y(lane) + high / 2);
        }
        for (const wait of waits) {
          context.fillStyle = waiting;
          for (const lane of Warp.lanesOf(wait.lanes)) {
            context.fillRect(x(wait.from), y(lane), x(Math.min(wait.to, ended[lane])) - x(wait.from), high - 1);
          }
        }
        const stretches = [];
        for (const one of row) {
          if (one.to < from || one.from > from + span) continue;
          context.fillStyle = colour(`--warp-hue-${Warp.lineHue(model, one.step)}`);
          const wide = Math.max(0.6, x(one.to) - x(one.from));
          for (const lane of Warp.lanesOf(one.step.lanes)) context.fillRect(x(one.from), y(lane), wide, high - 1);
          stretches.push({ row: 0, from: x(one.from), to: x(one.to), line: model.line(one.step) });
        }
        Warp.paintLines(context, colour, stretches, () => top - 9);
      });
      state.divergence.addEventListener("click", (event) => {
        const box = state.divergence.getBoundingClientRect();
        const at = from + (event.clientX - box.left - left) / (width - left - 4) * span;
        const found = row.find((one) => at < one.to);
        if (found) changed(found.step.index);
      });
      state.divergenceLegend = this.legend(row.length > 0 && waits.some((wait) => Math.min(wait.to, total) > wait.from));
    }
    state.divergence.setAttribute("aria-label", name);
    const zoomBy = (factor) => () => {
      state.zoom = Math.max(1, Math.min(256, zoom * factor));
      changed();
    };
    const at = x(here.from);
    return Warp.element("div", {}, state.divergenceLegend,
      Warp.element("div", { class: "warp-canvas" }, state.divergence,
        Warp.cursor(at, top, x(here.to) - at, 32 * high),
        Warp.element("span", { class: "warp-callout", style: at > width / 2 ? `right: ${width - at - 8}px` : `left: ${at}px` },
          this.callout(model, step))),
      Warp.element("div", { class: "warp-control" },
        Warp.element("button", { type: "button", onclick: zoomBy(0.5) }, "Zoom out"),
        Warp.element("button", { type: "button", onclick: zoomBy(2) }, "Zoom in")));
  },

  legend(waits) {
    return Warp.legend(["warp-key-run", "runs: colour and number are the source line"],
      ["warp-key-away", "inactive: other lanes of the warp run"],
      waits && ["warp-key-stripes", "has arrived at a barrier and waits"],
      ["warp-key-ended", "has ended"], ["warp-key-cursor", "this step"]);
  },

  table(model, step) {
    const rows = this.divergent(model, step.warp).slice(0, 500).map((s) => [
      model.place(s), Warp.lanesOf(s.lanes).length, Warp.lanesOf(s.other).join(", "),
    ]);
    return {
      caption: `Divergent branches of warp ${step.warp}: ${rows.length}`,
      head: ["Branch", "Lanes before", "Lanes that went elsewhere"], rows,
    };
  },
};
