"use strict";
// The 32 lanes of a warp over time, coloured by source line.

Warp.divergencePicture = {
  id: "divergence",
  title: "Divergence",
  explains: "The lanes of one warp over its instructions. Where a lane's row is empty it waits for the others.",
  stops: (model, state) => model.steps.filter((s) => s.warp === (state.warp ?? 0) &&
    s.kind !== "complete").map((s) => s.index),

  /// Steps of the warp, each with where it begins, counted in instructions of the warp.
  rowOf(model, warp) {
    model.rows ??= new Map();
    if (!model.rows.has(warp)) {
      let at = 0;
      const row = [];
      for (const step of model.steps) {
        if (step.warp !== warp) continue;
        const count = step.kind === "arrive" ? 1
          : step.kind === "run" || step.kind === "access" ? step.count : 0;
        if (count > 0) row.push({ step, from: at, to: at += count });
      }
      model.rows.set(warp, { row, total: Math.max(1, at) });
    }
    return model.rows.get(warp);
  },

  divergent(model, warp) {
    model.divergent ??= new Map();
    if (!model.divergent.has(warp)) {
      model.divergent.set(warp, model.steps.filter((s) => s.kind === "diverge" && s.warp === warp));
    }
    return model.divergent.get(warp);
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

  draw(model, step, width, state, changed, host) {
    const left = 34;
    const high = 11;
    const height = 32 * high + 4;
    const { row, total } = this.rowOf(model, step.warp);
    const zoom = state.zoom ?? 1;
    const here = row.find((one) => one.step.index >= step.index) ?? row.at(-1) ?? { from: 0, to: 0 };
    const span = total / zoom;
    const from = Math.max(0, Math.min(here.from - span / 2, total - span));
    const x = (at) => left + (at - from) / span * (width - left - 4);
    const name = `Lanes of warp ${step.warp} over ${Warp.plural(total, "instruction")}. ${this.says(model, step)}`;
    if (state.legendOf !== step.warp) {
      state.legendOf = step.warp;
      state.legend = this.legend(model, row);
    }
    const key = [width, step.warp, from, span, host.dataset.colours].join();
    if (state.divergenceKey !== key) {
      state.divergenceKey = key;
      state.divergence = Warp.canvas(width, height, name, host, (context, colour) => {
        context.font = "11px system-ui, sans-serif";
        context.textBaseline = "middle";
        for (let lane = 0; lane < 32; ++lane) {
          context.fillStyle = colour("--warp-empty");
          context.fillRect(left, lane * high + 1, width - left - 4, high - 1);
          context.fillStyle = colour("--warp-ink");
          if (lane % 4 === 0) context.fillText(String(lane), 8, lane * high + high / 2 + 1);
        }
        context.save();
        context.beginPath();
        context.rect(left, 0, width - left - 4, height);
        context.clip();
        for (const one of row) {
          if (one.to < from || one.from > from + span) continue;
          context.fillStyle = colour(`--warp-hue-${Warp.lineHue(model, one.step)}`);
          const wide = Math.max(0.6, x(one.to) - x(one.from));
          for (const lane of Warp.lanesOf(one.step.lanes)) {
            context.fillRect(x(one.from), lane * high + 1, wide, high - 1);
          }
        }
        context.restore();
      });
      state.divergence.addEventListener("click", (event) => {
        const box = state.divergence.getBoundingClientRect();
        const at = from + (event.clientX - box.left - left) / (width - left - 4) * span;
        const found = row.find((one) => at < one.to);
        if (found) changed(found.step.index);
      });
    }
    state.divergence.setAttribute("aria-label", name);
    const cursor = Warp.element("i", {
      class: "warp-cursor",
      style: `left: ${x(here.from)}px; top: 0; height: ${height}px; width: ${Math.max(3, x(here.to) - x(here.from))}px`,
    });
    const zoomBy = (factor) => () => {
      state.zoom = Math.max(1, Math.min(256, zoom * factor));
      changed();
    };
    return Warp.element("div", {},
      Warp.element("div", { class: "warp-canvas" }, state.divergence, cursor),
      Warp.element("p", { class: "warp-control" },
        Warp.element("button", { type: "button", onclick: zoomBy(0.5) }, "Zoom out"),
        Warp.element("button", { type: "button", onclick: zoomBy(2) }, "Zoom in")),
      state.legend);
  },

  legend(model, row) {
    const seen = new Map();
    for (const { step } of row) seen.set(model.place(step), Warp.lineHue(model, step));
    return Warp.legend(...[...seen].slice(0, 24).map(([place, hue]) => [{ style: `background: ${Warp.hue(hue)}` }, place]));
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
