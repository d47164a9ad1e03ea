"use strict";
// A warp's access to global memory: lanes to sectors of 32 bytes in lines of 128 bytes, beside what
// as few sectors as possible would be.

/// The sectors that an access touches, by line: [{ line, sectors: [{ sector, bytes }] }]. Each
/// sector has a flag for each of its bytes.
Warp.sectorsOf = (step) => {
  const sectors = new Map();
  for (const lane of Warp.lanesOf(step.lanes)) {
    for (let byte = 0; byte < step.width; ++byte) {
      const at = step.address[lane] + byte;
      const sector = Math.floor(at / 32);
      if (!sectors.has(sector)) sectors.set(sector, new Uint8Array(32));
      sectors.get(sector)[at % 32] = 1;
    }
  }
  const lines = new Map();
  for (const sector of [...sectors.keys()].sort((a, b) => a - b)) {
    const line = Math.floor(sector / 4);
    if (!lines.has(line)) lines.set(line, []);
    lines.get(line).push({ sector, bytes: sectors.get(sector) });
  }
  return [...lines].map(([line, list]) => ({ line, sectors: list }));
};

Warp.accessPicture = {
  id: "access",
  title: "Memory access",
  explains: "Each lane's address, and the 32-byte sectors that the warp moves for it.",
  stops: (model) => model.steps.filter((s) => s.kind === "access" && !s.shared).map((s) => s.index),

  says(model, step) {
    const moved = step.passes * 32;
    const used = new Set();
    for (const lane of Warp.lanesOf(step.lanes)) {
      for (let byte = 0; byte < step.width; ++byte) used.add(step.address[lane] + byte);
    }
    const percent = moved === 0 ? 100 : Math.round(100 * used.size / moved);
    return `${Warp.plural(step.passes, "sector")} of 32 bytes moved, ${Warp.number(step.ideal)} ` +
      `would do; ${Warp.number(used.size)} of ${Warp.number(moved)} bytes are used (${percent} %).`;
  },

  tags: (model) => Warp.costTags(model, false, "sectors"),

  draw(model, step, width) {
    const lines = this.inOrder(Warp.sectorsOf(step), step);
    const lanes = Warp.lanesOf(step.lanes);
    const perRow = width < 560 ? 16 : 32;
    const cell = Math.min(26, Math.floor((width - 4) / perRow));
    const top = 18;
    const parts = [Warp.textAt(0, 12, `warp ${step.warp}: its 32 lanes`, { class: "warp-label" })];
    const wires = [];
    const laneX = (lane) => (lane % perRow) * cell + cell / 2;
    const laneY = (lane) => top + (lane < perRow ? 0 : 24);
    for (let lane = 0; lane < 32; ++lane) {
      const active = lanes.includes(lane);
      parts.push(Warp.rect(laneX(lane) - cell / 2 + 1, laneY(lane), cell - 2, 20, {
        class: active ? "warp-lane" : "warp-lane warp-off", rx: 3, "data-lane": lane,
      }, Warp.element("title", {}, active
        ? `lane ${lane}, thread ${model.thread(step.warp, lane)}: ${model.elementName(step, lane)}`
        : `lane ${lane} takes no part`)));
      parts.push(Warp.textAt(laneX(lane), laneY(lane) + 14, String(lane), {
        class: active ? "warp-lane-text" : "warp-lane-text warp-off", "text-anchor": "middle",
      }));
    }
    const lanesEnd = top + (perRow === 32 ? 20 : 44);
    const drawn = this.drawLines(model, step, lines, width, lanesEnd + 88);
    const colour = step.passes > step.ideal ? "warp-wire warp-bad" : "warp-wire";
    for (const lane of lanes) {
      const place = drawn.places.get(Math.floor(step.address[lane] / 32));
      if (!place) continue;
      wires.push(Warp.curve(laneX(lane), laneY(lane) + 20,
        place.x + (step.address[lane] % 32) / 32 * place.width, place.y, { class: colour }));
    }
    parts.push(...drawn.parts);
    const used = Warp.lanesOf(step.lanes).length * step.width;
    const name = `Lanes and the sectors that they touch. ${this.says(model, step)}`;
    return Warp.element("div", {},
      Warp.heading(`Yours: line ${model.line(step)} ${step.type}s ${Warp.plural(used, "byte")} in ` +
        Warp.plural(step.passes, "sector")),
      Warp.legend(["warp-key-line", "four boxes: a line of 128 bytes, with its first element; each box a sector of 32 bytes"],
        ["warp-key-moved", "a sector that is moved"], ["warp-key-used", "filled as far as its bytes are used"],
        ["warp-key-empty", "a sector that is not moved"]),
      Warp.picture(width, drawn.height, name, ...wires, ...parts),
      this.drawIdeal(step, width));
  },

  /// Lines in the order of the lanes, so that wires cross only where lanes do.
  inOrder(lines, step) {
    const first = (line) => Warp.lanesOf(step.lanes).find((lane) =>
      Math.floor(step.address[lane] / 128) <= line && Math.floor((step.address[lane] + step.width - 1) / 128) >= line);
    const keys = new Map(lines.map(({ line }) => [line, first(line)]));
    return lines.toSorted((a, b) => keys.get(a.line) - keys.get(b.line) || a.line - b.line);
  },

  /// Lines of four sectors each, in one row if it has the room.
  drawLines(model, step, lines, width, top) {
    const shown = lines.slice(0, 64);
    const perRow = Math.min(shown.length, width < 560 ? 8 : 32);
    const sector = Math.max(4, Math.min(40, Math.floor((width / perRow - 4) / 4)));
    const lineWidth = 4 * sector + Math.min(14, Math.floor(width / perRow) - 4 * sector);
    const rows = Math.ceil(shown.length / perRow);
    const parts = [];
    const places = new Map();
    let free = 0;
    shown.forEach(({ line, sectors }, number) => {
      const x = (number % perRow) * lineWidth;
      const y = top + Math.floor(number / perRow) * 46;
      if (x === 0) free = 0;
      const label = model.nameOf(false, line * 128, this.elementWidth(model, step));
      if (x >= free && x + label.length * 6 < width) {
        parts.push(Warp.textAt(x, y + 32, label, { class: "warp-label" }));
        free = x + label.length * 6.2 + 6;
      }
      for (let i = 0; i < 4; ++i) {
        const touched = sectors.find((one) => one.sector === line * 4 + i);
        const used = touched ? touched.bytes.reduce((a, b) => a + b, 0) : 0;
        parts.push(Warp.rect(x + i * sector, y, sector - 1, 20, { class: touched ? "warp-sector warp-moved" : "warp-sector" },
          Warp.element("title", {}, touched ? `sector: ${used} of 32 bytes used` : "not moved")));
        if (!touched) continue;
        places.set(touched.sector, { x: x + i * sector, y, width: sector - 1 });
        parts.push(Warp.rect(x + i * sector + 1, y + 20 - used * 20 / 32, sector - 3, used * 20 / 32, { class: "warp-used" }));
      }
    });
    return { parts, places, height: top + rows * 46 - 8 };
  },

  elementWidth: (model, step) => model.instruction(step).width || step.width,

  drawIdeal(step, width) {
    const perRow = Math.max(4, Math.floor(width / 42));
    const parts = [];
    for (let i = 0; i < Math.min(step.ideal, 64); ++i) {
      const [x, y] = [(i % perRow) * 42, Math.floor(i / perRow) * 26 + 2];
      parts.push(Warp.rect(x, y, 38, 20, { class: "warp-sector warp-good" }), Warp.rect(x + 1, y + 1, 36, 18, { class: "warp-used" }));
    }
    return Warp.element("div", {},
      Warp.heading(`Ideal: the same bytes in ${Warp.plural(step.ideal, "sector")}, side by side` +
        (step.passes > step.ideal ? ` (yours: ${Warp.number(step.passes)})` : "")),
      Warp.picture(width, Math.ceil(Math.max(1, Math.min(step.ideal, 64)) / perRow) * 26 + 2,
        `${Warp.plural(step.ideal, "sector")}`, ...parts));
  },

  table(model, step) {
    return {
      caption: `${step.type} of ${Warp.plural(step.width, "byte")} per lane, warp ${step.warp}, ` +
        `${model.place(step)}: ${this.says(model, step)}`,
      head: ["Lane", "Thread", "Element", "Sector"],
      rows: Warp.lanesOf(step.lanes).map((lane) => [
        lane, model.thread(step.warp, lane), model.elementName(step, lane),
        `0x${(Math.floor(step.address[lane] / 32) * 32).toString(16)}`,
      ]),
    };
  },
};
