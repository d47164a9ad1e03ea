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

  /// The lines of a race's two accesses, and lines with findings.
  tags(model, step, { finding }) {
    if (!finding) return new Map();
    if (!finding.race) return Warp.findingTags(model, finding);
    const tags = new Map();
    model.raceSides(finding).forEach((index, side) => {
      if (index < 0) return;
      const of = this.sideModel(model, finding, side);
      const line = of.line(of.steps[index]);
      const words = this.sideWords(model, finding, side, index);
      tags.set(line, [tags.has(line) ? `${tags.get(line)[0]}; ${words}` : words, "bad"]);
    });
    return tags;
  },

  /// The block of one of a race's accesses.
  sideModel(model, { race }, side) {
    return race.other?.side === side ? model.otherBlock({ race }) : model;
  },
  /// "thread 37 reads cache[16]"
  sideWords(model, finding, side, index) {
    const of = this.sideModel(model, finding, side);
    const { shared, address, sides } = finding.race;
    const step = of.steps[index];
    const verb = { load: "reads", store: "writes", atomic: "updates" }[step.type];
    const block = finding.race.other ? ` of block (${of.block.id.join(", ")})` : "";
    return `thread ${of.thread(sides[side].warp, sides[side].lane)}${block} ${verb} ${of.nameOf(shared, address, of.instruction(step).width || step.width)}`;
  },

  draw(model, step, width, state, changed, host) {
    if (state.finding?.race?.other) return Warp.drawRaceOfBlocks(model, state.finding, width, host);
    const high = Math.max(12, Math.min(30, Math.floor(420 / model.warps)));
    const top = 18;
    const [from, to] = this.window(model, step, state);
    const race = state.finding?.race && state.finding.step >= 0 ? model.raceSides(state.finding) : null;
    const sides = state.finding?.race?.sides;
    // A race inside of a warp: its two threads get rows of their own below the warp's.
    const apart = race && race[0] >= 0 && race[1] >= 0 && sides[0].warp === sides[1].warp;
    const left = apart ? 104 : 58;
    const threadHigh = 34;
    const y = (warp) => top + warp * high + (apart && warp > sides[0].warp ? 2 * threadHigh + 26 : 0);
    const threadY = (side) => y(sides[0].warp) + high + side * threadHigh + 3;
    const height = y(model.warps) + 24;
    const x = (time) => left + (time - from) / (to - from) * (width - left - 4);
    const name = `Timeline of ${Warp.plural(model.warps, "warp")}. ${this.says(model, step, state)}`;
    const key = [width, from, to, state.finding && model.block.findings.indexOf(state.finding), host.dataset.colours].join();
    if (state.timelineKey !== key) {
      state.timelineKey = key;
      state.timeline = Warp.canvas(width, height, name, host, (context, colour) => {
        this.paint(model, context, colour,
          { left, high, height, width, x, y, from, to, race, finding: state.finding, apart, threadY, threadHigh });
      });
      state.timeline.addEventListener("click", (event) => {
        const box = state.timeline.getBoundingClientRect();
        const time = from + (event.clientX - box.left - left) / (width - left - 4) * (to - from);
        const warp = Array.from({ length: model.warps }, (_, i) => i).findLast((i) => event.clientY - box.top >= y(i)) ?? -1;
        const found = this.stepAt(model, warp, time);
        if (found >= 0) changed(found);
      });
      state.timelineLegend = this.legend(model, race);
    }
    state.timeline.setAttribute("aria-label", name);
    const zoom = (factor) => () => {
      state.zoom = Math.max(1, Math.min(256, (state.zoom ?? 1) * factor));
      changed();
    };
    return Warp.element("div", {}, state.timelineLegend,
      Warp.element("div", { class: "warp-canvas" }, state.timeline,
        Warp.cursor(x(model.start[step.index]), y(step.warp), x(model.end[step.index]) - x(model.start[step.index]), high)),
      Warp.element("div", { class: "warp-control" },
        Warp.element("button", { type: "button", onclick: zoom(0.5) }, "Zoom out"),
        Warp.element("button", { type: "button", onclick: zoom(2) }, "Zoom in"),
        Warp.element("span", {}, ` ${Warp.number(Math.round(from))} to ${Warp.number(Math.round(to))} of ${Warp.plural(model.total, "instruction")}`)));
  },

  stepAt(model, warp, time) {
    let best = -1;
    for (const step of model.steps) {
      if (step.warp === warp && model.start[step.index] <= time) best = step.index;
    }
    return best;
  },

  paint(model, context, colour, at) {
    const { left, high, height, width, x, y, from, to } = at;
    context.font = "12px system-ui, sans-serif";
    context.textBaseline = "middle";
    const stripes = Warp.pattern(context, "stripes", colour("--warp-wait"), colour("--warp-key"));
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
    const stretches = [];
    for (const step of model.steps) {
      const begin = model.start[step.index];
      const end = model.end[step.index];
      if (end <= begin || end < from || begin > to) continue;
      context.fillStyle = colour(`--warp-hue-${Warp.lineHue(model, step)}`);
      const share = Warp.lanesOf(step.lanes).length / 32;
      const tall = Math.max(3, (high - 4) * share);
      const wide = Math.max(0.6, x(end) - x(begin));
      context.fillRect(x(begin), y(step.warp) + high - 2 - tall, wide, tall);
      if (high >= 16) stretches.push({ row: step.warp, from: x(begin), to: x(end), line: model.line(step) });
      if (!at.apart || step.warp !== at.finding.race.sides[0].warp) continue;
      at.finding.race.sides.forEach(({ lane }, side) => {
        if ((step.lanes >>> lane) & 1) context.fillRect(x(begin), at.threadY(side) + 18, wide, 12);
      });
    }
    context.font = "10px system-ui, sans-serif";
    Warp.paintLines(context, colour, stretches, (warp) => y(warp) + high / 2);
    context.font = "12px system-ui, sans-serif";
    for (const wait of model.waits) this.paintWait(context, colour, wait, x, y(wait.warp), high, stripes);
    let free = left;
    for (const barrier of model.barriers) {
      context.strokeStyle = context.fillStyle = colour("--warp-ink");
      context.lineWidth = 1.5;
      context.beginPath();
      context.moveTo(x(barrier.time), 14);
      context.lineTo(x(barrier.time), height - 18);
      context.stroke();
      const words = barrier.line ? `barrier, line ${barrier.line}` : "barrier";
      const wide = context.measureText(words).width;
      const begin = Math.min(Math.max(left, x(barrier.time) - wide / 2), width - 4 - wide);
      if (begin < free || x(barrier.time) < left) continue;
      context.fillText(words, begin, 7);
      free = begin + wide + 8;
    }
    context.fillStyle = colour("--warp-soft");
    context.fillText("instructions of each warp \u2192", left, height - 8);
    context.restore();
    if (at.apart) this.paintThreads(model, context, colour, at);
    for (const finding of model.block.findings) {
      if (finding.step >= 0 && !finding.race) this.paintMark(model, context, colour, finding, at);
    }
    if (at.race) this.paintRace(model, context, colour, at);
  },

  paintWait(context, colour, wait, x, y, high, stripes) {
    const begin = x(wait.from);
    const end = x(wait.to);
    if (end - begin < 1) return;
    context.fillStyle = stripes;
    context.fillRect(begin, y + 2, end - begin, high - 4);
    context.strokeStyle = colour(wait.open ? "--warp-bad" : "--warp-soft");
    context.lineWidth = 1;
    context.strokeRect(begin + 0.5, y + 2.5, end - begin - 1, high - 5);
    const words = [wait.open ? "never released from the barrier" : "waits at the barrier", wait.open ? "never released" : "waits"]
      .find((one) => context.measureText(one).width + 16 < end - begin);
    if (!words || high < 16) return;
    context.fillStyle = colour("--warp-wait");
    context.fillRect(begin + 4, y + 4, context.measureText(words).width + 6, high - 8);
    context.fillStyle = colour("--warp-ink");
    context.fillText(words, begin + 7, y + high / 2);
  },

  /// Names of the rows of a race's two threads.
  paintThreads(model, context, colour, { finding, threadY, left }) {
    context.fillStyle = colour("--warp-ink");
    finding.race.sides.forEach(({ warp, lane }, side) =>
      context.fillText(`thread ${model.thread(warp, lane)}`, 8, threadY(side) + 24, left - 12));
  },

  paintMark(model, context, colour, finding, { x, y, high, width, left }) {
    const step = model.steps[finding.step];
    const middle = (x(model.start[step.index]) + x(model.end[step.index])) / 2;
    if (middle < left) return;
    const row = y(step.warp) + high / 2;
    context.fillStyle = colour("--warp-bad");
    context.beginPath();
    context.arc(middle, row, Math.min(7, high / 2), 0, 7);
    context.fill();
    const words = `${finding.kind.replaceAll("-", " ")}, line ${finding.line}`;
    const wide = context.measureText(words).width + 10;
    Warp.plate(context, colour, words, middle + 12 + wide < width ? middle + 12 : middle - 12 - wide, row);
  },

  paintRace(model, context, colour, at) {
    const ends = at.race.map((index, side) => index < 0 ? null : {
      x: (at.x(model.start[index]) + at.x(model.end[index])) / 2,
      y: at.apart ? at.threadY(side) + 24 : at.y(at.finding.race.sides[side].warp) + at.high / 2,
      words: `${this.sideWords(model, at.finding, side, index)}, line ${model.line(model.steps[index])}`,
    });
    Warp.paintEdge(context, colour, ends, "no barrier between", at.left, at.width);
  },

  legend(model, race) {
    return Warp.legend(["warp-key-run", "a warp runs: colour and number are the source line, the height its active lanes"],
      model.waits.length > 0 && ["warp-key-stripes", "waits at a barrier"],
      model.barriers.length > 0 && ["warp-key-barrier", "all warps have arrived: the barrier is complete"],
      ["warp-key-empty", "has ended"],
      race && ["warp-key-race", "one of the race's two accesses"],
      race && ["warp-key-missing", "the missing edge: nothing orders the two"],
      model.block.findings.some((finding) => finding.step >= 0 && !finding.race) && ["warp-key-bad", "finding"],
      ["warp-key-cursor", "this step"]);
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
