"use strict";
// A race between two blocks: a row for the warp of each, with its own clock, and the edge that is
// missing between the two accesses.

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
    const ends = rows.map((row, number) => paintRow(row, y(number)));
    context.strokeStyle = context.fillStyle = colour("--warp-bad");
    if (ends[0] && ends[1]) {
      context.lineWidth = 3;
      context.setLineDash([7, 5]);
      context.beginPath();
      context.moveTo(...ends[0]);
      context.lineTo(...ends[1]);
      context.stroke();
      context.setLineDash([]);
      const says = "nothing orders the two blocks";
      const wide = context.measureText(says).width + 12;
      const middle = Math.min(Math.max((ends[0][0] + ends[1][0]) / 2, wide / 2), width - wide / 2);
      const between = (ends[0][1] + ends[1][1]) / 2;
      context.fillStyle = colour("--warp-paper");
      context.fillRect(middle - wide / 2, between - 9, wide, 18);
      context.fillStyle = colour("--warp-bad");
      context.textAlign = "center";
      context.fillText(says, middle, between);
      context.textAlign = "left";
    }
    for (const end of ends) {
      if (!end) continue;
      context.beginPath();
      context.arc(...end, 8, 0, 7);
      context.fill();
    }

    function paintRow({ of, warp, step, name }, at) {
      context.fillStyle = colour("--warp-ink");
      context.fillText(of ? name : `${name}, which is not recorded`, 4, at - 11);
      context.fillStyle = colour("--warp-empty");
      context.fillRect(x(0), at, x(total) - x(0), high);
      if (!of) return null;
      for (const one of of.steps) {
        const [begin, end] = [of.start[one.index], of.end[one.index]];
        if (one.warp !== warp || end <= begin) continue;
        context.fillStyle = colour(`--warp-hue-${Warp.lineHue(of, one)}`);
        context.fillRect(x(begin), at + 2, Math.max(0.6, x(end) - x(begin)), high - 4);
      }
      return step < 0 ? null : [(x(of.start[step]) + x(of.end[step])) / 2, at + high / 2];
    }
  });
  return Warp.element("div", {}, Warp.element("div", { class: "warp-canvas" }, picture),
    Warp.legend(["warp-key-run", "runs, coloured by source line"], ["warp-key-race", "the two accesses"]));
};
