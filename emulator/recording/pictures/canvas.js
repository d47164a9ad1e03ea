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
