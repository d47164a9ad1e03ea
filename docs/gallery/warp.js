"use strict";
// Recordings as warpsim writes them (docs/recordings.md), and what all pictures share. The only
// global name of the pictures is Warp; they use nothing of the page that they are on.
const Warp = {};

/// Reads numbers and texts as emulator/recording/bytes.h writes them. Numbers above 2^53 lose their
/// last bits, which only addresses that lead nowhere have.
Warp.Bytes = class {
  constructor(bytes) {
    this.bytes = bytes;
    this.at = 0;
  }
  byte() {
    if (this.at >= this.bytes.length) throw new Error("the recording is truncated");
    return this.bytes[this.at++];
  }
  number() {
    let value = this.byte();
    if (value < 128) return value;
    value &= 127;
    let scale = 128;
    for (;;) {
      const next = this.byte();
      value += (next & 127) * scale;
      if (next < 128) return value;
      scale *= 128;
    }
  }
  difference() {
    const value = this.number();
    return value % 2 === 0 ? value / 2 : -(value + 1) / 2;
  }
  lanes() {
    let value = 0;
    for (let i = 0; i < 4; ++i) value += this.byte() * 2 ** (8 * i);
    return value >>> 0;
  }
  raw(size) {
    if (size > this.bytes.length - this.at) throw new Error("the recording is truncated");
    this.at += size;
    return this.bytes.subarray(this.at - size, this.at);
  }
  text() {
    return new TextDecoder().decode(this.raw(this.number()));
  }
  list(read) {
    const count = this.number();
    if (count > this.bytes.length - this.at) throw new Error("the recording is truncated");
    return Array.from({ length: count }, () => read());
  }
  time() {
    const at = this.raw(8);
    return new DataView(at.buffer, at.byteOffset, 8).getFloat64(0, true);
  }
  triple() {
    return [this.number(), this.number(), this.number()];
  }
};

Warp.kinds = ["run", "access", "arrive", "complete", "diverge", "fault", "leave"];
Warp.types = ["load", "store", "atomic"];

/// Numbers of the lanes of a mask. Few masks are used by very many steps: their lists are kept.
Warp.lanesOf = (mask) => {
  let lanes = Warp.lanesOf.known.get(mask);
  if (!lanes) {
    lanes = [];
    for (let lane = 0; lane < 32; ++lane) if ((mask >>> lane) & 1) lanes.push(lane);
    if (Warp.lanesOf.known.size < 4096) Warp.lanesOf.known.set(mask, lanes);
  }
  return lanes;
};
Warp.lanesOf.known = new Map();

Warp.readSteps = (bytes, count, instructions) => {
  const from = new Warp.Bytes(bytes);
  const first = new Array(instructions).fill(0);
  const warps = Array.from({ length: 64 }, () => ({ lanes: 0, instruction: 0 }));
  const steps = [];
  let warp = 0;
  for (let i = 0; i < count; ++i) {
    const head = from.byte();
    if (head & 8) warp = from.number();
    const last = warps[warp];
    last.instruction += from.difference();
    if (head & 16) last.lanes = from.lanes();
    const step = new Warp.Step(i, Warp.kinds[head & 7], warp, last.instruction, last.lanes);
    if (step.kind === "access" || step.kind === "fault") {
      readAccess(step);
    } else if (step.kind === "diverge") {
      step.other = from.lanes();
    } else if (step.kind !== "leave") {
      step.count = from.number();
    }
    steps.push(step);
  }
  return steps;

  function readAccess(step) {
    const form = from.byte();
    step.type = Warp.types[form & 3];
    step.shared = (form & 4) !== 0;
    step.width = from.number();
    const count = Warp.lanesOf(step.lanes).length;
    step.first = first[step.instruction] += from.difference();
    // From one lane to the next: one number where it is the same for all.
    if (count < 2) step.distance = 0;
    else if (form & 8) step.distance = from.difference();
    else step.distance = Array.from({ length: count - 1 }, () => from.difference());
    step.passes = from.number();
    step.ideal = from.number();
    step.count = 1;
    step.stride = form & 16 ? 0 : step.width;  // from one lane's value to the next one's
    if (form & 48) step.raw = from.raw(form & 16 ? step.width : step.width * count);
  }
};

/// A step. What each lane of an access does is unpacked when it is asked for: most of very many
/// steps are never shown.
Warp.Step = class {
  constructor(index, kind, warp, instruction, lanes) {
    this.index = index;
    this.kind = kind;
    this.warp = warp;
    this.instruction = instruction;
    this.lanes = lanes;
    this.count = 0;
    // Of an access, or of other kinds; all steps have one shape, which browsers make fast.
    this.type = this.other = this.distance = this.raw = this.unpacked = this.bytes = undefined;
    this.shared = false;
    this.width = this.first = this.passes = this.ideal = this.stride = 0;
  }
  /// By lane; -1 for those that take no part. Undefined where the step is no access.
  get address() {
    if (this.distance === undefined) return undefined;
    if (!this.unpacked) {
      this.unpacked = new Array(32).fill(-1);
      let address = this.first;
      Warp.lanesOf(this.lanes).forEach((lane, number) => {
        if (number > 0) address += this.distance[number - 1] ?? this.distance;
        this.unpacked[lane] = address;
      });
    }
    return this.unpacked;
  }
  /// Bytes by lane; undefined where they are not known.
  get values() {
    if (!this.raw) return undefined;
    if (!this.bytes) {
      this.bytes = new Array(32);
      Warp.lanesOf(this.lanes).forEach((lane, number) => {
        this.bytes[lane] = this.raw.subarray(number * this.stride, number * this.stride + this.width);
      });
    }
    return this.bytes;
  }
};

/// @param text  a recording in base64
Warp.read = (text) => {
  const raw = atob(text);
  const bytes = new Uint8Array(raw.length);
  for (let i = 0; i < raw.length; ++i) bytes[i] = raw.charCodeAt(i);
  const from = new Warp.Bytes(bytes);
  const magic = String.fromCharCode(...from.raw(7));
  const version = from.byte();
  if (magic !== "warprec" || version < 1 || version > 2) {
    throw new Error("this page cannot read the recording");
  }
  const recording = { card: from.text() };
  recording.files = from.list(() => ({
    name: from.text(), first: from.number(), lines: from.list(() => from.text()),
  }));
  const arrays = () => from.list(() => ({
    name: from.text(), base: from.number(), bytes: from.number(),
  }));
  const finding = () => {
    const read = {};
    for (const name of ["kind", "severity", "message", "where", "who", "got", "want", "next"]) {
      read[name] = from.text();
    }
    for (const name of ["file", "line", "otherFile", "otherLine", "count"]) {
      read[name] = from.number();
    }
    read.step = from.number() - 1;
    read.lanes = from.lanes();
    const race = from.number();  // 2 and 3: side 0 or 1 is in another block
    if (race > 0) {
      read.race = { shared: from.number() === 1, address: from.number() };
      read.race.sides = [0, 1].map(() => ({ warp: from.number(), lane: from.number() }));
      if (race > 1) read.race.other = { side: race - 2, block: from.triple() };
    }
    return read;
  };
  const output = (threads) => {
    const read = {
      name: from.text(), base: from.number(), bytes: from.number(), width: from.number(),
    };
    let writer = 0;
    let instruction = 0;
    read.elements = from.list(() => {
      const element = { count: from.number() };
      if (element.count === 0) return element;
      writer += from.difference();
      element.block = Math.floor(writer / threads);
      element.thread = writer % threads;
      ++writer;
      element.instruction = instruction += from.difference();
      return element;
    });
    return read;
  };
  recording.blocks = from.list(() => {
    const block = {
      launch: from.number(), kernel: from.text(), grid: from.triple(), block: from.triple(),
      id: from.triple(), dropped: from.number(), shared: arrays(), global: arrays(),
    };
    block.threads = block.block[0] * block.block[1] * block.block[2];
    block.instructions = from.list(() => ({
      file: from.number(), line: from.number(), text: from.text(), access: from.number(),
      width: from.number(), type: from.number(),
    }));
    const count = from.number();
    block.steps = Warp.readSteps(from.raw(from.number()), count, block.instructions.length);
    block.findings = from.list(finding);
    block.outputs = from.list(() => output(block.threads));
    if (version > 1) block.variables = new Warp.Variables(from);
    return block;
  });
  recording.notes = from.list(() => from.text());
  recording.calls = version < 2 ? { list: [] } : Warp.readCalls(from);
  return recording;
};

/// What the program asked of its streams. `after`: numbers of calls.
Warp.readCalls = (from) => {
  const calls = { begin: from.time(), end: from.time(), overlap: from.time(), leftOut: from.number() };
  const names = from.list(() => from.text());
  let number = 0;
  calls.list = from.list(() => {
    const call = { index: number++, kind: from.number(), name: names[from.number()], device: from.number(),
      stream: from.number(), engine: from.number() };
    const flags = from.number();
    call.pageable = (flags & 1) !== 0;
    if (flags & 2) call.between = [from.number(), from.number()];
    call.bytes = from.number();
    call.begin = from.time();
    call.end = from.time();
    call.ready = flags & 4 ? from.time() : call.begin;
    call.file = from.number();
    call.line = from.number();
    call.after = from.list(() => call.index - from.number());
    return call;
  });
  return calls;
};
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

/// Twelve hues, for warps and source lines; the style sheet has them for light and dark.
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

/// What the colours of a picture mean: pairs of the attributes of a sample and words.
Warp.legend = (...items) => Warp.element("p", { class: "warp-legend" }, ...items.filter((item) => item).map(([sample, words]) =>
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
"use strict";
// What follows from the steps of a block: logical time, places in arrays, the content of shared
// memory.

Warp.Model = class {
  constructor(recording, number) {
    this.recording = recording;
    this.block = recording.blocks[number];
    this.steps = this.block.steps;
    this.calls = recording.calls.list;
    this.warps = Math.ceil(this.block.threads / 32);
    this.makeTime();
    this.checkpoints = [];
  }

  /// Its instruction. A call of the program has its own line.
  instruction(step) {
    return this.block.instructions[step.instruction] ?? step;
  }
  line(step) {
    return this.instruction(step).line;
  }
  /// "reduce.cu:12"
  place(step) {
    const { file, line } = this.instruction(step);
    return file === 0 ? "unknown line" : `${this.recording.files[file - 1].name}:${line}`;
  }
  /// The text of the step's source line; empty if it is not known.
  sourceOf(step) {
    const { file, line } = this.instruction(step);
    const of = this.recording.files[file - 1];
    return of?.lines[line - of.first] ?? "";
  }
  /// The thread as the program knows it.
  thread(warp, lane) {
    const number = warp * 32 + lane;
    const [x, y] = this.block.block;
    if (y === 1 && this.block.block[2] === 1) return String(number);
    const place = [number % x, Math.floor(number / x) % y, Math.floor(number / (x * y))];
    return `(${(this.block.block[2] === 1 ? place.slice(0, 2) : place).join(",")})`;
  }
  arrayAt(shared, address) {
    const arrays = shared ? this.block.shared : this.block.global;
    return arrays.find((a) => address >= a.base && address < a.base + a.bytes) ??
      arrays.find((a) => address >= a.base - 4096 && address < a.base + a.bytes + 65536);
  }
  /// "tile[17]"
  elementName(step, lane) {
    return this.nameOf(step.shared, step.address[lane], this.instruction(step).width || step.width);
  }
  nameOf(shared, address, width) {
    const array = this.arrayAt(shared, address);
    if (!array) return `address 0x${address.toString(16)}`;
    return `${array.name}[${Math.floor((address - array.base) / width)}]`;
  }

  /// Each warp has a clock that counts its instructions; a barrier sets the clocks of those that
  /// waited to the latest one. So warps that nothing orders stand side by side, however the emulator
  /// ran them.
  makeTime() {
    const clock = new Float64Array(64);
    const waiting = new Map();
    this.start = new Float64Array(this.steps.length);
    this.end = new Float64Array(this.steps.length);
    this.waits = [];  // { warp, from, to, barrier }
    this.barriers = [];  // { time, barrier, step }
    this.phase = new Int32Array(this.steps.length);
    const phases = new Int32Array(64);
    for (const step of this.steps) {
      const { warp } = step;
      if (step.kind === "complete") {
        const those = waiting.get(step.count) ?? [];
        const time = Math.max(clock[warp], ...those.map((one) => clock[one.warp]));
        const phase = Math.max(...phases) + 1;
        for (const one of those) {
          this.waits.push({ ...one, to: time, barrier: step.count });
          clock[one.warp] = time;
          phases[one.warp] = phase;
        }
        waiting.delete(step.count);
        this.barriers.push({ time, barrier: step.count, step: step.index });
      }
      this.start[step.index] = clock[warp];
      clock[warp] += step.kind === "arrive" ? 1 : step.kind === "complete" ? 0 : step.count;
      this.end[step.index] = clock[warp];
      this.phase[step.index] = phases[warp];
      if (step.kind === "arrive") {
        if (!waiting.has(step.count)) waiting.set(step.count, []);
        waiting.get(step.count).push({ warp, from: clock[warp], step: step.index });
      }
    }
    this.total = Math.max(1, ...clock);
    for (const [barrier, those] of waiting) {
      for (const one of those) this.waits.push({ ...one, to: this.total, barrier, open: true });
    }
  }

  /// The last access of a thread to a byte, at or before a step.
  accessBefore(index, shared, address, { warp, lane }, notThis = -1) {
    for (let i = index; i >= 0; --i) {
      const step = this.steps[i];
      if (i === notThis || step.kind !== "access" || step.shared !== shared || step.warp !== warp) {
        continue;
      }
      const at = step.address[lane];
      if ((step.lanes >>> lane) & 1 && address >= at && address < at + step.width) return i;
    }
    return -1;
  }
  /// The two accesses of a race, as numbers of steps; -1 for one that is not recorded.
  raceSides(finding) {
    const { shared, address, sides, other } = finding.race;
    if (other) {
      return sides.map((side, number) => {
        const of = number === other.side ? this.otherBlock(finding) : this;
        return of ? of.accessBefore(of.steps.length - 1, shared, address, side) : -1;
      });
    }
    const second = this.accessBefore(finding.step, shared, address, sides[1]);
    const first = this.accessBefore(second < 0 ? finding.step : second, shared, address, sides[0],
      sides[0].warp === sides[1].warp && sides[0].lane === sides[1].lane ? second : -1);
    return [first, second];
  }

  /// The other block of a race between blocks; undefined if it is not recorded.
  otherBlock(finding) {
    this.others ??= new Map();
    const { block } = finding.race.other;
    const number = this.recording.blocks.findIndex((one) => one.launch === this.block.launch &&
      one.id.every((value, i) => value === block[i]));
    if (number < 0) return undefined;
    if (!this.others.has(number)) this.others.set(number, new Warp.Model(this.recording, number));
    return this.others.get(number);
  }

  /// The content of shared memory after a step: bytes, and by byte the step that wrote it last (-1:
  /// none) and how many steps wrote it.
  sharedAfter(index) {
    this.recent ??= new Map();  // a picture asks for the same two again and again
    if (!this.recent.has(index)) {
      if (this.recent.size > 3) this.recent.delete(this.recent.keys().next().value);
      this.recent.set(index, this.replayTo(index));
    }
    return this.recent.get(index);
  }
  replayTo(index) {
    const before = this.recent.get(index - 1);
    if (before) {
      const state = {
        bytes: before.bytes.slice(), writer: before.writer.slice(), count: before.count.slice(),
      };
      this.apply(state, this.steps[index]);
      return state;
    }
    const every = 512;
    const size = Math.max(0, ...this.block.shared.map((a) => a.base + a.bytes));
    let number = Math.floor((index + 1) / every);
    while (number > 0 && !this.checkpoints[number]) --number;
    const from = this.checkpoints[number];
    const state = from
      ? { bytes: from.bytes.slice(), writer: from.writer.slice(), count: from.count.slice() }
      : { bytes: new Uint8Array(size), writer: new Int32Array(size).fill(-1), count: new Uint16Array(size) };
    for (let i = number * every; i <= index; ++i) {
      if (i % every === 0 && i > 0 && !this.checkpoints[i / every]) {
        this.checkpoints[i / every] = {
          bytes: state.bytes.slice(), writer: state.writer.slice(), count: state.count.slice(),
        };
      }
      this.apply(state, this.steps[i]);
    }
    return state;
  }
  apply(state, step) {
    if (step.kind !== "access" || !step.shared || step.type === "load") return;
    for (const lane of Warp.lanesOf(step.lanes)) {
      for (let byte = 0; byte < step.width; ++byte) {
        const at = step.address[lane] + byte;
        if (at < 0 || at >= state.bytes.length) continue;
        if (step.values) state.bytes[at] = step.values[lane][byte];
        state.writer[at] = step.index;
        ++state.count[at];
      }
    }
  }
};
"use strict";
// Which picture explains what, and where it opens.

/// By the kind of a finding in a kernel or in host code (calls), and by the counters in a concept check's formula: the first expression that
/// fits. JSON, because scripts/pages/gallery.py reads it, too.
Warp.rules = {
  "findings": [
    ["^(race|warp-synchronous|fence-scope)", "timeline"],
    ["^(oob-shared|unwritten-shared)", "memory"],
    ["^(oob-global|null-pointer|use-after-free|unwritten-global)", "elements"],
    ["^(barrier|deadlock|sync|shuffle)", "divergence"]
  ],
  "calls": [
    ["^(stream-race|host-access-before-sync)", "streams"]
  ],
  "counters": [
    ["(overlap|timeline)_us|(copies|bytes)_(to_|on_|between_)", "streams"],
    ["conflicts|shared_(load|store)_wavefronts", "banks"],
    ["divergent_branches|thread_instructions", "divergence"],
    ["warp_barriers", "timeline"],
    ["global_(load|store)", "access"],
    ["global_atomic_lanes", "elements"],
    ["shared_(load|store|atomic)", "banks"]
  ]
};

Warp.ruleFor = (rules, text) => rules.find(([words]) => new RegExp(words).test(text))?.[1];
Warp.pictureFor = (finding) =>
  finding.race ? "timeline" : Warp.ruleFor(Warp.rules.findings, finding.kind) ?? "timeline";

/// What an access wastes: sectors count twice, as they come from farther away.
Warp.wasteOf = (step) => (step.passes - step.ideal) * (step.shared ? 1 : 2);

/// The access that wastes most, of those that fit; undefined if none wastes anything.
Warp.costliest = (model, fits) => {
  let best;
  for (const step of model.steps) {
    if (step.kind !== "access" || step.passes <= step.ideal || !fits(step)) continue;
    if (!best || Warp.wasteOf(step) > Warp.wasteOf(best)) best = step;
  }
  return best;
};

/// The picture that shows a step.
Warp.pictureOfStep = (step) => {
  switch (step?.kind) {
    case "access": return step.shared ? step.passes > step.ideal ? "banks" : "memory" : "access";
    case "fault": return step.shared ? "memory" : "elements";
    case "diverge": return "divergence";
    default: return "timeline";
  }
};

/// Where the pictures of a block open: { finding }, { picture, index } or { picture, call }.
/// @param options  { finding: number, kind: of a finding, picture: id, step: number, end: true for the last step, line: number,
/// text: part of a source line, counters: the formula of a concept check }; all may be left out
/// @returns undefined if the block has nothing of this
Warp.opening = (model, options) => {
  const { findings } = model.block;
  if (options.finding !== undefined) return findings[options.finding] && { finding: findings[options.finding] };
  if (options.kind) {
    const finding = findings.find((one) => one.kind === options.kind);
    return finding && { finding };
  }
  if (options.step !== undefined) return { picture: options.picture, index: options.step };
  if (options.end) {
    const index = model.steps.length - 1;
    return { picture: Warp.pictureOfStep(model.steps[index]), index: Math.max(0, index) };
  }
  const onLine = (step) => (options.line === undefined || model.line(step) === options.line) &&
    (options.text === undefined || model.sourceOf(step).includes(options.text));
  const picture = options.picture ?? (options.counters && Warp.ruleFor(Warp.rules.counters, options.counters));
  const way = options.counters && /_load/.test(options.counters) !== /_store/.test(options.counters)
    ? /_load/.test(options.counters) ? "load" : "store" : null;
  if (picture === "streams") {
    const call = Warp.callFor(model, options);
    return call === undefined ? undefined : { picture, call };
  }
  const shown = picture && picture !== "divergence" && new Set(Warp.pictures.find((one) => one.id === picture)?.stops(model, {}));
  const fits = (step) => onLine(step) && (!shown || shown.has(step.index)) &&
    (!way || step.kind !== "access" || step.type === way);
  const first = (kind) => model.steps.find((step) => step.kind === kind && fits(step));
  const named = options.line !== undefined || options.text !== undefined;
  const step = picture === "divergence" ? first("diverge") ?? model.steps.find(fits)
    : picture === "timeline" ? first("arrive") ?? model.steps.find(fits)
    : first("fault") ?? Warp.costliest(model, fits) ??
      (named ? first("access") ?? first("diverge") ?? first("arrive") : undefined) ??
      (named || picture ? model.steps.find(fits) : undefined);
  if (!step && !named && !picture) {
    const streams = new Set(model.calls.filter((call) => call.kind !== 6).map((call) => call.stream));
    return { picture: streams.size > 1 ? "streams" : "timeline" };
  }
  if (!step) return undefined;
  return { picture: picture ?? Warp.pictureOfStep(step), index: step.index };
};
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
  const cell = Math.max(10, Math.min(26, Math.floor((width - 30) / 32)));
  const left = 28;
  const parts = [Warp.textAt(0, 12, "bank", { class: "warp-label" })];
  for (let bank = 0; bank < 32; ++bank) {
    if (cell >= 18 || bank % 4 === 0) {
      parts.push(Warp.textAt(left + bank * cell + cell / 2, 12, String(bank),
        { class: "warp-label", "text-anchor": "middle" }));
    }
  }
  const shown = fronts.slice(0, 32);
  shown.forEach((front, number) => {
    const y = 20 + number * 26;
    parts.push(Warp.textAt(0, y + 15, String(number + 1), { class: "warp-label" }));
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
  return Warp.picture(left + 32 * cell, 20 + Math.max(1, shown.length) * 26, name, ...parts);
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
      Warp.element("p", { class: "warp-heading" }, padding === 0 ? `Yours: ${Warp.plural(count, "wavefront")}`
        : `With ${Warp.plural(padding, "element")} of padding: ${Warp.plural(count, "wavefront")} ` +
          `instead of ${Warp.number(step.passes)}`),
      Warp.drawWavefronts(fronts, width, name),
      Warp.element("p", { class: "warp-control" },
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
"use strict";
// Shared memory as a film: each array as cells with who wrote them last.

Warp.memoryPicture = {
  id: "memory",
  title: "Shared memory",
  explains: "Each element: its value and the warp that wrote it last. Striped: uninitialized.",
  stops: (model) => model.steps
    .filter((s) => (s.kind === "access" && s.shared) || s.kind === "complete" ||
      (s.kind === "fault" && s.shared)).map((s) => s.index),

  arrayOf(model, step, state) {
    const arrays = model.block.shared.filter((a) => a.bytes > 0);
    if (state.array !== undefined && arrays[state.array]) return arrays[state.array];
    if (step.address && step.shared) {
      const at = step.address[Warp.lanesOf(step.lanes)[0]];
      state.last = arrays.findIndex((a) => at >= a.base && at < a.base + a.bytes);
    }
    return arrays[Math.max(0, state.last ?? 0)];
  },

  /// Bytes of an element: the smallest that an instruction uses.
  widthOf(model, array) {
    model.widths ??= new Map();
    if (!model.widths.has(array)) {
      let width = 0;
      const samples = [];
      let type = 0;
      for (const step of model.steps) {
        if (step.kind !== "access" || !step.shared) continue;
        const at = step.address[Warp.lanesOf(step.lanes)[0]];
        if (at < array.base || at >= array.base + array.bytes) continue;
        const instruction = model.instruction(step);
        const bytes = instruction.width || step.width;
        if (width === 0 || bytes < width) width = bytes;
        type ||= instruction.type;
        if (step.values && samples.length < 256) {
          samples.push(...step.values.filter((v) => v?.byteLength === bytes));
        }
      }
      width ||= 4;
      model.widths.set(array, { width, type: Warp.guessType(samples, type) });
    }
    return model.widths.get(array);
  },

  says(model, step) {
    if (step.kind === "complete") return `All have arrived at barrier ${step.count}; they go on.`;
    const lanes = Warp.lanesOf(step.lanes);
    const state = model.sharedAfter(step.index - 1);
    const never = step.type === "store" || step.kind === "fault" ? 0
      : lanes.filter((lane) => state.writer[step.address[lane]] === -1).length;
    const verb = { load: "reads", store: "writes", atomic: "updates" }[step.type];
    const what = lanes.length === 1 ? model.elementName(step, lanes[0])
      : `${model.elementName(step, lanes[0])} to ${model.elementName(step, lanes.at(-1))}`;
    return `Warp ${step.warp} ${verb} ${what} with ${Warp.plural(lanes.length, "lane")}` +
      (never > 0 ? `; ${never === 1 ? "1 of these elements is" : `${never} of these elements are`} uninitialized.` : ".");
  },

  /// Cells that the picture has: all, or as many around the access as fit.
  window(array, width, step, columns) {
    const elements = Math.floor(array.bytes / width);
    const most = 1024;
    if (elements <= most) return [0, elements];
    const at = step.address?.[Warp.lanesOf(step.lanes)[0]] ?? array.base;
    const row = Math.floor(Math.max(0, at - array.base) / width / columns);
    const first = Math.max(0, Math.min(row - 8, Math.ceil(elements / columns) - most / columns)) * columns;
    return [first, Math.min(first + most, elements)];
  },

  draw(model, step, width, state, changed, host) {
    const array = this.arrayOf(model, step, state);
    if (!array) return Warp.element("p", {}, "The kernel has no shared memory.");
    const { width: bytes } = this.widthOf(model, array);
    const columns = width < 480 ? 8 : width < 1150 ? 16 : 32;
    const [from, to] = this.window(array, bytes, step, columns);
    // The cells stay from step to step: only those that change are painted again.
    const key = [width, array.base, from, to, host.dataset.colours].join();
    if (state.memory?.key !== key) {
      state.memory = { key, ...this.drawCells(array, Math.floor((width - 40) / columns), columns, from, to, host) };
      state.memory.all = Warp.element("div", {},
        this.heading(model, array, state, changed, Math.floor(array.bytes / bytes), from, to),
        state.memory.canvas, this.legend(model));
    }
    this.updateCells(model, step, array, state.memory, from);
    state.memory.canvas.setAttribute("aria-label",
      `${array.name}, ${Warp.plural(Math.floor(array.bytes / bytes), "element")}. ${this.says(model, step)}`);
    return state.memory.all;
  },

  high: 24,  // pixels of a row

  /// A canvas with labels of the rows, and a cell for each element: { canvas, cells, paint }.
  drawCells(array, cell, columns, from, to, host) {
    const { high } = this;
    const left = 38;
    const rows = Math.ceil((to - from) / columns);
    const cells = Array.from({ length: to - from }, (_, number) => ({
      x: left + number % columns * cell, y: Math.floor(number / columns) * high, cell,
    }));
    let paint;
    const canvas = Warp.canvas(left + columns * cell, rows * high + 2, array.name, host, (context, colour) => {
      context.font = "11px system-ui, sans-serif";
      context.textBaseline = "middle";
      context.fillStyle = colour("--warp-soft");
      for (let row = 0; row < rows; ++row) context.fillText(String(from + row * columns), 0, row * high + high / 2);
      context.textAlign = "center";
      paint = (shown) => this.paintCell(context, colour, shown);
    });
    canvas.addEventListener("pointermove", (event) => {
      const box = canvas.getBoundingClientRect();
      const column = Math.floor((event.clientX - box.left - left) / cell);
      const shown = column >= 0 && column < columns && cells[Math.floor((event.clientY - box.top) / high) * columns + column];
      canvas.title = shown ? shown.title() : "";
    });
    return { canvas, cells, paint };
  },

  paintCell(context, colour, { x, y, cell, hue, old, text, mark }) {
    const [wide, high] = [cell - 2, this.high - 2];
    context.clearRect(x, y, cell, this.high);
    context.save();
    context.beginPath();
    context.rect(x + 1, y + 1, wide, high);
    if (hue === undefined) {  // uninitialized: striped
      context.fillStyle = colour("--warp-empty");
      context.fill();
      context.clip();
      context.strokeStyle = colour("--warp-stripe");
      context.lineWidth = 2;
      context.beginPath();
      for (let at = x - this.high; at < x + cell; at += 8) {
        context.moveTo(at, y + this.high);
        context.lineTo(at + this.high, y);
      }
      context.stroke();
    } else {
      context.globalAlpha = old ? 0.35 : 0.75;
      context.fillStyle = colour(`--warp-hue-${hue}`);
      context.fill();
    }
    context.restore();
    // Inside of the cell, so that clearing it takes the frame away.
    const [frame, thick] = { read: ["--warp-accent", 3], write: ["--warp-ink", 3], wrong: ["--warp-bad", 4] }[mark] ??
      ["--warp-edge", 1];
    context.strokeStyle = colour(frame);
    context.lineWidth = thick;
    context.strokeRect(x + thick / 2, y + thick / 2, cell - thick, this.high - thick);
    context.fillStyle = colour("--warp-ink");
    if (cell >= 30 && text.length * 6.4 <= wide) context.fillText(text, x + cell / 2, y + this.high / 2);
  },

  updateCells(model, step, array, { cells, paint }, from) {
    const { width, type } = this.widthOf(model, array);
    const now = model.sharedAfter(step.index);
    const before = model.sharedAfter(step.index - 1);
    const touched = new Map();
    if ((step.kind === "access" || step.kind === "fault") && step.shared) {
      for (const lane of Warp.lanesOf(step.lanes)) {
        for (let at = 0; at < step.width; at += width) {
          touched.set(Math.floor((step.address[lane] + at - array.base) / width), lane);
        }
      }
    }
    cells.forEach((shown, number) => {
      const i = from + number;
      const at = array.base + i * width;
      const writer = now.writer[at];
      const lane = touched.get(i);
      const bad = lane !== undefined && step.type !== "store" && before.writer[at] < 0;
      const old = writer >= 0 && model.phase[writer] < model.phase[step.index];
      const key = `${writer} ${lane} ${lane === undefined ? "" : step.type} ${bad} ${old}`;
      if (shown.key === key) return;
      shown.key = key;
      const by = writer < 0 ? null : model.steps[writer];
      shown.text = by === null ? "" : by.values
        ? Warp.short(Warp.value(now.bytes.subarray(at, at + width), type), type) : "?";
      shown.hue = by === null ? undefined : by.warp % 12;
      shown.old = old;
      shown.mark = lane === undefined ? "" : bad ? "wrong" : step.type === "load" ? "read" : "write";
      shown.title = () => `${array.name}[${i}]: ` + (by
        ? `${shown.text}, written by warp ${by.warp} at ${model.place(by)}, ${now.count[at]} times` : "uninitialized") +
        (lane === undefined ? "" : `; lane ${lane} ${step.type === "load" ? "reads" : "writes"} it now`);
      paint(shown);
    });
  },

  heading(model, array, state, changed, elements, from, to) {
    const arrays = model.block.shared.filter((a) => a.bytes > 0);
    const part = to - from < elements ? `, elements ${from} to ${to - 1}` : "";
    const words = `${array.name}: ${Warp.plural(elements, "element")}${part}`;
    if (arrays.length < 2) return Warp.element("p", { class: "warp-heading" }, words);
    const choice = Warp.element("select", {
      "aria-label": "Shared array",
      onchange: (event) => { state.array = +event.target.value; changed(); },
    }, ...arrays.map((a, i) => Warp.element("option", { value: i, ...(a === array ? { selected: "" } : {}) }, a.name)));
    return Warp.element("p", { class: "warp-heading" }, choice, ` ${words}`);
  },

  legend(model) {
    const warps = Array.from({ length: Math.min(model.warps, 12) }, (_, warp) => [{ style: `background: ${Warp.hue(warp)}` }, `warp ${warp}`]);
    return Warp.legend(...warps, ["warp-faded", "paler: written before the last barrier"],
      ["warp-outline-read", "read now"], ["warp-outline-write", "written now"]);
  },

  table(model, step, state) {
    const array = this.arrayOf(model, step, state);
    if (!array) return { caption: "The kernel has no shared memory.", head: [], rows: [] };
    const { width: bytes, type } = this.widthOf(model, array);
    const [from, to] = this.window(array, bytes, step, 32);
    const now = model.sharedAfter(step.index);
    const rows = [];
    for (let i = from; i < to; ++i) {
      const at = array.base + i * bytes;
      const writer = now.writer[at] < 0 ? null : model.steps[now.writer[at]];
      rows.push([`${array.name}[${i}]`,
        writer === null ? "uninitialized" : !writer.values ? "not known"
          : Warp.short(Warp.value(now.bytes.subarray(at, at + bytes), type), type),
        writer === null ? "" : `warp ${writer.warp}, ${model.place(writer)}`, now.count[at]]);
    }
    return { caption: this.says(model, step), head: ["Element", "Value", "Written by", "Writes"], rows };
  },
};
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
"use strict";
// The 32 lanes of a warp over time, coloured by source line.

Warp.divergencePicture = {
  id: "divergence",
  title: "Divergence",
  explains: "The lanes of one warp over its instructions. Where a lane's row is empty it waits for the others.",
  stops: (model, state) => model.steps.filter((s) => s.warp === (state.warp ?? 0) &&
    s.kind !== "complete").map((s) => s.index),

  /// Steps of the warp, each with where it begins, counted in instructions of the warp.
  rowOf(model, warp) {
    model.rows ??= new Map();
    if (!model.rows.has(warp)) {
      let at = 0;
      const row = [];
      for (const step of model.steps) {
        if (step.warp !== warp) continue;
        const count = step.kind === "arrive" ? 1
          : step.kind === "run" || step.kind === "access" ? step.count : 0;
        if (count > 0) row.push({ step, from: at, to: at += count });
      }
      model.rows.set(warp, { row, total: Math.max(1, at) });
    }
    return model.rows.get(warp);
  },

  divergent(model, warp) {
    model.divergent ??= new Map();
    if (!model.divergent.has(warp)) {
      model.divergent.set(warp, model.steps.filter((s) => s.kind === "diverge" && s.warp === warp));
    }
    return model.divergent.get(warp);
  },

  says(model, step) {
    const count = Warp.lanesOf(step.lanes).length;
    if (step.kind === "diverge") {
      return `Warp ${step.warp} diverges at ${model.place(step)}: ` +
        `${Warp.plural(Warp.lanesOf(step.other).length, "lane")} of ${count} go elsewhere and wait.`;
    }
    if (step.kind === "leave") return `${Warp.plural(count, "lane")} of warp ${step.warp} end.`;
    const branches = this.divergent(model, step.warp).length;
    return `${Warp.plural(count, "lane")} of warp ${step.warp} run ${model.place(step)}. ` +
      `The warp has ${Warp.plural(branches, "divergent branch", "divergent branches")}.`;
  },

  draw(model, step, width, state, changed, host) {
    const left = 34;
    const high = 11;
    const height = 32 * high + 4;
    const { row, total } = this.rowOf(model, step.warp);
    const zoom = state.zoom ?? 1;
    const here = row.find((one) => one.step.index >= step.index) ?? row.at(-1) ?? { from: 0, to: 0 };
    const span = total / zoom;
    const from = Math.max(0, Math.min(here.from - span / 2, total - span));
    const x = (at) => left + (at - from) / span * (width - left - 4);
    const name = `Lanes of warp ${step.warp} over ${Warp.plural(total, "instruction")}. ${this.says(model, step)}`;
    if (state.legendOf !== step.warp) {
      state.legendOf = step.warp;
      state.legend = this.legend(model, row);
    }
    const key = [width, step.warp, from, span, host.dataset.colours].join();
    if (state.divergenceKey !== key) {
      state.divergenceKey = key;
      state.divergence = Warp.canvas(width, height, name, host, (context, colour) => {
        context.font = "11px system-ui, sans-serif";
        context.textBaseline = "middle";
        for (let lane = 0; lane < 32; ++lane) {
          context.fillStyle = colour("--warp-empty");
          context.fillRect(left, lane * high + 1, width - left - 4, high - 1);
          context.fillStyle = colour("--warp-ink");
          if (lane % 4 === 0) context.fillText(String(lane), 8, lane * high + high / 2 + 1);
        }
        context.save();
        context.beginPath();
        context.rect(left, 0, width - left - 4, height);
        context.clip();
        for (const one of row) {
          if (one.to < from || one.from > from + span) continue;
          context.fillStyle = colour(`--warp-hue-${Warp.lineHue(model, one.step)}`);
          const wide = Math.max(0.6, x(one.to) - x(one.from));
          for (const lane of Warp.lanesOf(one.step.lanes)) {
            context.fillRect(x(one.from), lane * high + 1, wide, high - 1);
          }
        }
        context.restore();
      });
      state.divergence.addEventListener("click", (event) => {
        const box = state.divergence.getBoundingClientRect();
        const at = from + (event.clientX - box.left - left) / (width - left - 4) * span;
        const found = row.find((one) => at < one.to);
        if (found) changed(found.step.index);
      });
    }
    state.divergence.setAttribute("aria-label", name);
    const cursor = Warp.element("i", {
      class: "warp-cursor",
      style: `left: ${x(here.from)}px; top: 0; height: ${height}px; width: ${Math.max(3, x(here.to) - x(here.from))}px`,
    });
    const zoomBy = (factor) => () => {
      state.zoom = Math.max(1, Math.min(256, zoom * factor));
      changed();
    };
    return Warp.element("div", {},
      Warp.element("div", { class: "warp-canvas" }, state.divergence, cursor),
      Warp.element("p", { class: "warp-control" },
        Warp.element("button", { type: "button", onclick: zoomBy(0.5) }, "Zoom out"),
        Warp.element("button", { type: "button", onclick: zoomBy(2) }, "Zoom in")),
      state.legend);
  },

  legend(model, row) {
    const seen = new Map();
    for (const { step } of row) seen.set(model.place(step), Warp.lineHue(model, step));
    return Warp.legend(...[...seen].slice(0, 24).map(([place, hue]) => [{ style: `background: ${Warp.hue(hue)}` }, place]));
  },

  table(model, step) {
    const rows = this.divergent(model, step.warp).slice(0, 500).map((s) => [
      model.place(s), Warp.lanesOf(s.lanes).length, Warp.lanesOf(s.other).join(", "),
    ]);
    return {
      caption: `Divergent branches of warp ${step.warp}: ${rows.length}`,
      head: ["Branch", "Lanes before", "Lanes that went elsewhere"], rows,
    };
  },
};
"use strict";
// Elements of an array in global memory and the threads that access them: of one warp now, and of
// the whole launch.

Warp.elementsPicture = {
  id: "elements",
  title: "Elements and threads",
  explains: "Which thread accesses which element, and who wrote each element of the launch's arrays last.",
  stops: (model) => model.steps.filter((s) => (s.kind === "access" && !s.shared) || s.kind === "fault")
    .map((s) => s.index),

  says(model, step) {
    const lanes = Warp.lanesOf(step.lanes);
    const verb = { load: "reads", store: "writes", atomic: "updates" }[step.type];
    const thread = model.thread(step.warp, lanes[0]);
    if (step.kind === "fault") {
      const array = model.arrayAt(step.shared, step.address[lanes[0]]);
      const width = model.instruction(step).width || step.width;
      const size = array ? ` The array has ${Warp.plural(Math.floor(array.bytes / width), "element")}.` : "";
      return `Thread ${thread} of the block ${verb} ${model.elementName(step, lanes[0])}, which is out of bounds` +
        `${lanes.length > 1 ? `, and so do ${lanes.length - 1} other lanes` : ""} (${model.place(step)}).${size}`;
    }
    return `Warp ${step.warp} ${verb} ${model.elementName(step, lanes[0])}` +
      `${lanes.length > 1 ? ` to ${model.elementName(step, lanes.at(-1))}` : ""} with ` +
      `${Warp.plural(lanes.length, "lane")} (${model.place(step)}).`;
  },

  draw(model, step, width, state, changed, host) {
    // The launch's part is the same for all steps.
    const key = [width, state.output, host.dataset.colours].join();
    if (state.writersKey !== key) {
      state.writersKey = key;
      state.writers = this.drawWriters(model, width, state, changed, host);
    }
    return Warp.element("div", {}, this.drawAccess(model, step, width, host), state.writers);
  },

  /// The warp's threads above, the elements below.
  drawAccess(model, step, width, host) {
    const bytes = model.instruction(step).width || step.width;
    const lanes = Warp.lanesOf(step.lanes);
    const array = model.arrayAt(step.shared, step.address[lanes[0]]);
    const base = array?.base ?? 0;
    const last = array ? Math.floor(array.bytes / bytes) - 1 : Infinity;
    const elements = new Map();
    for (const lane of lanes) {
      for (let at = 0; at < step.width; at += bytes) {
        const element = Math.floor((step.address[lane] + at - base) / bytes);
        if (!elements.has(element)) elements.set(element, []);
        elements.get(element).push(lane);
      }
    }
    const order = this.around([...elements.keys()].sort((a, b) => a - b), last);
    const digits = Math.max(2, ...order.map((element) => String(element).length));
    const fitting = Math.floor((width - 4) / (digits * 6.6 + 8));
    const perRow = fitting >= 32 ? 32 : fitting >= 16 ? 16 : 8;
    const cell = Math.floor((width - 4) / perRow);
    const lanesPerRow = width < 560 ? 16 : 32;
    const laneCell = Math.floor((width - 4) / lanesPerRow);
    const top = 18 + Math.floor(31 / lanesPerRow) * 24 + 20 + 66;
    // What is drawn: boxes with words, a frame and what they say when the pointer is on them.
    const threads = Array.from({ length: 32 }, (_, lane) => {
      const active = lanes.includes(lane);
      const thread = model.thread(step.warp, lane);
      return {
        x: (lane % lanesPerRow) * laneCell + 1, y: 18 + Math.floor(lane / lanesPerRow) * 24, width: laneCell - 2, height: 20,
        fill: !active ? "--warp-empty" : step.kind === "fault" ? "--warp-hue-6" : "--warp-hue-0", words: thread,
        ink: active ? "--warp-ink" : "--warp-soft",
        title: () => `lane ${lane}, thread ${thread}${active ? `: ${model.elementName(step, lane)}` : ", takes no part"}`,
      };
    });
    const cells = order.map((element, number) => {
      const outside = element < 0 || element > last;
      const by = elements.get(element) ?? [];
      return {
        x: (number % perRow) * cell + 1, y: top + Math.floor(number / perRow) * 40, width: cell - 2, height: 22,
        fill: outside ? "--warp-hue-6" : by.length === 0 ? "--warp-empty"
          : by.length > 1 && step.type !== "load" ? "--warp-hue-1" : "--warp-hue-2",
        frame: outside ? "--warp-bad" : "--warp-edge", dashed: outside, ends: element === last,
        words: String(element), ink: "--warp-ink", by,
        title: () => `element ${element}${outside ? ", which the array does not have" : ""}` +
          (by.length ? `: lanes ${by.join(", ")}` : ""),
      };
    });
    const height = top + Math.ceil(order.length / perRow) * 40 + 4;
    const canvas = Warp.canvas(width, height, this.says(model, step), host, (context, colour) => {
      this.paintWires(context, colour, threads, cells);
      for (const box of [...threads, ...cells]) this.paintBox(context, colour, box, width);
      context.textAlign = "left";
      context.fillStyle = colour("--warp-soft");
      context.fillText("threads of the block", 0, 8);
      context.fillText(array ? `elements of ${array.name}` : "addresses", 0, top - 12);
    });
    canvas.addEventListener("pointermove", (event) => {
      const [left, up] = [event.offsetX, event.offsetY];
      canvas.title = [...threads, ...cells].find((box) => left >= box.x && left < box.x + box.width &&
        up >= box.y && up < box.y + box.height)?.title() ?? "";
    });
    return Warp.element("div", {}, Warp.element("p", { class: "warp-heading" }, "This access"), canvas);
  },

  paintWires(context, colour, threads, cells) {
    context.globalAlpha = 0.65;
    context.lineWidth = 1.2;
    for (const to of cells) {
      context.strokeStyle = colour(to.dashed ? "--warp-bad" : "--warp-accent");
      for (const lane of to.by) {
        const from = threads[lane];
        const [x1, y1] = [from.x + from.width / 2, from.y + from.height];
        const x2 = to.x + to.width / 2;
        const middle = (y1 + to.y) / 2;
        context.beginPath();
        context.moveTo(x1, y1);
        context.bezierCurveTo(x1, middle, x2, middle, x2, to.y);
        context.stroke();
      }
    }
    context.globalAlpha = 1;
  },

  paintBox(context, colour, box, width) {
    context.font = "11px system-ui, sans-serif";
    context.textBaseline = "middle";
    context.textAlign = "center";
    context.fillStyle = colour(box.fill);
    context.fillRect(box.x, box.y, box.width, box.height);
    if (box.frame) {
      context.strokeStyle = colour(box.frame);
      context.lineWidth = 1;
      if (box.dashed) context.setLineDash([4, 3]);
      context.strokeRect(box.x + 0.5, box.y + 0.5, box.width - 1, box.height - 1);
      context.setLineDash([]);
    }
    context.fillStyle = colour(box.ink);
    if (box.words.length * 6.3 <= box.width) context.fillText(box.words, box.x + box.width / 2, box.y + box.height / 2);
    if (!box.ends) return;
    const end = box.x + box.width;
    context.fillStyle = colour("--warp-ink");
    context.fillRect(end, box.y - 5, 3, 32);
    context.fillStyle = colour("--warp-soft");
    context.textAlign = end > width / 2 ? "right" : "center";
    context.fillText("end of the array", Math.min(end, width - 20), box.y + 32);
  },

  /// The elements, with some before and after, at most 128; the end of the array is among them when
  /// it is near.
  around(elements, last) {
    const low = elements[0] - 4;
    const high = elements.at(-1) + 4;
    if (high - low <= 128) {
      const all = [];
      const least = elements[0] < 0 ? low : Math.max(low, 0);
      const most = elements.at(-1) > last ? high : Math.min(high, last);
      for (let i = least; i <= most; ++i) all.push(i);
      return all;
    }
    const shown = elements.slice(0, 127);
    if (shown.at(-1) > last && elements[0] <= last && !shown.includes(last)) shown.push(last);
    return [...new Set(shown)].sort((a, b) => a - b);
  },

  drawWriters(model, width, state, changed, host) {
    const outputs = model.block.outputs;
    if (outputs.length === 0) return null;
    const output = outputs[state.output ?? 0] ?? outputs[0];
    const columns = Math.max(32, Math.min(64, Math.floor(width / 12 / 16) * 16));
    const cell = Math.floor(width / columns);
    const shown = output.elements.slice(0, columns * 40);
    const never = output.elements.filter((e) => e.count === 0).length;
    const many = output.elements.filter((e) => e.count > 1).length;
    const total = Math.floor(output.bytes / output.width);
    const words = `${output.name}: of ${total > output.elements.length ? "the first " : ""}` +
      `${Warp.plural(output.elements.length, "element")}, ${Warp.number(never)} never written, ` +
      `${Warp.number(many)} written more than once.`;
    const choice = outputs.length < 2 ? null : Warp.element("select", {
      "aria-label": "Array", onchange: (event) => { state.output = +event.target.value; changed(); },
    }, ...outputs.map((o, i) => Warp.element("option", { value: i, ...(o === output ? { selected: "" } : {}) }, o.name)));
    return Warp.element("div", {}, Warp.element("p", { class: "warp-heading" }, "Written by the launch ", choice),
      Warp.element("p", {}, words),
      this.paintWriters(model, output, shown, columns, cell, words, host),
      Warp.legend([{ style: `background: ${Warp.hue(0)}` }, "colour: the block of the thread"],
        ["warp-key-never", "never written"], ["warp-key-many", "written more than once"]));
  },

  paintWriters(model, output, shown, columns, cell, words, host) {
    const canvas = Warp.canvas(columns * cell, Math.ceil(shown.length / columns) * cell, words, host,
      (context, colour) => shown.forEach((element, i) => {
        const x = (i % columns) * cell;
        const y = Math.floor(i / columns) * cell;
        context.fillStyle = colour(element.count === 0 ? "--warp-empty" : `--warp-hue-${element.block % 12}`);
        context.fillRect(x, y, cell - 1, cell - 1);
        if (element.count < 2) return;
        context.strokeStyle = colour("--warp-bad");
        context.lineWidth = 2;
        context.strokeRect(x + 1, y + 1, cell - 3, cell - 3);
      }));
    canvas.addEventListener("pointermove", (event) => {
      const box = canvas.getBoundingClientRect();
      const i = Math.floor((event.clientY - box.top) / cell) * columns + Math.floor((event.clientX - box.left) / cell);
      const element = shown[i];
      canvas.title = !element ? "" : element.count === 0 ? `${output.name}[${i}] was never written`
        : `${output.name}[${i}]: written ${element.count} times, last by thread ${this.threadName(model, element)} ` +
          `at ${model.place({ instruction: element.instruction })}`;
    });
    return canvas;
  },

  threadName(model, element) {
    return `${model.thread(0, element.thread)} of block ${element.block}`;
  },

  table(model, step, state) {
    const output = model.block.outputs[state.output ?? 0];
    const rows = Warp.lanesOf(step.lanes).map((lane) => [
      `lane ${lane}, thread ${model.thread(step.warp, lane)}`, model.elementName(step, lane),
      step.kind === "fault" ? "out of bounds" : step.type,
    ]);
    if (output) {
      const odd = output.elements.map((e, i) => [e, i]).filter(([e]) => e.count !== 1).slice(0, 200);
      for (const [element, i] of odd) {
        rows.push([element.count === 0 ? "no thread" : `last: thread ${this.threadName(model, element)}`,
          `${output.name}[${i}]`, element.count === 0 ? "never written" : `written ${element.count} times`]);
      }
    }
    return { caption: this.says(model, step), head: ["Thread", "Element", "Access"], rows };
  },
};
"use strict";
// The program's calls over modelled time: a row for the host's waits, one for each stream and one for each engine.

// Kinds of calls and engines in their order in recordings: what they are called, and the hues of kinds.
Warp.operations = {
  names: ["kernel", "copy", "fill", "page migration", "event", "host function", "wait of the host"],
  hues: [0, 1, 4, 6, 7, 8],
  engines: ["kernels", "copies to the device", "copies to the host"],
};

Warp.streamsPicture = {
  id: "streams",
  title: "Streams",
  explains: "When copies and kernels run: each is in the row of its stream, and below in that of the engine that it takes. Lines lead from what it waits for. Times are modelled.",
  items: (model) => model.calls,
  isEmpty: (model) => model.calls.length === 0,
  stops: (model) => model.calls.map((call) => call.index),

  /// Rows in their order, and of each call the numbers of its rows, that of its stream first.
  rowsOf(model) {
    if (model.callRows) return model.callRows;
    const { calls } = model;
    const several = calls.some((call) => call.device > 0 || call.between);
    const of = (device) => several ? `device ${device}, ` : "";
    const found = new Map();
    const row = (group, device, number, name) => {
      const key = [group, device, number].join();
      if (!found.has(key)) found.set(key, { order: [group, device, number], name });
      return key;
    };
    const keys = calls.map((call) => {
      if (call.kind === 6) return [row(0, 0, 0, "host")];
      const stream = call.stream === 0 ? "default stream" : `stream ${call.stream}`;
      const own = [row(1, call.device, call.stream, of(call.device) + stream)];
      const engine = (device, number) => own.push(row(2, device, number, of(device) + Warp.operations.engines[number]));
      if (call.engine < 3) engine(call.between ? call.between[0] : call.device, call.engine);
      if (call.between) engine(call.between[1], 1);
      return own;
    });
    const order = [...found].sort(([, a], [, b]) => a.order.reduce((is, one, i) => is || one - b.order[i], 0));
    const numbers = new Map(order.map(([key], number) => [key, number]));
    return model.callRows = { names: order.map(([, { name }]) => name), engines: order.findIndex(([, { order: [group] }]) => group === 2),
      of: keys.map((own) => own.map((key) => numbers.get(key))) };
  },

  /// What the legend calls a bar, and its colour.
  looks({ kind, engine, pageable }) {
    if (kind === 6) return [Warp.operations.names[kind], "--warp-stripe"];
    if (pageable) return ["copy of pageable memory", "--warp-hue-9"];
    if (kind === 1 && engine < 3) return [engine === 0 ? "copy on the device" : `copy ${this.direction({ engine })}`, `--warp-hue-${[10, 1, 2][engine]}`];
    return [Warp.operations.names[kind], `--warp-hue-${Warp.operations.hues[kind]}`];
  },

  ms: (time) => `${+time.toPrecision(4)} ms`,
  /// "stream 1", "the default stream"
  rowName(model, call) {
    const { names, of } = this.rowsOf(model);
    return names[of[call.index][0]].replace("default", "the default");
  },
  /// "reverse", "cudaMemcpyAsync"
  shortName: (call) => call.kind === 0 ? call.name.split("(")[0] : call.name,
  direction: (call) => call.between ? `from device ${call.between[0]} to device ${call.between[1]}`
    : ["on the device", "to the device", "to the host", "on the host"][call.engine],
  what(call) {
    const name = this.shortName(call);
    if (call.kind === 0) return `Kernel ${name}`;
    if (call.kind === 6) return `The host waits in ${name}`;
    if (call.kind === 4) return "An event is recorded";
    if (call.bytes === 0) return name[0].toUpperCase() + name.slice(1);
    const way = call.kind === 1 || call.kind === 3 ? ` ${this.direction(call)}` : "";
    return `${name}: ${Warp.plural(call.bytes, "byte")}${way}${call.pageable ? ", pageable memory" : ""}`;
  },
  /// What it waits for besides the call before it in its stream.
  waitsFor(model, call) {
    const of = call.after.map((number) => model.calls[number]);
    return of.map((one) => one.kind === 6 ? `the host's wait in ${this.shortName(one)}`
      : `${one.kind === 4 ? "the event" : this.shortName(one)} in ${this.rowName(model, one)}`);
  },

  says(model, call) {
    const { begin } = model.recording.calls;
    const place = call.file === 0 ? "" : ` (${model.place(call)})`;
    const where = call.kind === 6 ? "" : ` in ${this.rowName(model, call)}`;
    const waits = [...new Set(this.waitsFor(model, call))];
    const more = waits.length > 3 ? `, ${waits.length - 3} more` : "";
    return `${this.what(call)}${where}${place}, at ${this.ms(call.begin - begin)}, for ${this.ms(call.end - call.begin)}.` +
      (waits.length > 0 ? ` After ${waits.slice(0, 3).join(", ")}${more}.` : "") +
      (call.ready < call.begin ? ` Ready at ${this.ms(call.ready - begin)}, and then the engine for ${Warp.operations.engines[call.engine]} is busy.` : "");
  },

  draw(model, call, width, state, changed, host) {
    const { names, engines, of } = this.rowsOf(model);
    const { begin, end, overlap, leftOut } = model.recording.calls;
    const left = width < 520 ? 108 : 150;
    const [high, top, gap] = [26, 4, 10];
    const y = (row) => top + row * high + (engines >= 0 && row >= engines ? gap : 0);
    const height = y(names.length) + 20;
    const total = Math.max(end - begin, 1e-9);
    const zoom = state.callZoom ?? 1;
    const span = total / zoom;
    const from = Math.max(begin, Math.min((call.begin + call.end - span) / 2, end - span));
    const right = width - 6;
    const x = (time) => left + (time - from) / span * (right - left);
    const key = [width, from, span, host.dataset.colours].join();
    if (state.callsKey !== key) {
      state.callsKey = key;
      state.calls = Warp.canvas(width, height, "", host, (context, colour) =>
        this.paint(model, context, colour, { names, of, left, right, high, height, from, span, begin, x, y }));
      const callAt = (event) => {
        const box = state.calls.getBoundingClientRect();
        const [at, row] = [event.clientX - box.left, names.findIndex((_, i) => event.clientY - box.top < y(i) + high)];
        return model.calls.findLast((one) => of[one.index].includes(row) && at >= x(one.begin) - 2 && at <= Math.max(x(one.end), x(one.begin) + 3));
      };
      state.calls.addEventListener("click", (event) => {
        const found = callAt(event);
        if (found) changed(found.index);
      });
      state.calls.addEventListener("pointermove", (event) => {
        const found = callAt(event);
        state.calls.title = found ? this.says(model, found) : "";
      });
    }
    state.calls.setAttribute("aria-label",
      `${Warp.plural(model.calls.length, "call")} over ${this.ms(total)}. ${this.says(model, call)}`);
    const clip = (time) => Math.max(left, Math.min(right, x(time)));
    const cursors = of[call.index].map((row) => Warp.element("i", {
      class: "warp-cursor", style: `left: ${clip(call.begin) - 2}px; top: ${y(row) + 1}px; height: ${high - 2}px;` +
        `width: ${Math.max(5, clip(call.end) - clip(call.begin) + 4)}px`,
    }));
    const zoomBy = (factor) => () => {
      state.callZoom = Math.max(1, Math.min(1024, zoom * factor));
      changed();
    };
    return Warp.element("div", {},
      Warp.element("div", { class: "warp-canvas" }, state.calls, this.edges(model, call, { width, height, high, x: clip, y, of }), ...cursors),
      Warp.element("p", { class: "warp-control" },
        Warp.element("button", { type: "button", onclick: zoomBy(0.5) }, "Zoom out"),
        Warp.element("button", { type: "button", onclick: zoomBy(2) }, "Zoom in"),
        Warp.element("span", {}, `Two engines are busy at once for ${this.ms(overlap)} of ${this.ms(total)}.` +
          (leftOut > 0 ? ` ${Warp.plural(leftOut, "later call")} ${leftOut === 1 ? "is" : "are"} left out.` : ""))),
      this.legend(model));
  },

  /// The lines to a call, over the canvas, and from it to those that wait for it.
  edges(model, call, { width, height, high, x, y, of }) {
    const place = (one, time) => [x(time), y(of[one.index][0]) + high / 2];
    const line = (before, after) => {
      const [x1, y1] = place(before, before.end);
      const [x2, y2] = place(after, after.begin);
      const middle = Math.max(12, Math.abs(x2 - x1) / 2);
      return Warp.element("path", { class: after === call ? "warp-edge warp-edge-here" : "warp-edge",
        d: `M${x1} ${y1}C${x1 + middle} ${y1} ${x2 - middle} ${y2} ${x2} ${y2}` });
    };
    return Warp.element("svg", { width, height, "aria-hidden": "true", class: "warp-edges" },
      ...model.calls.filter((one) => one.after.includes(call.index)).map((one) => line(call, one)),
      ...call.after.map((number) => line(model.calls[number], call)));
  },

  paint(model, context, colour, { names, of, left, right, high, height, from, span, begin, x, y }) {
    context.font = "12px system-ui, sans-serif";
    context.textBaseline = "middle";
    names.forEach((name, row) => {
      context.fillStyle = colour("--warp-empty");
      context.fillRect(left, y(row) + 2, right - left, high - 4);
      context.fillStyle = colour("--warp-ink");
      context.fillText(name, 0, y(row) + high / 2, left - 6);
    });
    context.fillStyle = colour("--warp-soft");
    context.fillText(this.ms(from - begin), left, height - 9);
    context.textAlign = "right";
    context.fillText(this.ms(from + span - begin), right, height - 9);
    context.textAlign = "left";
    context.save();
    context.beginPath();
    context.rect(left, 0, right - left, height);
    context.clip();
    for (const call of model.calls) {
      const wide = Math.max(1, x(call.end) - x(call.begin));
      if (call.ready < call.begin) {  // ready, and its engine is busy
        context.fillStyle = colour("--warp-soft");
        context.fillRect(x(call.ready), y(of[call.index][0]) + high / 2 - 1, x(call.begin) - x(call.ready), 2);
      }
      for (const row of of[call.index]) {
        context.fillStyle = colour(this.looks(call)[1]);
        context.fillRect(x(call.begin), y(row) + 4, wide > 4 ? wide - 1 : wide, high - 8);  // the next one may follow at once
        const words = this.shortName(call);
        if (wide < 30 || context.measureText(words).width > wide - 8) continue;
        context.fillStyle = colour("--warp-ink");
        context.fillText(words, Math.max(x(call.begin), left) + 4, y(row) + high / 2);
      }
    }
    context.restore();
  },

  legend(model) {
    return Warp.legend(
      ...[...new Map(model.calls.map((call) => this.looks(call)))].map(([words, colour]) => [{ style: `background: var(${colour})` }, words]),
      model.calls.some((call) => call.ready < call.begin) && ["warp-key-ready", "waits for the engine"],
      model.calls.some((call) => call.after.length > 0) && ["warp-key-edge", "waits for, and is waited for"]);
  },

  table(model) {
    const { begin, leftOut } = model.recording.calls;
    const ms = (time) => +time.toPrecision(6);
    return {
      caption: `${Warp.plural(model.calls.length, "call")}, in the order of the program${leftOut > 0 ? `; ${leftOut} more are left out` : ""}`,
      head: ["Call", "Line", "Stream", "Engine", "Bytes", "Ready, ms", "Begins, ms", "Takes, ms", "After"],
      rows: model.calls.map((call) => [this.shortName(call), call.file === 0 ? "" : model.place(call), this.rowName(model, call),
        Warp.operations.engines[call.engine] ?? "", call.bytes === 0 ? "" : Warp.number(call.bytes) + (call.pageable ? ", pageable" : ""),
        ms(call.ready - begin), ms(call.begin - begin), ms(call.end - call.begin), this.waitsFor(model, call).join(", ")]),
    };
  },
};

/// The call that pictures of streams open at: the first of a line; or else the first copy of pageable memory, where a
/// formula counts these; or else the first call after a wait of the host. Undefined if there is none.
Warp.callFor = (model, { line, counters = "" }) => {
  const first = (fits) => model.calls.find(fits);
  if (line !== undefined) return first((call) => call.line === line)?.index;
  const found = (/pageable/.test(counters) && first((call) => call.pageable)) ||
    first((call) => call.after.some((number) => model.calls[number].kind === 6)) || model.calls[0];
  return found?.index;
};
"use strict";
// The source lines beside a picture, with the colours that it has for them.

Warp.Source = class {
  constructor(recording) {
    this.recording = recording;
    this.host = Warp.element("div", { class: "warp-source", tabindex: 0, role: "group", "aria-label": "Source lines" });
  }

  /// Marks the step's line. @param model  null: there is no step
  show(model, step) {
    const { file, line } = model ? model.instruction(step) : { file: 0, line: 0 };
    const of = this.recording.files[file - 1];
    this.host.hidden = !of || of.lines.length === 0;
    if (this.host.hidden) return;
    if (this.shown === of && this.line === line) return;
    if (this.shown !== of) {
      this.shown = of;
      this.fill(model, file, of);
    }
    this.line = line;
    for (const row of this.host.querySelectorAll("code")) {
      const here = +row.dataset.line === line;
      row.classList.toggle("warp-here", here);
      if (here) this.host.scrollTop = row.offsetTop - this.host.clientHeight / 2;
    }
  }

  fill(model, file, of) {
    const hues = new Map();
    model.block.instructions.forEach((one, instruction) => {
      if (one.file === file) hues.set(one.line, Warp.lineHue(model, { instruction }));
    });
    const marked = new Set(model.block.findings.filter((f) => f.file === file).map((f) => f.line));
    this.host.replaceChildren(Warp.element("pre", {}, ...of.lines.map((text, i) => {
      const number = of.first + i;
      return Warp.element("code", { class: marked.has(number) ? "warp-found" : null, "data-line": number },
        Warp.element("i", { style: hues.has(number) ? `background: ${Warp.hue(hues.get(number))}` : null }),
        Warp.element("span", { class: "warp-no" }, String(number).padStart(4)), ` ${text}\n`);
    })));
  }
};
"use strict";
// The variables of a warp's lanes after a step, where the program has debug information.

Warp.variableTypes = ["bits", "floating", "signed", "unsigned", "boolean", "character", "pointer"];

/// What a block has of its variables: their names, which ones can be seen together, and what steps
/// change. Values are unpacked when a step is shown.
Warp.Variables = class {
  constructor(from) {
    this.list = from.list(() => ({ name: from.text(), type: Warp.variableTypes[from.number()], bytes: from.number() }));
    this.sets = from.list(() => from.list(() => {
      const number = from.number();
      return { variable: Math.floor(number / 2), hasPlace: number % 2 === 1 };
    }));
    const count = from.number();
    this.raw = from.raw(from.number());
    this.count = count;
  }

  /// By warp, in the order of steps.
  get changes() {
    this.known ??= this.readChanges();
    return this.known;
  }
  readChanges() {
    const from = new Warp.Bytes(this.raw);
    const changes = Array.from({ length: 64 }, () => []);
    const first = new Array(this.list.length).fill(0);
    let [step, warp, lanes] = [0, 0, 0];
    for (let i = 0; i < this.count; ++i) {
      const head = from.byte();
      if (head & 8) step += from.number();
      if (head & 16) warp = from.number();
      if (head & 32) lanes = from.lanes();
      const change = { step, form: head & 7, number: from.number(), lanes };
      const { bytes } = this.list[change.number] ?? {};
      if (change.form === 1) {
        change.first = first[change.number] += from.difference();
        change.distance = from.difference();
      } else if (change.form === 2) {
        change.raw = from.raw(bytes);
      } else if (change.form === 3) {
        change.raw = from.raw(bytes * Warp.lanesOf(lanes).length);
      }
      changes[warp].push(change);
    }
    return changes;
  }

  /// What the step's warp can see after it: { set, values: by variable an array by lane, changed: a set
  /// of variables }.
  after(step) {
    const changes = this.changes[step.warp];
    let [low, high] = [0, changes.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (changes[middle].step <= step.index) low = middle + 1;
      else high = middle;
    }
    const state = this.stateAfter(step.warp, low);
    const changed = new Set();
    for (let i = low - 1; i >= 0 && changes[i].step === step.index; --i) {
      if (changes[i].form !== 0) changed.add(changes[i].number);
    }
    return { ...state, changed };
  }
  /// After the first `count` changes of a warp. Arrays of values are replaced, never changed, so a
  /// state that is kept is a copy of references.
  stateAfter(warp, count) {
    const every = 256;
    this.kept ??= Array.from({ length: 64 }, () => []);
    const kept = this.kept[warp];
    let number = Math.floor(count / every);
    while (number > 0 && !kept[number]) --number;
    let from = number * every;
    let state = kept[number] ?? { set: -1, values: [] };
    const last = this.last;  // the step before, mostly
    if (last?.warp === warp && last.count <= count && last.count >= from) ({ count: from, state } = last);
    state = { set: state.set, values: state.values.slice() };
    for (let i = from; i < count; ++i) {
      if (i > 0 && i % every === 0) kept[i / every] ??= { set: state.set, values: state.values.slice() };
      this.apply(state, this.changes[warp][i]);
    }
    this.last = { warp, count, state };
    return state;
  }
  apply(state, change) {
    if (change.form === 0) {
      state.set = change.number;
      return;
    }
    const values = (state.values[change.number] ?? new Array(32).fill(undefined)).slice();
    const { bytes, type } = this.list[change.number];
    Warp.lanesOf(change.lanes).forEach((lane, number) => {
      if (change.form === 4) values[lane] = undefined;
      else if (change.form === 1) values[lane] = change.first + number * change.distance;
      else {
        const at = change.form === 3 ? number * bytes : 0;
        values[lane] = Warp.variableValue(change.raw.subarray(at, at + bytes), type);
      }
    });
    state.values[change.number] = values;
  }
};

/// Bytes as a number; as a BigInt where a number would lose bits.
Warp.variableValue = (bytes, type) => {
  if (type === "floating") return Warp.value(bytes, 1);
  const signed = type === "signed";
  if (bytes.length < 8) return bytes.length === 4 || signed ? Warp.value(bytes, signed ? 2 : 3) : bytes[0] + 256 * (bytes[1] ?? 0);
  const view = new DataView(bytes.buffer, bytes.byteOffset, 8);
  const value = signed ? view.getBigInt64(0, true) : view.getBigUint64(0, true);
  return BigInt(Number(value)) === value && Number.isSafeInteger(Number(value)) ? Number(value) : value;
};

/// A value as a programmer writes it.
Warp.variableText = (model, variable, value) => {
  if (value === undefined) return "not initialized";
  const hex = () => `0x${value.toString(16)}`;
  switch (variable.type) {
    case "boolean": return value === 0 ? "false" : "true";
    case "character": return value >= 32 && value < 127 ? `${value} '${String.fromCharCode(value)}'` : String(value);
    case "floating": return Warp.short(value, 1);
    case "bits": return hex();
    case "pointer": {
      if (value === 0) return "nullptr";
      const array = model.block.global.find((one) => value >= one.base && value <= one.base + one.bytes);
      if (!array) return hex();
      return value === array.base ? array.name : `${array.name} + ${value - array.base} bytes`;
    }
    default: return String(value);
  }
};

/// The values of some lanes in a few words: one value, a row of numbers, or from where to where.
Warp.variableWords = (model, variable, values, lanes) => {
  const known = lanes.filter((lane) => values?.[lane] !== undefined);
  if (known.length === 0) return "not initialized";
  const text = (lane) => Warp.variableText(model, variable, values[lane]);
  const [first, last] = [known[0], known.at(-1)];
  const missing = lanes.length - known.length;
  const rest = missing > 0 ? `; not initialized in ${Warp.plural(missing, "lane")}` : "";
  if (known.every((lane) => Object.is(values[lane], values[first]))) return text(first) + rest;
  const numbers = known.map((lane) => values[lane]);
  const whole = ["signed", "unsigned", "pointer"].includes(variable.type) && numbers.every(Number.isInteger);
  const each = whole && (numbers[1] - numbers[0]) / (known[1] - first);
  if (whole && Number.isInteger(each) && known.every((lane) => values[lane] === values[first] + each * (lane - first))) {
    return `${text(first)} to ${text(last)} (${each < 0 ? "−" : "+"}${Math.abs(each)} per lane)${rest}`;
  }
  const different = new Set(numbers).size;
  if (variable.type === "boolean") {
    const true_ = numbers.filter((value) => value !== 0).length;
    return `true in ${Warp.plural(true_, "lane")}, false in ${numbers.length - true_}${rest}`;
  }
  const order = (a, b) => (values[a] < values[b] ? -1 : 1);
  const sorted = known.filter((lane) => !Number.isNaN(values[lane])).sort(order);
  const range = sorted.length > 0 ? `, ${text(sorted[0])} to ${text(sorted.at(-1))}` : "";
  return `${different} values${range}${rest}`;
};

/// A table of the variables beside the source; one of them with each lane's value.
Warp.VariablePanel = class {
  constructor() {
    this.host = Warp.element("div", { class: "warp-variables" });
    this.caption = Warp.element("caption");
    this.body = Warp.element("tbody");
    this.lanes = Warp.element("table", { class: "warp-by-lane" });
    const head = Warp.element("tr", {}, Warp.element("th", { scope: "col" }, "Variable"), Warp.element("th", { scope: "col" }, "Value"));
    this.host.append(
      Warp.element("div", { tabindex: 0, role: "group", "aria-label": "Variables" },
        Warp.element("table", {}, this.caption, Warp.element("thead", {}, head), this.body)),
      this.lanes);
    this.chosen = "";
  }

  /// @param model  null: there is no step
  show(model, step) {
    const variables = model?.block.variables;
    const state = variables && variables.list.length > 0 && step ? variables.after(step) : undefined;
    const seen = variables?.sets[state?.set] ?? [];
    this.host.hidden = seen.length === 0;
    if (this.host.hidden) return;
    this.caption.textContent = `Variables of warp ${step.warp} after this step; what it changed is bold`;
    if (this.seen !== seen) {
      this.seen = seen;
      this.fill(variables, seen);
    }
    this.shown = { model, step, state, variables };
    const lanes = Warp.lanesOf(step.lanes);
    seen.forEach(({ variable, hasPlace }, row) => {
      const cell = this.body.rows[row].cells[1];
      const of = variables.list[variable];
      cell.textContent = hasPlace ? Warp.variableWords(model, of, state.values[variable], lanes) : "optimized out";
      cell.className = !hasPlace ? "warp-soft" : state.changed.has(variable) ? "warp-changed" : "";
    });
    this.showLanes();
  }

  fill(variables, seen) {
    this.body.replaceChildren(...seen.map(({ variable }) => {
      const { name } = variables.list[variable];
      const choose = () => this.choose(name);
      return Warp.element("tr", { onmouseenter: choose }, Warp.element("th", { scope: "row" },
        Warp.element("button", { type: "button", onclick: choose, onfocus: choose, "aria-pressed": "false" }, name)),
      Warp.element("td"));
    }));
  }
  choose(name) {
    this.chosen = name;
    this.showLanes();
  }

  /// Each lane's value of the chosen variable.
  showLanes() {
    const { model, step, state, variables } = this.shown;
    const row = this.seen.findIndex((one) => variables.list[one.variable].name === this.chosen && one.hasPlace);
    this.seen.forEach((_, i) => this.body.rows[i].querySelector("button").setAttribute("aria-pressed", i === row));
    this.lanes.hidden = row < 0;
    if (row < 0) return;
    const { variable } = this.seen[row];
    const of = variables.list[variable];
    const values = state.values[variable];
    const cell = (lane) => {
      const active = (step.lanes >>> lane) & 1;
      const text = !active ? "–" : values?.[lane] === undefined ? "?" : Warp.variableText(model, of, values[lane]);
      return Warp.element("td", { class: active ? null : "warp-soft" }, Warp.element("small", {}, lane), ` ${text}`);
    };
    const columns = 4;
    this.lanes.replaceChildren(
      Warp.element("caption", {}, `${of.name} by lane; – takes no part in the step, ? is not initialized`),
      ...Array.from({ length: 32 / columns }, (_, i) => Warp.element("tr", {},
        ...Array.from({ length: columns }, (__, k) => cell(i * columns + k)))));
  }
};
"use strict";
// Keys and touch: what they do with a viewer.

Warp.listen = (viewer) => {
  viewer.host.onkeydown = (event) => key(event);
  swipes(viewer.drawing);

  function key(event) {
    if (event.target.closest("select, summary, .warp-tabs") || event.ctrlKey || event.metaKey || event.altKey) return;
    const onSlider = event.target.tagName === "INPUT";
    const acts = {
      ArrowLeft: () => viewer.goBy(-1), ArrowRight: () => viewer.goBy(1),
      Home: () => viewer.goBy(-Infinity), End: () => viewer.goBy(Infinity), " ": () => viewer.play(),
    };
    if (onSlider && event.key !== " ") return;
    if (event.key === " " && event.target.tagName === "BUTTON") return;
    if (!acts[event.key]) return;
    event.preventDefault();
    acts[event.key]();
  }

  /// A finger that moves sideways over the picture goes to the next step.
  function swipes(drawing) {
    let from = null;
    drawing.addEventListener("touchstart", (event) => { from = event.touches[0]; }, { passive: true });
    drawing.addEventListener("touchend", (event) => {
      const to = event.changedTouches[0];
      if (!from) return;
      const across = to.clientX - from.clientX;
      if (Math.abs(across) > 48 && Math.abs(across) > 2 * Math.abs(to.clientY - from.clientY)) viewer.goBy(across < 0 ? 1 : -1);
      from = null;
    });
  }
};

/// Left and right choose the tab beside.
Warp.tabKey = (viewer, event) => {
  const by = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
  if (!by) return;
  const tabs = [...viewer.tabs.children];
  const next = tabs[(tabs.indexOf(event.currentTarget) + by + tabs.length) % tabs.length];
  viewer.choose(next.picture.id);
  next.focus();
  event.preventDefault();
};
"use strict";
// A recording on a page: findings, pictures, a slider to go through the steps, the source, a table.

Warp.pictures = [Warp.timelinePicture, Warp.accessPicture, Warp.banksPicture, Warp.memoryPicture,
  Warp.divergencePicture, Warp.elementsPicture, Warp.streamsPicture];

/// Shows a recording in an element.
/// @param options  { block: number } and those of Warp.opening; without them the first finding, or
/// else what costs most
Warp.show = (host, recording, options = {}) => new Warp.Viewer(host, recording, options);

Warp.Viewer = class {
  constructor(host, recording, options) {
    this.host = host;
    this.recording = recording;
    this.speed = 4;
    host.classList.add("warp");
    host.replaceChildren();
    if (recording.blocks.length === 0) {
      host.append(Warp.element("p", {}, ...recording.notes));
      return;
    }
    const opening = this.find(options);
    this.build();
    this.openAt(opening);
    this.redrawWhenSizesChange();
  }

  /// Opens the block that has what the options name, or else the first one.
  find({ block, ...options }) {
    const { blocks } = this.recording;
    const named = Object.keys(options).length > 0;
    for (const number of block === undefined ? blocks.keys() : [block]) {
      this.open(number);
      const opening = named && Warp.opening(this.model, options);
      if (opening) return opening;
    }
    this.open(block ?? 0);
    return this.first();
  }
  /// Where a block opens by default.
  first() {
    const { findings } = this.model.block;
    return findings.length > 0 ? { finding: findings[0] } : Warp.opening(this.model, {});
  }
  openAt({ finding, picture, index = 0, call = 0 }) {
    if (finding) return this.jump(finding);
    Object.assign(this.state, { index, call });
    this.choose(picture);
  }

  open(number) {
    this.number = number;
    this.model = new Warp.Model(this.recording, number);
    this.state = { index: 0, call: 0 };
  }

  /// What the picture goes through: the steps of the block, or the calls of the program; and where it stands.
  get items() { return this.picture.items?.(this.model) ?? this.model.steps; }
  get index() { return this.picture.items ? this.state.call : this.state.index; }
  set index(value) { this.state[this.picture.items ? "call" : "index"] = value; }

  // -- the page's parts ---------------------------------------------------------------------------

  build() {
    const { block } = this.model;
    const id = Warp.Viewer.count = (Warp.Viewer.count ?? 0) + 1;
    const size = (of) => of[1] === 1 && of[2] === 1 ? of[0] : `(${of.join(", ")})`;
    this.tabs = Warp.element("div", { role: "tablist", class: "warp-tabs", "aria-label": "Pictures" });
    for (const picture of Warp.pictures) {
      if (picture.isEmpty?.(this.model)) continue;
      const tab = Warp.element("button", {
        type: "button", role: "tab", id: `warp-${id}-${picture.id}`, "aria-controls": `warp-${id}-panel`,
        onclick: () => this.choose(picture.id), onkeydown: (event) => Warp.tabKey(this, event),
      }, picture.title);
      tab.picture = picture;
      this.tabs.append(tab);
    }
    this.explanation = Warp.element("p", { class: "warp-soft" });
    this.words = Warp.element("p", { class: "warp-words", role: "status" });
    this.drawing = Warp.element("div", { class: "warp-drawing" });
    this.panel = Warp.element("div", { role: "tabpanel", id: `warp-${id}-panel`, tabindex: 0 },
      this.explanation, this.controls(id), this.words, this.drawing);
    this.source = new Warp.Source(this.recording);
    this.variables = new Warp.VariablePanel();
    this.side = Warp.element("div", { class: "warp-side" }, this.source.host, this.variables.host);
    this.tableHost = Warp.element("div", { class: "warp-table", tabindex: 0, role: "group", "aria-label": "Table of the picture" });
    this.details = Warp.element("details", { ontoggle: () => this.updateTable() },
      Warp.element("summary", {}, "The same as a table"), this.tableHost);
    this.host.replaceChildren(...[
      Warp.element("p", { class: "warp-what" },
        Warp.element("code", {}, `${block.kernel.split("(")[0]}<<<${size(block.grid)}, ${size(block.block)}>>>`),
        ` block (${block.id.join(", ")}), launch ${block.launch}`, this.blockChoice()),
      ...this.recording.notes.map((note) => Warp.element("p", { class: "warp-note" }, note)),
      this.findingList(),
      this.tabs,
      Warp.element("div", { class: "warp-columns" }, this.panel, this.side),
      this.details,
    ].filter((part) => part !== null));
    Warp.listen(this);
  }

  blockChoice() {
    if (this.recording.blocks.length < 2) return null;
    return Warp.element("select", {
      "aria-label": "Block",
      onchange: (event) => {
        this.open(+event.target.value);
        this.build();
        this.openAt(this.first());
      },
    }, ...this.recording.blocks.map((one, i) => Warp.element("option",
      { value: i, ...(i === this.number ? { selected: "" } : {}) },
      `block (${one.id.join(", ")}) of launch ${one.launch}`)));
  }

  findingList() {
    const { findings } = this.model.block;
    if (findings.length === 0) return null;
    return Warp.element("ul", { class: "warp-findings" }, ...findings.map((finding) => {
      const file = this.recording.files[finding.file - 1];
      return Warp.element("li", {},
        Warp.element("button", { type: "button", onclick: () => this.jump(finding) }, "Jump to"),
        Warp.element("span", {}, file ? `${file.name}:${finding.line}: ` : "", finding.message));
    }));
  }

  controls(id) {
    const button = (words, act) => Warp.element("button", { type: "button", onclick: act }, words);
    this.slider = Warp.element("input", {
      type: "range", min: 0, value: 0, "aria-label": "Step",
      oninput: () => { this.stop(); this.goTo(this.stops[+this.slider.value]); },
    });
    this.playButton = button("Play", () => this.play());
    this.position = Warp.element("span", { class: "warp-position" });
    const speed = Warp.element("select", { "aria-label": "Speed", onchange: (e) => { this.speed = +e.target.value; } },
      ...[1, 2, 4, 8, 16, 60].map((value) => Warp.element("option", { value, ...(value === 4 ? { selected: "" } : {}) }, `${value} per second`)));
    this.lineChoice = Warp.element("select", { "aria-label": "Line", onchange: () => this.filterChanged() });
    this.warpChoice = Warp.element("select", { "aria-label": "Warp", onchange: () => this.filterChanged() });
    return Warp.element("div", { class: "warp-controls", id: `warp-${id}-controls` },
      Warp.element("div", {}, button("First", () => this.goBy(-Infinity)),
        button("Back", () => this.goBy(-1)), this.playButton,
        button("Next", () => this.goBy(1)), button("Last", () => this.goBy(Infinity)), speed,
        this.lineChoice, this.warpChoice),
      this.slider, this.position);
  }

  // -- choosing -----------------------------------------------------------------------------------

  choose(id) {
    this.stop();
    this.picture = Warp.pictures.find((one) => one.id === id) ?? Warp.pictures[0];
    for (const tab of this.tabs.children) {
      const chosen = tab.picture === this.picture;
      tab.setAttribute("aria-selected", chosen);
      tab.tabIndex = chosen ? 0 : -1;
      if (chosen) this.panel.setAttribute("aria-labelledby", tab.id);
    }
    this.explanation.textContent = this.picture.explains;
    if (this.picture.id === "divergence") this.state.warp = this.model.steps[this.state.index]?.warp ?? 0;
    this.fillChoices();
    this.findStops();
    const step = this.stops.find((index) => index >= this.index);
    this.goTo(step ?? this.stops.at(-1));
  }

  fillChoices() {
    const all = this.picture.stops(this.model, { ...this.state, warp: this.state.warp });
    const lines = new Map();
    const warps = new Set();
    for (const index of all) {
      const step = this.items[index];
      const line = this.model.line(step);
      if (!lines.has(line)) lines.set(line, this.model.place(step));
      warps.add(step.warp);
    }
    const option = (value, words, chosen) => Warp.element("option", { value, ...(chosen ? { selected: "" } : {}) }, words);
    this.lineChoice.replaceChildren(option("", "all lines", true),
      ...[...lines].sort((a, b) => a[0] - b[0]).map(([number, words]) => option(number, words, false)));
    const divergence = this.picture.id === "divergence";
    this.warpChoice.hidden = this.picture.items !== undefined;
    const numbers = divergence ? Array.from({ length: this.model.warps }, (_, i) => i) : [...warps].sort((a, b) => a - b);
    this.warpChoice.replaceChildren(...(divergence ? [] : [option("", "all warps", true)]),
      ...numbers.map((number) => option(number, `warp ${number}`, divergence && number === this.state.warp)));
  }

  filterChanged() {
    if (this.picture.id === "divergence") this.state.warp = +this.warpChoice.value;
    this.findStops();
    const step = this.stops.find((index) => index >= this.index);
    this.goTo(step ?? this.stops[0]);
  }

  findStops() {
    const line = this.lineChoice.value;
    const warp = this.warpChoice.value;
    this.stops = this.picture.stops(this.model, this.state).filter((index) => {
      const step = this.items[index];
      return (line === "" || this.model.line(step) === +line) && (warp === "" || step.warp === +warp);
    });
    this.slider.max = Math.max(0, this.stops.length - 1);
  }

  jump(finding) {
    this.state.finding = finding;
    let index = finding.step;
    if (finding.race && (index >= 0 || finding.race.other)) {
      const sides = this.model.raceSides(finding);
      if (finding.race.other) sides[finding.race.other.side] = -1;  // a step of the other block
      index = sides[1] >= 0 ? sides[1] : sides[0] >= 0 ? sides[0] : index;
    }
    if (index < 0) {
      index = this.model.steps.findIndex((s) => this.model.line(s) === finding.line);
    }
    // What was loaded may be reported where it is used, iterations later.
    const picture = Warp.pictureFor(finding);
    if (!finding.race && index >= 0) index = this.accessOf(finding, picture, index);
    this.state.index = Math.max(0, index);
    this.choose(picture);
    if (this.stops.length === 0) this.choose("timeline");
  }

  /// The last step at or before `index` that did what a finding says.
  accessOf(finding, picture, index) {
    const shows = (step) => step.kind !== "run" && this.model.line(step) === finding.line &&
      (picture !== "memory" || step.shared);
    const uninitialized = (step) => step.address && Warp.lanesOf(step.lanes).some((lane) =>
      this.model.sharedAfter(step.index - 1).writer[step.address[lane]] === -1);
    let shown = -1;
    let looks = 0;  // each replays shared memory
    for (let i = index; i >= 0 && looks < 200; --i) {
      const step = this.model.steps[i];
      if (!shows(step)) continue;
      if (shown < 0) shown = i;
      ++looks;
      if (!finding.kind.startsWith("unwritten-shared") || uninitialized(step)) return i;
    }
    return shown < 0 ? index : shown;
  }

  // -- moving -------------------------------------------------------------------------------------

  goTo(index) {
    this.slider.disabled = this.stops.length === 0;
    if (index === undefined) {
      this.words.textContent = "The block did nothing of this kind.";
      this.drawing.replaceChildren();
      this.position.textContent = "";
      this.showBeside(null);
      this.updateTable();
      return;
    }
    this.index = index;
    this.slider.value = this.stopOf(index);
    this.update();
  }
  /// The place of a step among the stops, which are in order; -1 if it is none.
  stopOf(index) {
    let [low, high] = [0, this.stops.length - 1];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.stops[middle] < index) low = middle + 1;
      else high = middle;
    }
    return this.stops[low] === index ? low : -1;
  }
  goBy(count) {
    const at = this.stopOf(this.index) + count;
    const last = this.stops.length - 1;
    this.goTo(this.stops[Math.max(0, Math.min(last, at))]);
  }
  play() {
    if (this.timer) return this.stop();
    if (this.index === this.stops.at(-1)) this.goTo(this.stops[0]);
    this.playButton.textContent = "Pause";
    this.words.setAttribute("role", "none");  // a screen reader would speak each step
    const tick = () => {
      if (this.index === this.stops.at(-1)) return this.stop();
      this.goBy(1);
      this.timer = setTimeout(tick, 1000 / this.speed);
    };
    this.timer = setTimeout(tick, 1000 / this.speed);
  }
  stop() {
    clearTimeout(this.timer);
    this.timer = 0;
    this.playButton.textContent = "Play";
    this.words.setAttribute("role", "status");
  }

  // -- drawing ------------------------------------------------------------------------------------

  update() {
    const step = this.items[this.index];
    this.width ??= Math.max(280, Math.floor(this.drawing.clientWidth || 800));
    const changed = (index) => {
      if (index === undefined) this.update();
      else this.goTo(this.nearest(index));
    };
    this.words.textContent = this.picture.says(this.model, step, this.state);
    const focused = this.drawing.contains(document.activeElement) ? this.focusPath() : null;
    const drawn = this.picture.draw(this.model, step, this.width, this.state, changed, this.host);
    if (drawn !== this.drawing.firstChild) this.drawing.replaceChildren(drawn);
    if (focused) this.drawing.querySelectorAll("button, input, select")[focused.number]?.focus();
    this.position.textContent = `${Warp.number(this.stopOf(this.index) + 1)} of ${Warp.number(this.stops.length)}`;
    this.slider.setAttribute("aria-valuetext", this.words.textContent);
    this.showBeside(this.model, step);
    this.updateTable();
  }
  showBeside(model, step) {
    this.source.show(model, step);
    this.variables.show(model, step);
    this.side.hidden = this.source.host.hidden && this.variables.host.hidden;
  }
  focusPath() {
    return { number: [...this.drawing.querySelectorAll("button, input, select")].indexOf(document.activeElement) };
  }
  nearest(index) {
    return this.stops.find((one) => one >= index) ?? this.stops.at(-1);
  }

  updateTable() {
    if (!this.details.open) return;
    const step = this.items[this.index];
    this.tableHost.replaceChildren(step && this.stops.length > 0
      ? Warp.table(this.picture.table(this.model, step, this.state)) : "");
  }

  redrawWhenSizesChange() {
    let width = this.drawing.clientWidth;
    let waiting = 0;
    const again = () => {
      // Canvases have their colours and width from when they were drawn.
      this.host.dataset.colours = (+this.host.dataset.colours || 0) + 1;
      if (this.stops.length > 0) this.update();
    };
    new ResizeObserver(() => {
      if (this.drawing.clientWidth === width) return;
      width = this.drawing.clientWidth;
      this.width = undefined;
      cancelAnimationFrame(waiting);
      waiting = requestAnimationFrame(again);
    }).observe(this.drawing);
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", again);
    addEventListener("beforeprint", () => { this.details.open = true; this.updateTable(); });
    matchMedia("print").addEventListener("change", again);
  }
};
