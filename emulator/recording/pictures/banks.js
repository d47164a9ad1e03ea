"use strict";
// A warp's access to shared memory: the 32 banks, and the wavefronts that serve it one after another.

/// Wavefronts of an access: [{ bank: [{ word, lanes }] }], one Map of banks each. Accesses of 8 bytes
/// are served half a warp at a time, of 16 bytes a quarter.
Warp.wavefrontsOf = (step, address = step.address) => {
  const groups = step.width > 8 ? 4 : step.width > 4 ? 2 : 1;
  const fronts = [];
  for (let group = 0; group < groups; ++group) {
    const banks = new Map();  // bank -> Map word -> lanes
    for (const lane of Warp.lanesOf(step.lanes)) {
      if (Math.floor(lane / (32 / groups)) !== group) continue;
      const firstWord = Math.floor(address[lane] / 4);
      const lastWord = Math.floor((address[lane] + step.width - 1) / 4);
      for (let word = firstWord; word <= lastWord; ++word) {
        const bank = word % 32;
        if (!banks.has(bank)) banks.set(bank, new Map());
        if (!banks.get(bank).has(word)) banks.get(bank).set(word, []);
        banks.get(bank).get(word).push(lane);
      }
    }
    const depth = Math.max(0, ...[...banks.values()].map((words) => words.size));
    for (let i = 0; i < depth; ++i) {
      const front = new Map();
      for (const [bank, words] of banks) {
        const entry = [...words][i];
        if (entry) front.set(bank, { word: entry[0], lanes: entry[1] });
      }
      fronts.push(front);
    }
  }
  return fronts;
};

/// The 32 banks, a row for each wavefront. @param name  for screen readers
Warp.drawWavefronts = (fronts, width, name) => {
  const left = width < 560 ? 30 : 92;
  const cell = Math.max(9, Math.min(26, Math.floor((width - left - 2) / 32)));
  const parts = [Warp.textAt(0, 12, left < 40 ? "bank" : "bank \u2192", { class: "warp-label" })];
  for (let bank = 0; bank < 32; ++bank) {
    if (cell >= 18 || bank % 4 === 0) {
      parts.push(Warp.textAt(left + bank * cell + cell / 2, 12, String(bank),
        { class: "warp-label", "text-anchor": "middle" }));
    }
  }
  const shown = fronts.slice(0, 32);
  shown.forEach((front, number) => {
    const y = 20 + number * 26;
    parts.push(Warp.textAt(0, y + 15, left < 40 ? String(number + 1) : `wavefront ${number + 1}`, { class: "warp-label" }));
    for (let bank = 0; bank < 32; ++bank) {
      const entry = front.get(bank);
      const title = Warp.element("title", {}, entry
        ? `bank ${bank}, wavefront ${number + 1}: word ${entry.word}, lanes ${entry.lanes.join(", ")}`
        : `bank ${bank} is idle`);
      parts.push(Warp.rect(left + bank * cell + 1, y, cell - 2, 22, {
        class: entry ? number === 0 ? "warp-bank warp-served" : "warp-bank warp-conflict" : "warp-bank",
        rx: 2,
      }, title));
      if (entry && cell >= 16) {
        const more = entry.lanes.length > 1 ? "+" : "";
        parts.push(Warp.textAt(left + bank * cell + cell / 2, y + 15, entry.lanes[0] + more,
          { class: "warp-bank-text", "text-anchor": "middle" }));
      }
    }
  });
  return Warp.element("div", {},
    Warp.legend(["warp-key-fine", "a bank's word in the first wavefront"],
      fronts.length > 1 && ["warp-key-wrong", "bank conflict: another word of the same bank, so one wavefront later"],
      ["warp-key-empty", "the bank is idle"], cell >= 16 && ["warp-key-tag", "number: the lane; 4+: lane 4 and others that use the same word"]),
    Warp.picture(left + 32 * cell, 20 + Math.max(1, shown.length) * 26, name, ...parts));
};

/// Words for lines of which an access needs more wavefronts or sectors than it could.
Warp.costTags = (model, shared, what) => {
  model.costs ??= new Map();
  if (model.costs.has(shared)) return model.costs.get(shared);
  const sums = new Map();
  for (const step of model.steps) {
    if (step.kind !== "access" || step.shared !== shared || step.passes <= step.ideal) continue;
    const line = model.line(step);
    const worst = sums.get(line);
    if (!worst || step.passes / step.ideal > worst.passes / worst.ideal) sums.set(line, step);
  }
  const tags = new Map([...sums].map(([line, { passes, ideal, type }]) =>
    [line, [`${type}: ${passes} ${what} instead of ${ideal}`, "cost"]]));
  model.costs.set(shared, tags);
  return tags;
};

Warp.banksPicture = {
  id: "banks",
  title: "Banks",
  explains: "The bank of each lane's word. Different words of one bank need a wavefront each.",
  stops: (model) => model.steps.filter((s) => s.kind === "access" && s.shared).map((s) => s.index),

  says(model, step) {
    const extra = step.passes - step.ideal;
    return `${Warp.plural(step.passes, "wavefront")}, ${Warp.number(step.ideal)} would do: ` +
      (extra > 0 ? `${Warp.plural(extra, "wavefront")} because of bank conflicts.`
                 : "no bank conflict.");
  },

  tags: (model) => Warp.costTags(model, true, "wavefronts"),

  /// Bytes of a row of the array, as far as the access tells: the distance of lanes that conflict.
  rowOf(model, step) {
    const lanes = Warp.lanesOf(step.lanes);
    for (let i = 1; i < lanes.length; ++i) {
      const distance = Math.abs(step.address[lanes[i]] - step.address[lanes[i - 1]]);
      if (distance >= 32 && distance % 4 === 0) return distance;
    }
    return 128;
  },

  /// Where the lanes would be with `padding` more elements per row.
  padded(model, step, row, padding) {
    const array = model.arrayAt(true, step.address[Warp.lanesOf(step.lanes)[0]]);
    const base = array?.base ?? 0;
    const width = model.instruction(step).width || 4;
    return step.address.map((at) => at + Math.floor((at - base) / row) * padding * width);
  },

  draw(model, step, width, state, changed) {
    const padding = state.padding ?? 0;
    const row = this.rowOf(model, step);
    const address = padding === 0 ? step.address : this.padded(model, step, row, padding);
    const fronts = Warp.wavefrontsOf(step, address);
    const count = padding === 0 ? step.passes : fronts.length;
    const name = `Banks and wavefronts. ${this.says(model, step)}`;
    const id = `warp-padding-${Warp.banksPicture.numbers = (Warp.banksPicture.numbers ?? 0) + 1}`;
    const slider = Warp.element("input", {
      type: "range", id, min: 0, max: 8, step: 1, value: padding,
      oninput: (event) => { state.padding = +event.target.value; changed(); },
    });
    const width4 = model.instruction(step).width || 4;
    return Warp.element("div", {},
      Warp.heading(padding === 0 ? `Yours: line ${model.line(step)} ${step.type}s with ${Warp.plural(count, "wavefront")}, ` +
          `one after another. Ideal: ${Warp.number(step.ideal)}`
        : `With ${Warp.plural(padding, "element")} of padding: ${Warp.plural(count, "wavefront")} ` +
          `instead of ${Warp.number(step.passes)}`),
      Warp.drawWavefronts(fronts, width, name),
      Warp.element("div", { class: "warp-control" },
        Warp.element("label", { for: id },
          `Padding per row of ${Warp.plural(row / width4, "element")}: `), slider,
        Warp.element("output", { for: id }, ` ${padding}`)));
  },

  table(model, step) {
    const fronts = Warp.wavefrontsOf(step);
    const rows = [];
    fronts.forEach((front, number) => {
      for (const [bank, { word, lanes }] of [...front].sort((a, b) => a[0] - b[0])) {
        rows.push([number + 1, bank, model.nameOf(true, word * 4, model.instruction(step).width || 4),
          lanes.join(", ")]);
      }
    });
    return {
      caption: `${step.type} of ${Warp.plural(step.width, "byte")} per lane, warp ${step.warp}, ` +
        `${model.place(step)}: ${this.says(model, step)}`,
      head: ["Wavefront", "Bank", "Word", "Lanes"],
      rows,
    };
  },
};
