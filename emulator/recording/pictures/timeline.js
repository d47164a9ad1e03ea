"use strict";
// The block's warps over time: what runs, what waits at which barrier, and a race's two accesses.

Warp.timelinePicture = {
  id: "timeline",
  title: "Timeline",
  explains: "Each warp's own clock in instructions, coloured by source line. Only barriers bring the clocks together.",
  // A long run is one stop for each of its steps: runs are merged when they are recorded.
  stops: (model) => model.steps.map((s) => s.index),

  says(model, step, state) {
    const { warp, lanes } = step;
    const place = model.place(step);
    if (state.finding?.race && (state.finding.step >= 0 || state.finding.race.other)) return this.raceWords(model, state.finding);
    const count = Warp.plural(Warp.lanesOf(lanes).length, "lane");
    switch (step.kind) {
      case "run": return `Warp ${warp}: ${Warp.plural(step.count, "instruction")} of ${place} with ${count}.`;
      case "arrive": return `Warp ${warp} waits at barrier ${step.count} with ${count} (${place}).`;
      case "complete": return `Barrier ${step.count} is complete: the warps go on.`;
      case "diverge": return `Warp ${warp} diverges at ${place}.`;
      case "leave": return `${count} of warp ${warp} end.`;
      case "fault": return `Warp ${warp}: ${step.type} out of bounds at ${place}.`;
      default: {
        const verb = { load: "loads", store: "stores", atomic: "updates" }[step.type];
        const lane = Warp.lanesOf(lanes)[0];
        return `Warp ${warp} ${verb} ${model.elementName(step, lane)}${count === "1 lane" ? "" : " and more"} with ${count} (${place}).`;
      }
    }
  },

  raceWords(model, finding) {
    const { other, sides, shared, address } = finding.race;
    const words = model.raceSides(finding).map((index, side) => {
      const { warp, lane } = sides[side];
      const of = other?.side === side ? model.otherBlock(finding) : model;
      const block = other ? ` of block (${(other.side === side ? other.block : model.block.id).join(", ")})` : "";
      const thread = `thread ${model.thread(warp, lane)}${block} (warp ${warp})`;
      if (index < 0) return `${thread} accesses it`;
      const step = of.steps[index];
      const verb = { load: "reads", store: "writes", atomic: "updates" }[step.type];
      return `${thread} ${verb} ${of.nameOf(shared, address, of.instruction(step).width || step.width)} at ${of.place(step)}`;
    });
    return `${words[0][0].toUpperCase()}${words[0].slice(1)}; ${words[1]}. ` +
      (other ? "Blocks run in any order: nothing orders the two accesses."
             : "No barrier stands between the two accesses.");
  },

  window(model, step, state) {
    const zoom = state.zoom ?? 1;
    const span = model.total / zoom;
    const middle = model.start[step.index];
    const from = Math.max(0, Math.min(middle - span / 2, model.total - span));
    return [from, from + span];
  },

  draw(model, step, width, state, changed, host) {
    if (state.finding?.race?.other) return Warp.drawRaceOfBlocks(model, state.finding, width, host);
    const left = 58;
    const high = Math.max(12, Math.min(30, Math.floor(420 / model.warps)));
    const height = model.warps * high + 24;
    const [from, to] = this.window(model, step, state);
    const x = (time) => left + (time - from) / (to - from) * (width - left - 4);
    const race = state.finding?.race && state.finding.step >= 0 ? model.raceSides(state.finding) : null;
    const name = `Timeline of ${Warp.plural(model.warps, "warp")}. ${this.says(model, step, state)}`;
    const key = [width, from, to, state.finding && model.block.findings.indexOf(state.finding), host.dataset.colours].join();
    if (state.timelineKey !== key) {
      state.timelineKey = key;
      state.timeline = Warp.canvas(width, height, name, host, (context, colour) => {
        this.paint(model, context, colour, { left, high, height, width, x, from, to, race, finding: state.finding });
      });
      state.timeline.addEventListener("click", (event) => {
        const box = state.timeline.getBoundingClientRect();
        const time = from + (event.clientX - box.left - left) / (width - left - 4) * (to - from);
        const warp = Math.floor((event.clientY - box.top - 16) / high);
        const found = this.stepAt(model, warp, time);
        if (found >= 0) changed(found);
      });
    }
    state.timeline.setAttribute("aria-label", name);
    const cursor = Warp.element("i", {
      class: "warp-cursor",
      style: `left: ${x(model.start[step.index])}px; top: ${16 + step.warp * high}px; height: ${high}px;` +
        `width: ${Math.max(3, x(model.end[step.index]) - x(model.start[step.index]))}px`,
    });
    const zoom = (factor) => () => {
      state.zoom = Math.max(1, Math.min(256, (state.zoom ?? 1) * factor));
      changed();
    };
    return Warp.element("div", {},
      Warp.element("div", { class: "warp-canvas" }, state.timeline, cursor),
      Warp.element("p", { class: "warp-control" },
        Warp.element("button", { type: "button", onclick: zoom(0.5) }, "Zoom out"),
        Warp.element("button", { type: "button", onclick: zoom(2) }, "Zoom in"),
        Warp.element("span", {}, ` ${Warp.number(Math.round(from))} to ${Warp.number(Math.round(to))} of ${Warp.plural(model.total, "instruction")}`)),
      this.legend(race));
  },

  stepAt(model, warp, time) {
    let best = -1;
    for (const step of model.steps) {
      if (step.warp === warp && model.start[step.index] <= time) best = step.index;
    }
    return best;
  },

  paint(model, context, colour, at) {
    const { left, high, height, width, x, from, to } = at;
    context.font = "12px system-ui, sans-serif";
    context.textBaseline = "middle";
    const y = (warp) => 16 + warp * high;
    for (let warp = 0; warp < model.warps; ++warp) {
      context.fillStyle = colour("--warp-empty");
      context.fillRect(left, y(warp) + 1, width - left - 4, high - 2);
      context.fillStyle = colour("--warp-ink");
      if (high >= 14 || warp % 4 === 0) context.fillText(`warp ${warp}`, 0, y(warp) + high / 2);
    }
    context.save();
    context.beginPath();
    context.rect(left, 0, width - left - 4, height);
    context.clip();
    for (const step of model.steps) {
      const begin = model.start[step.index];
      const end = model.end[step.index];
      if (end <= begin || end < from || begin > to) continue;
      context.fillStyle = colour(`--warp-hue-${Warp.lineHue(model, step)}`);
      const share = Warp.lanesOf(step.lanes).length / 32;
      const tall = Math.max(3, (high - 4) * share);
      context.fillRect(x(begin), y(step.warp) + high - 2 - tall, Math.max(0.6, x(end) - x(begin)), tall);
    }
    for (const wait of model.waits) this.paintWait(context, colour, wait, x, y(wait.warp), high);
    for (const barrier of model.barriers) {
      context.strokeStyle = colour("--warp-ink");
      context.lineWidth = 1.5;
      context.beginPath();
      context.moveTo(x(barrier.time), 10);
      context.lineTo(x(barrier.time), height - 6);
      context.stroke();
    }
    context.restore();
    for (const finding of model.block.findings) {
      if (finding.step >= 0 && !finding.race) this.paintMark(model, context, colour, finding.step, x, y, high);
    }
    if (at.race) this.paintRace(model, context, colour, at, x, y, high);
  },

  paintWait(context, colour, wait, x, y, high) {
    const begin = x(wait.from);
    const end = x(wait.to);
    if (end - begin < 1) return;
    context.fillStyle = colour("--warp-wait");
    context.fillRect(begin, y + 2, end - begin, high - 4);
    context.strokeStyle = colour(wait.open ? "--warp-bad" : "--warp-soft");
    context.lineWidth = 1;
    context.strokeRect(begin + 0.5, y + 2.5, end - begin - 1, high - 5);
    const words = wait.open ? `never released from barrier ${wait.barrier}` : `waits at barrier ${wait.barrier}`;
    if (end - begin > 130 && high >= 14) {
      context.fillStyle = colour("--warp-ink");
      context.fillText(words, begin + 6, y + high / 2);
    }
  },

  paintMark(model, context, colour, index, x, y, high) {
    const step = model.steps[index];
    const middle = (x(model.start[index]) + x(model.end[index])) / 2;
    context.fillStyle = colour("--warp-bad");
    context.beginPath();
    context.arc(middle, y(step.warp) + high / 2, Math.min(7, high / 2), 0, 7);
    context.fill();
  },

  paintRace(model, context, colour, at, x, y, high) {
    const ends = at.race.map((index, side) => {
      const { warp } = at.finding.race.sides[side];
      return index < 0 ? null
        : { x: (x(model.start[index]) + x(model.end[index])) / 2, y: y(warp) + high / 2, index };
    });
    context.strokeStyle = context.fillStyle = colour("--warp-bad");
    context.lineWidth = 3;
    if (ends[0] && ends[1]) {
      context.setLineDash([7, 5]);
      context.beginPath();
      context.moveTo(ends[0].x, ends[0].y);
      context.lineTo(ends[1].x, ends[1].y);
      context.stroke();
      context.setLineDash([]);
    }
    for (const end of ends) {
      if (!end) continue;
      context.beginPath();
      context.arc(end.x, end.y, Math.min(8, Math.max(5, high / 3)), 0, 7);
      context.fill();
      context.strokeStyle = colour("--warp-paper");
      context.lineWidth = 2;
      context.stroke();
    }
    if (!ends[0] || !ends[1]) return;
    const words = "no barrier between";
    const wide = context.measureText(words).width + 12;
    // Beside the edge where it is short.
    const [low, right] = [Math.min(ends[0].x, ends[1].x), Math.max(ends[0].x, ends[1].x)];
    const short = right - low < wide + 40;
    const middle = !short ? (low + right) / 2
      : right + 14 + wide < at.width ? right + 14 + wide / 2 : Math.max(at.left, low - 14 - wide) + wide / 2;
    const middleY = (ends[0].y + ends[1].y) / 2;
    context.fillStyle = colour("--warp-paper");
    context.fillRect(middle - wide / 2, middleY - 9, wide, 18);
    context.fillStyle = colour("--warp-bad");
    context.textAlign = "center";
    context.fillText(words, middle, middleY);
    context.textAlign = "left";
  },

  legend(race) {
    return Warp.legend(["warp-key-run", "runs, as high as it has active lanes"],
      ["warp-key-wait", "waits at a barrier"], ["warp-key-barrier", "barrier complete"],
      race ? ["warp-key-race", "the two accesses: the missing edge"] : ["warp-key-bad", "finding"]);
  },

  table(model, step, state) {
    const rows = [];
    for (let warp = 0; warp < model.warps; ++warp) {
      const own = model.steps.filter((s) => s.warp === warp);
      const waits = model.waits.filter((w) => w.warp === warp);
      rows.push([`warp ${warp}`, own.reduce((sum, s) => sum + s.count * (s.kind === "run" || s.kind === "access"), 0),
        own.filter((s) => s.kind === "arrive").length,
        Math.round(waits.reduce((sum, w) => sum + w.to - w.from, 0)),
        waits.some((w) => w.open) ? "waits for ever" : "ended or was stopped"]);
    }
    return {
      caption: this.says(model, step, state),
      head: ["Warp", "Instructions recorded", "Barrier arrivals", "Instructions waited", "At the end"], rows,
    };
  },
};
