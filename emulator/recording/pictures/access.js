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

  draw(model, step, width) {
    const lines = Warp.sectorsOf(step);
    const lanes = Warp.lanesOf(step.lanes);
    const perRow = width < 560 ? 16 : 32;
    const cell = Math.min(26, Math.floor((width - 4) / perRow));
    const top = 18;
    const parts = [Warp.textAt(0, 12, "lanes", { class: "warp-label" })];
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
    const linesTop = lanesEnd + (lines.length > 12 ? 90 : 64);
    const drawn = this.drawLines(model, step, lines, width, linesTop);
    const colour = step.passes > step.ideal ? "warp-wire warp-bad" : "warp-wire";
    for (const lane of lanes) {
      const place = drawn.places.get(Math.floor(step.address[lane] / 32));
      if (!place) continue;
      wires.push(Warp.curve(laneX(lane), laneY(lane) + 20,
        place.x + (step.address[lane] % 32) / 32 * place.width, place.y, { class: colour }));
    }
    parts.push(...drawn.parts);
    const name = `Lanes and the sectors that they touch. ${this.says(model, step)}`;
    return Warp.element("div", {},
      Warp.element("p", { class: "warp-heading" }, `Yours: ${Warp.plural(step.passes, "sector")}`),
      Warp.picture(width, drawn.height, name, ...wires, ...parts),
      this.drawIdeal(step, width));
  },

  /// Lines of four sectors each, as many per row as fit.
  drawLines(model, step, lines, width, top) {
    const sector = 40;
    const lineWidth = 4 * sector + 14;
    const perRow = Math.max(1, Math.floor((width + 14) / lineWidth));
    const shown = lines.slice(0, 64);
    const parts = [];
    const places = new Map();
    shown.forEach(({ line, sectors }, number) => {
      const x = (number % perRow) * lineWidth;
      const y = top + Math.floor(number / perRow) * 46;
      parts.push(Warp.textAt(x, y - 4, model.nameOf(false, line * 128, this.elementWidth(model, step)),
        { class: "warp-label" }));
      for (let i = 0; i < 4; ++i) {
        const touched = sectors.find((one) => one.sector === line * 4 + i);
        const title = Warp.element("title", {}, touched
          ? `sector: ${touched.bytes.reduce((a, b) => a + b, 0)} of 32 bytes used` : "not moved");
        parts.push(Warp.rect(x + i * sector, y, sector - 2, 20,
          { class: touched ? "warp-sector warp-moved" : "warp-sector", rx: 2 }, title));
        if (!touched) continue;
        places.set(touched.sector, { x: x + i * sector, y, width: sector - 2 });
        for (let word = 0; word < 8; ++word) {
          if (!touched.bytes.subarray(word * 4, word * 4 + 4).some((b) => b)) continue;
          parts.push(Warp.rect(x + i * sector + 1 + word * 4.5, y + 3, 4, 14, { class: "warp-used" }));
        }
      }
    });
    const rows = Math.ceil(shown.length / perRow);
    return { parts, places, height: top + rows * 46 };
  },

  elementWidth: (model, step) => model.instruction(step).width || step.width,

  drawIdeal(step, width) {
    const perRow = Math.max(4, Math.floor(width / 42));
    const parts = [];
    for (let i = 0; i < Math.min(step.ideal, 64); ++i) {
      parts.push(Warp.rect((i % perRow) * 42, Math.floor(i / perRow) * 26 + 2, 38, 20,
        { class: "warp-sector warp-good", rx: 2 }));
    }
    return Warp.element("div", {},
      Warp.element("p", { class: "warp-heading" }, `Ideal: ${Warp.plural(step.ideal, "sector")} for the same bytes`),
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
