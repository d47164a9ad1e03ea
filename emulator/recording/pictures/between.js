"use strict";
// The edge that is missing between a race's two accesses; and a race between two blocks: a row for the warp of each,
// with its own clock.

/// Two accesses and the edge between them. @param ends  { x, y, words } of each; null: it is not recorded
Warp.paintEdge = (context, colour, ends, says, left, width) => {
  const bad = colour("--warp-bad");
  const [low, high] = ends[0] && ends[1] ? ends.toSorted((a, b) => a.y - b.y || a.x - b.x) : ends;
  context.strokeStyle = bad;
  context.lineWidth = 3;
  if (low && high) {
    context.setLineDash([7, 5]);
    context.beginPath();
    context.moveTo(low.x, low.y);
    context.lineTo(high.x, high.y);
    context.stroke();
    context.setLineDash([]);
  }
  const near = low && high ? Math.max(0, 11 - (high.y - low.y) / 2) : 0;
  for (const end of ends) {
    if (!end) continue;
    context.fillStyle = bad;
    context.beginPath();
    context.arc(end.x, end.y, 7, 0, 7);
    context.fill();
    context.strokeStyle = colour("--warp-paper");
    context.lineWidth = 2;
    context.stroke();
    // On the side that is away from the edge, if it has the room.
    const wide = context.measureText(end.words).width + 10;
    const other = end === low ? high : low;
    const fits = [end.x + 12 + wide <= width, end.x - 12 - wide >= left];
    const right = fits[0] && (!fits[1] || !other || end.x >= other.x);
    Warp.plate(context, colour, end.words, right ? end.x + 12 : Math.max(0, end.x - 12 - wide),
      end.y + (end === low ? -near : near));
  }
  if (!low || !high) return;
  const wide = context.measureText(says).width + 10;
  const long = high.y - low.y > 56;
  const middle = (low.x + high.x) / 2 - wide / 2;
  Warp.plate(context, colour, says, Math.min(Math.max(left, middle), width - wide),
    long ? (low.y + high.y) / 2 : high.y + near + 20);
};

Warp.drawRaceOfBlocks = (model, finding, width, host) => {
  const { other, sides } = finding.race;
  const steps = model.raceSides(finding);
  const rows = sides.map(({ warp }, side) => {
    const of = other.side === side ? model.otherBlock(finding) : model;
    const block = other.side === side ? other.block : model.block.id;
    return { of, warp, step: steps[side], name: `block (${block.join(", ")}), warp ${warp}` };
  });
  const [high, apart, top] = [30, 64, 22];
  const total = Math.max(1, ...rows.map(({ of }) => of?.total ?? 0));
  const x = (time) => 4 + time / total * (width - 8);
  const y = (row) => top + row * (high + apart);
  const words = Warp.timelinePicture.raceWords(model, finding);
  const picture = Warp.canvas(width, y(1) + high + 6, words, host, (context, colour) => {
    context.font = "12px system-ui, sans-serif";
    context.textBaseline = "middle";
    const ends = rows.map((row, number) => paintRow(row, number, y(number)));
    Warp.paintEdge(context, colour, ends, "nothing orders the two blocks", 0, width);

    function paintRow({ of, warp, step, name }, side, at) {
      context.fillStyle = colour("--warp-ink");
      context.fillText(of ? name : `${name}, which is not recorded`, 4, at - 11);
      context.fillStyle = colour("--warp-empty");
      context.fillRect(x(0), at, x(total) - x(0), high);
      if (!of) return null;
      const stretches = [];
      for (const one of of.steps) {
        const [begin, end] = [of.start[one.index], of.end[one.index]];
        if (one.warp !== warp || end <= begin) continue;
        stretches.push({ row: 0, from: x(begin), to: x(end), line: of.line(one) });
        context.fillStyle = colour(`--warp-hue-${Warp.lineHue(of, one)}`);
        context.fillRect(x(begin), at + 2, Math.max(0.6, x(end) - x(begin)), high - 4);
      }
      Warp.paintLines(context, colour, stretches, () => at + high / 2);
      return step < 0 ? null : { x: (x(of.start[step]) + x(of.end[step])) / 2, y: at + high / 2,
        words: `${Warp.timelinePicture.sideWords(model, finding, side, step)}, line ${of.line(of.steps[step])}` };
    }
  });
  return Warp.element("div", {},
    Warp.legend(["warp-key-run", "a warp runs: colour and number are the source line"],
      ["warp-key-race", "one of the race's two accesses"], ["warp-key-missing", "the missing edge"]),
    Warp.element("div", { class: "warp-canvas" }, picture));
};
