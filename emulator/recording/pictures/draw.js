"use strict";
// Elements of pages and pictures, words and colours.

Warp.element = (tag, attributes = {}, ...children) => {
  const svg = ["svg", "g", "rect", "path", "text", "circle", "line", "title", "defs", "pattern"];
  const made = svg.includes(tag) ? document.createElementNS("http://www.w3.org/2000/svg", tag)
                                 : document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) made.addEventListener(name.slice(2), value);
    else if (value !== null && value !== undefined) made.setAttribute(name, value);
  }
  made.append(...children.filter((child) => child !== null && child !== undefined));
  return made;
};

Warp.plural = (count, one, many = one + "s") => `${Warp.number(count)} ${count === 1 ? one : many}`;
/// A number with commas. Without toLocaleString(), whose first call loads tables for tens of milliseconds.
Warp.number = (value) => {
  const [whole, fraction] = String(Math.round(value * 1000) / 1000).split(".");
  const grouped = whole.replace(/\B(?=(\d{3})+$)/g, ",");
  return fraction ? `${grouped}.${fraction}` : grouped;
};

/// Twelve hues, for source lines only; the style sheet has them for light and dark. Warps have a name, blocks a grey.
Warp.hue = (number) => `var(--warp-hue-${number % 12})`;
Warp.colour = (name, element) => getComputedStyle(element).getPropertyValue(name).trim();

/// An SVG as wide as its container, `height` pixels high, that has a name for screen readers.
Warp.picture = (width, height, name, ...children) => Warp.element("svg", {
  viewBox: `0 0 ${width} ${height}`, width: "100%", role: "img", "aria-label": name,
  style: `max-width: ${width}px`,
}, ...children);

Warp.textAt = (x, y, text, attributes = {}) => Warp.element("text", { x, y, ...attributes }, text);
Warp.rect = (x, y, width, height, attributes = {}, ...children) =>
  Warp.element("rect", { x, y, width, height, ...attributes }, ...children);
/// A curve from above to below.
Warp.curve = (x1, y1, x2, y2, attributes = {}) => {
  const middle = (y1 + y2) / 2;
  return Warp.element("path", {
    d: `M${x1} ${y1}C${x1} ${middle} ${x2} ${middle} ${x2} ${y2}`, fill: "none", ...attributes,
  });
};

/// A line of writing that belongs to a picture.
Warp.heading = (...words) => Warp.element("div", { class: "warp-heading" }, ...words);

/// What the marks of a picture mean: pairs of the attributes of a sample and words.
Warp.legend = (...items) => Warp.element("div", { class: "warp-legend" }, ...items.filter((item) => item).map(([sample, words]) =>
  Warp.element("span", {}, Warp.element("i", typeof sample === "string" ? { class: sample } : sample), words)));

/// The 32 lanes of a warp as cells. @param of  gives of a lane the cell's { class, title } and what is in it; null: no cell
Warp.lanes = (columns, of) => Warp.element("div", { class: "warp-lanes", style: `grid-template-columns: repeat(${columns}, minmax(2px, 1fr))` },
  ...Array.from({ length: 32 }, (_, lane) => of(lane)).map((cell) => cell && Warp.element("span", ...cell)));

Warp.table = ({ caption, head, rows }) => {
  const row = (cells, tag) => Warp.element("tr", {}, ...cells.map((cell) =>
    Warp.element(tag, tag === "th" ? { scope: "col" } : {}, String(cell))));
  return Warp.element("table", {}, Warp.element("caption", {}, caption),
    Warp.element("thead", {}, row(head, "th")),
    Warp.element("tbody", {}, ...rows.map((cells) => row(cells, "td"))));
};

/// Bytes of an element as a number. `type`: 0 unknown, 1 floating, 2 signed, 3 unsigned.
Warp.value = (bytes, type) => {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const size = bytes.byteLength;
  if (type === 1 && size === 4) return view.getFloat32(0, true);
  if (type === 1 && size === 8) return view.getFloat64(0, true);
  if (type === 1 && size === 2) return half(view.getUint16(0, true));
  if (size === 1) return type === 2 ? view.getInt8(0) : view.getUint8(0);
  if (size === 2) return type === 3 ? view.getUint16(0, true) : view.getInt16(0, true);
  if (size === 4) return type === 3 ? view.getUint32(0, true) : view.getInt32(0, true);
  if (size === 8) return Number(type === 3 ? view.getBigUint64(0, true) : view.getBigInt64(0, true));
  return NaN;

  function half(bits) {
    const sign = bits & 0x8000 ? -1 : 1;
    const exponent = (bits >> 10) & 31;
    const fraction = bits & 1023;
    if (exponent === 31) return fraction ? NaN : sign * Infinity;
    return sign * (exponent === 0 ? fraction * 2 ** -24 : (1 + fraction / 1024) * 2 ** (exponent - 15));
  }
};

/// What bytes without a type are: numbers whose bits make no sense as an integer are floating.
Warp.guessType = (samples, type) => {
  if (type !== 0) return type;
  let floating = 0;
  let integer = 0;
  for (const bytes of samples) {
    if (bytes.byteLength !== 4 && bytes.byteLength !== 8) continue;
    const value = Math.abs(Warp.value(bytes, 1));
    if (value === 0) continue;
    if (value > 1e-12 && value < 1e12) ++floating;
    else ++integer;
  }
  return floating > integer ? 1 : 2;
};

Warp.short = (value, type) => {
  if (Number.isNaN(value)) return "NaN";
  if (type !== 1) return String(value);
  if (value !== 0 && (Math.abs(value) < 0.001 || Math.abs(value) >= 1e6)) {
    return value.toExponential(1);
  }
  return String(+value.toPrecision(4));
};

/// The same in at most so many characters, with fewer digits: "~0" is nearer to 0 than they can say; "#" where even one
/// digit needs more.
Warp.shorter = (value, type, most) => {
  const tries = [Warp.short(value, type)];
  if (type === 1) {
    for (let digits = 3; digits > 0; --digits) tries.push(String(+value.toPrecision(digits)));
    tries.push(Math.abs(value) < 0.05 ? "~0" : value.toFixed(1));
  }
  tries.push(value.toExponential(0));
  return tries.map((text) => text.replace(/^(-?)0\./, "$1.").replace("e+", "e"))
    .find((text) => text.length <= most) ?? "#";
};

/// Numbers of lanes in words: "0, 4 to 7".
Warp.ranges = (numbers) => {
  const parts = [];
  for (let i = 0, first = 0; i < numbers.length; ++i) {
    if (numbers[i + 1] === numbers[i] + 1) continue;
    parts.push(i === first ? numbers[i] : `${numbers[first]} to ${numbers[i]}`);
    first = i + 1;
  }
  return parts.length > 4 ? `${numbers[0]} to ${numbers.at(-1)}, not all` : parts.join(", ");
};
