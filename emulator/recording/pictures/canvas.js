"use strict";
// Pictures of too many parts for elements, and the colours of source lines.

/// A canvas as sharp as the screen. @param paint  gets the context and a function that gives the
/// value of a colour of the style sheet
Warp.canvas = (width, height, name, host, paint) => {
  const canvas = Warp.element("canvas", { role: "img", "aria-label": name });
  const scale = window.devicePixelRatio || 1;
  canvas.width = Math.round(width * scale);
  canvas.height = Math.round(height * scale);
  canvas.style.width = `${width}px`;
  canvas.style.height = `${height}px`;
  const context = canvas.getContext("2d");
  context.scale(scale, scale);
  paint(context, Warp.coloursOf(host));
  return canvas;
};

/// A function that gives the value of a colour of the style sheet. Values are kept until the host's
/// `data-colours` changes: asking for one makes the browser compute all styles.
Warp.coloursOf = (host) => {
  const { colours } = host.dataset;
  let known = Warp.coloursOf.known.get(host);
  if (!known || known.colours !== colours) Warp.coloursOf.known.set(host, known = { colours, values: new Map() });
  return (name) => {
    if (!known.values.has(name)) known.values.set(name, Warp.colour(name, host));
    return known.values.get(name);
  };
};
Warp.coloursOf.known = new WeakMap();

/// The number of a source line's hue: lines get them in the order of the text.
Warp.lineHue = (model, step) => {
  if (!model.hues) {
    const lines = new Map();
    for (const one of model.block.instructions) lines.set(`${one.file}:${one.line}`, one);
    model.hues = new Map([...lines].sort(([, a], [, b]) => a.file - b.file || a.line - b.line)
      .map(([key], number) => [key, number % 12]));
  }
  const { file, line } = model.instruction(step);
  return model.hues.get(`${file}:${line}`);
};

/// A fill of small marks: "stripes" or "dots".
Warp.pattern = (context, kind, ground, mark) => {
  const tile = document.createElement("canvas");
  tile.width = tile.height = 6;
  const part = tile.getContext("2d");
  part.fillStyle = ground;
  part.fillRect(0, 0, 6, 6);
  part.strokeStyle = part.fillStyle = mark;
  if (kind === "dots") part.fillRect(2, 2, 1.5, 1.5);
  else {
    part.lineWidth = 1.5;
    part.beginPath();
    for (const at of [-6, 0, 6]) {
      part.moveTo(at - 1, 7);
      part.lineTo(at + 7, -1);
    }
    part.stroke();
  }
  return context.createPattern(tile, "repeat");
};

/// Writing on a ground of its own, over a picture. @param x  its left end
Warp.plate = (context, colour, words, x, y, ink = "--warp-bad") => {
  const wide = context.measureText(words).width + 10;
  context.fillStyle = colour("--warp-paper");
  context.fillRect(x, y - 9, wide, 18);
  context.strokeStyle = context.fillStyle = colour(ink);
  context.lineWidth = 1;
  context.strokeRect(x + 0.5, y - 8.5, wide - 1, 17);
  context.textAlign = "left";
  context.fillText(words, x + 5, y);
};

/// Numbers of source lines on what ran: one for each stretch of a line that has the room.
/// @param stretches  { row, from, to, line } in pixels, those of a row in order
Warp.paintLines = (context, colour, stretches, middle) => {
  context.fillStyle = colour("--warp-ink");
  context.textAlign = "center";
  const last = new Map();
  const put = ({ from, to, line, row }) => {
    const words = String(line);
    if (to - from > words.length * 6.8 + 4) context.fillText(words, (from + to) / 2, middle(row));
  };
  for (const one of stretches) {
    const before = last.get(one.row);
    if (before && before.line === one.line && one.from - before.to < 1) before.to = one.to;
    else {
      if (before) put(before);
      last.set(one.row, { ...one });
    }
  }
  last.forEach(put);
  context.textAlign = "left";
};

/// The mark of the step: a frame around it, which covers nothing of it.
Warp.cursor = (x, y, width, height) => Warp.element("i", { class: "warp-cursor",
  style: `left: ${x - 3}px; top: ${y - 2}px; height: ${height + 4}px; width: ${Math.max(2, width) + 6}px` });
