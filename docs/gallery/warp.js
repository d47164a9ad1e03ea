"use strict";
const Warp = {};
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
Warp.Step = class {
constructor(index, kind, warp, instruction, lanes) {
this.index = index;
this.kind = kind;
this.warp = warp;
this.instruction = instruction;
this.lanes = lanes;
this.count = 0;
this.type = this.other = this.distance = this.raw = this.unpacked = this.bytes = undefined;
this.shared = false;
this.width = this.first = this.passes = this.ideal = this.stride = 0;
}
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
Warp.read = (text) => {
const raw = atob(text);
const bytes = new Uint8Array(raw.length);
for (let i = 0; i < raw.length; ++i) bytes[i] = raw.charCodeAt(i);
const from = new Warp.Bytes(bytes);
const magic = String.fromCharCode(...from.raw(7));
const version = from.byte();
if (magic !== "warprec" || version < 1 || version > 3) {
throw new Error("this page cannot read the recording");
}
const recording = { card: from.text() };
recording.files = from.list(() => ({
name: from.text(), first: from.number(), lines: from.list(() => from.text()),
}));
const arrays = (shared) => from.list(() => ({
name: from.text(), base: from.number(), bytes: from.number(),
extents: shared && version > 2 ? from.list(() => from.number()) : [],
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
read.naming = version > 2 ? from.list(() => from.number()) : [];
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
id: from.triple(), dropped: from.number(), shared: arrays(true), global: arrays(),
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
Warp.number = (value) => {
const [whole, fraction] = String(Math.round(value * 1000) / 1000).split(".");
const grouped = whole.replace(/\B(?=(\d{3})+$)/g, ",");
return fraction ? `${grouped}.${fraction}` : grouped;
};
Warp.hue = (number) => `var(--warp-hue-${number % 12})`;
Warp.colour = (name, element) => getComputedStyle(element).getPropertyValue(name).trim();
Warp.picture = (width, height, name, ...children) => Warp.element("svg", {
viewBox: `0 0 ${width} ${height}`, width: "100%", role: "img", "aria-label": name,
style: `max-width: ${width}px`,
}, ...children);
Warp.textAt = (x, y, text, attributes = {}) => Warp.element("text", { x, y, ...attributes }, text);
Warp.rect = (x, y, width, height, attributes = {}, ...children) =>
Warp.element("rect", { x, y, width, height, ...attributes }, ...children);
Warp.curve = (x1, y1, x2, y2, attributes = {}) => {
const middle = (y1 + y2) / 2;
return Warp.element("path", {
d: `M${x1} ${y1}C${x1} ${middle} ${x2} ${middle} ${x2} ${y2}`, fill: "none", ...attributes,
});
};
Warp.heading = (...words) => Warp.element("div", { class: "warp-heading" }, ...words);
Warp.legend = (...items) => Warp.element("div", { class: "warp-legend" }, ...items.filter((item) => item).map(([sample, words]) =>
Warp.element("span", {}, Warp.element("i", typeof sample === "string" ? { class: sample } : sample), words)));
Warp.lanes = (columns, of) => Warp.element("div", { class: "warp-lanes", style: `grid-template-columns: repeat(${columns}, minmax(2px, 1fr))` },
...Array.from({ length: 32 }, (_, lane) => of(lane)).map((cell) => cell && Warp.element("span", ...cell)));
Warp.table = ({ caption, head, rows }) => {
const row = (cells, tag) => Warp.element("tr", {}, ...cells.map((cell) =>
Warp.element(tag, tag === "th" ? { scope: "col" } : {}, String(cell))));
return Warp.element("table", {}, Warp.element("caption", {}, caption),
Warp.element("thead", {}, row(head, "th")),
Warp.element("tbody", {}, ...rows.map((cells) => row(cells, "td"))));
};
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
Warp.ranges = (numbers) => {
const parts = [];
for (let i = 0, first = 0; i < numbers.length; ++i) {
if (numbers[i + 1] === numbers[i] + 1) continue;
parts.push(i === first ? numbers[i] : `${numbers[first]} to ${numbers[i]}`);
first = i + 1;
}
return parts.length > 4 ? `${numbers[0]} to ${numbers.at(-1)}, not all` : parts.join(", ");
};
"use strict";
Warp.indices = (extents, element) => {
const indices = [];
for (const extent of extents.slice(1).reverse()) {
indices.unshift(((element % extent) + extent) % extent);
element = Math.floor(element / extent);
}
return [element, ...indices];
};
Warp.extentsOf = ({ extents, bytes }, width) =>
extents?.length > 0 && extents.reduce((product, extent) => product * extent, width) === bytes ? extents : [];
Warp.indexName = (array, element, width) => {
const extents = Warp.extentsOf(array, width);
return array.name + (element < 0 || element * width >= array.bytes ? [element] : Warp.indices(extents, element))
.map((i) => `[${i}]`).join("");
};
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
instruction(step) {
return this.block.instructions[step.instruction] ?? step;
}
line(step) {
return this.instruction(step).line;
}
place(step) {
const { file, line } = this.instruction(step);
return file === 0 ? "unknown line" : `${this.recording.files[file - 1].name}:${line}`;
}
sourceOf(step) {
const { file, line } = this.instruction(step);
const of = this.recording.files[file - 1];
return of?.lines[line - of.first] ?? "";
}
thread(warp, lane) {
const number = warp * 32 + lane;
const [x, y] = this.block.block;
if (y === 1 && this.block.block[2] === 1) return String(number);
const place = [number % x, Math.floor(number / x) % y, Math.floor(number / (x * y))];
return `(${(this.block.block[2] === 1 ? place.slice(0, 2) : place).join(",")})`;
}
arrayAt(shared, address) {
const arrays = shared ? this.block.shared : this.block.global;
const away = (a) => Math.max(0, a.base - address, address - a.base - a.bytes + 1);
const nearest = arrays.reduce((best, a) => best && away(best) <= away(a) ? best : a, undefined);
return nearest && away(nearest) <= (address < nearest.base ? 4096 : 65536) ? nearest : undefined;
}
elementName(step, lane) {
return this.nameOf(step.shared, step.address[lane], this.instruction(step).width || step.width);
}
nameOf(shared, address, width) {
const array = this.arrayAt(shared, address);
if (!array) return `address 0x${address.toString(16)}`;
return Warp.indexName(array, Math.floor((address - array.base) / width), width);
}
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
this.barriers.push({ time, barrier: step.count, step: step.index, line: those[0] && this.line(this.steps[those[0].step]) });
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
otherBlock(finding) {
this.others ??= new Map();
const { block } = finding.race.other;
const number = this.recording.blocks.findIndex((one) => one.launch === this.block.launch &&
one.id.every((value, i) => value === block[i]));
if (number < 0) return undefined;
if (!this.others.has(number)) this.others.set(number, new Warp.Model(this.recording, number));
return this.others.get(number);
}
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
Warp.wasteOf = (step) => (step.passes - step.ideal) * (step.shared ? 1 : 2);
Warp.costliest = (model, fits) => {
let best;
for (const step of model.steps) {
if (step.kind !== "access" || step.passes <= step.ideal || !fits(step)) continue;
if (!best || Warp.wasteOf(step) > Warp.wasteOf(best)) best = step;
}
return best;
};
Warp.pictureOfStep = (step) => {
switch (step?.kind) {
case "access": return step.shared ? step.passes > step.ideal ? "banks" : "memory" : "access";
case "fault": return step.shared ? "memory" : "elements";
case "diverge": return "divergence";
default: return "timeline";
}
};
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
inOrder(lines, step) {
const first = (line) => Warp.lanesOf(step.lanes).find((lane) =>
Math.floor(step.address[lane] / 128) <= line && Math.floor((step.address[lane] + step.width - 1) / 128) >= line);
const keys = new Map(lines.map(({ line }) => [line, first(line)]));
return lines.toSorted((a, b) => keys.get(a.line) - keys.get(b.line) || a.line - b.line);
},
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
"use strict";
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
rowOf(model, step) {
const lanes = Warp.lanesOf(step.lanes);
for (let i = 1; i < lanes.length; ++i) {
const distance = Math.abs(step.address[lanes[i]] - step.address[lanes[i - 1]]);
if (distance >= 32 && distance % 4 === 0) return distance;
}
return 128;
},
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
"use strict";
Warp.memoryPicture = {
id: "memory",
title: "Shared memory",
explains: "Each element: its value, and the warp and the source line that wrote it last. Striped: uninitialized.",
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
shapeOf(array, bytes, width) {
const extents = Warp.extentsOf(array, bytes);
const fitting = width < 480 ? 8 : width < 1150 ? 16 : 32;
const own = extents.at(-1);
if (extents.length > 1 && own <= 128 && array.bytes / bytes / own <= 64) return { extents, columns: own, known: true };
return { extents, columns: extents.length > 1 && own < fitting ? fitting - fitting % own : fitting, known: false };
},
window(array, width, step, columns) {
const elements = Math.floor(array.bytes / width);
const most = 512;
if (elements <= 4 * most && columns > 16 || elements <= 2 * most) return [0, elements];
const at = step.address?.[Warp.lanesOf(step.lanes)[0]] ?? array.base;
const row = Math.floor(Math.max(0, at - array.base) / width / columns);
const rows = 2 * Math.ceil(most / columns / 2);
const first = Math.max(0, Math.min(row - rows / 2, Math.ceil(elements / columns) - rows)) * columns;
return [first, Math.min(first + rows * columns, elements)];
},
draw(model, step, width, state, changed, host) {
const array = this.arrayOf(model, step, state);
if (!array) return Warp.element("div", {}, "The kernel has no shared memory.");
const { width: bytes } = this.widthOf(model, array);
const elements = Math.floor(array.bytes / bytes);
const shape = this.shapeOf(array, bytes, width);
const [from, to] = this.window(array, bytes, step, shape.columns);
const key = [width, array.base, from, to, host.dataset.colours].join();
if (state.memory?.key !== key) {
const least = matchMedia("print").matches ? 4 : 22;
const cell = Math.min(64, Math.max(least, Math.floor((width - this.left) / shape.columns)));
state.memory = { key, from, ...this.drawCells(array, cell, shape, from, to, host), lines: Warp.element("div") };
state.memory.wide = Warp.element("div", { class: "warp-wide", ...(this.left + cell * shape.columns > width
? { tabindex: 0, role: "group", "aria-label": `Elements of ${array.name}` } : {}) }, state.memory.canvas);
state.memory.all = Warp.element("div", {},
this.heading(model, array, state, changed, { elements, from, to, ...shape }),
this.legend(model), state.memory.wide, state.memory.lines);
}
this.updateCells(model, step, array, state.memory);
state.memory.canvas.setAttribute("aria-label",
`${array.name}, ${Warp.plural(elements, "element")}. ${this.says(model, step)}`);
return state.memory.all;
},
high: 30,  // pixels of a row
left: 46,
top: 16,
drawCells(array, cell, { extents, columns, known }, from, to, host) {
const { high, left, top } = this;
const rows = Math.ceil((to - from) / columns);
const cells = Array.from({ length: to - from }, (_, number) => ({
x: left + number % columns * cell, y: top + Math.floor(number / columns) * high, cell, first: number % columns === 0,
}));
const every = cell >= 22 ? 1 : 4;
let paint;
const canvas = Warp.canvas(left + columns * cell, top + rows * high + 2, array.name, host, (context, colour) => {
context.font = "10px system-ui, sans-serif";
context.textBaseline = "middle";
context.fillStyle = colour("--warp-soft");
for (let row = 0; row < rows; ++row) {
const first = from + row * columns;
context.fillText(known ? Warp.indices(extents, first).slice(0, -1).map((i) => `[${i}]`).join("") : `[${first}]`, 0,
top + row * high + high / 2, left - 4);
}
context.textAlign = "center";
for (let column = 0; column < columns; column += every) {
context.fillText(known ? String(column) : `+${column}`, left + column * cell + cell / 2, top / 2, cell * every);
}
paint = (shown) => this.paintCell(context, colour, shown);
});
canvas.addEventListener("pointermove", (event) => {
const box = canvas.getBoundingClientRect();
const column = Math.floor((event.clientX - box.left - left) / cell);
const shown = column >= 0 && column < columns && cells[Math.floor((event.clientY - box.top - top) / high) * columns + column];
canvas.title = shown ? shown.title() : "";
});
return { canvas, cells, paint };
},
paintCell(context, colour, { x, y, cell, hue, old, value, mark, tag }) {
const [wide, high] = [cell - 2, this.high - 2];
context.clearRect(x, y, cell, this.high);
if (hue === undefined) {
this.stripes ??= new Map();
const marks = colour("--warp-stripe");
if (!this.stripes.has(marks)) this.stripes.set(marks, Warp.pattern(context, "stripes", colour("--warp-empty"), marks));
context.fillStyle = this.stripes.get(marks);
} else {
context.globalAlpha = old ? 0.35 : 0.8;
context.fillStyle = colour(`--warp-hue-${hue}`);
}
context.fillRect(x + 1, y + 1, wide, high);
context.globalAlpha = 1;
const [frame, thick] = { read: ["--warp-accent", 3], write: ["--warp-ink", 3], wrong: ["--warp-bad", 4] }[mark] ??
["--warp-edge", 1];
context.strokeStyle = colour(frame);
context.lineWidth = thick;
context.strokeRect(x + thick / 2, y + thick / 2, cell - thick, this.high - thick);
context.fillStyle = colour("--warp-ink");
if (cell < 18) return;
const small = cell < 34;
context.font = small ? "9px system-ui, sans-serif" : "11px system-ui, sans-serif";
const text = value?.(Math.floor((cell - 4) / (small ? 5.1 : 6.3))) ?? "";
context.fillText(text, x + cell / 2, y + this.high * 0.64);
if (!tag) return;
context.font = "9px system-ui, sans-serif";
context.textAlign = "left";
context.fillText(tag, x + 4, y + 8);
context.textAlign = "center";
},
updateCells(model, step, array, { cells, paint, from, lines, wide, canvas }) {
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
const written = new Map();  // by instruction: how many of the cells
let last = -1;  // the warp of the cell at the left
cells.forEach((shown, number) => {
const i = from + number;
const at = array.base + i * width;
const writer = now.writer[at];
const lane = touched.get(i);
const bad = lane !== undefined && step.type !== "store" && before.writer[at] < 0;
const old = writer >= 0 && model.phase[writer] < model.phase[step.index];
const by = writer < 0 ? null : model.steps[writer];
written.set(by?.instruction, (written.get(by?.instruction) ?? 0) + 1);
const tag = by && model.warps > 1 && (shown.first || by.warp !== last) ? `w${by.warp}` : "";
last = by ? by.warp : -1;
const key = `${writer} ${lane} ${lane === undefined ? "" : step.type} ${bad} ${old} ${tag}`;
if (shown.key === key) return;
shown.key = key;
const known = by?.values && Warp.value(now.bytes.subarray(at, at + width), type);
shown.value = by && ((most) => by.values ? Warp.shorter(known, type, most) : "?");
shown.hue = by === null ? undefined : Warp.lineHue(model, by);
Object.assign(shown, { old, tag, mark: lane === undefined ? "" : bad ? "wrong" : step.type === "load" ? "read" : "write" });
shown.title = () => `${Warp.indexName(array, i, width)}: ` + (by
? `${by.values ? Warp.short(known, type) : "?"}, written by warp ${by.warp} at ${model.place(by)}, ${now.count[at]} times`
: "uninitialized") +
(lane === undefined ? "" : `; lane ${lane} ${step.type === "load" ? "reads" : "writes"} it now`);
paint(shown);
});
this.showLines(model, lines, written);
if (wide.tabIndex < 0 || touched.size === 0) return;
const { x } = cells[Math.max(0, Math.min(cells.length - 1, Math.min(...touched.keys()) - from))];
if (x < wide.scrollLeft + this.left || x > wide.scrollLeft + wide.clientWidth - 120) wide.scrollLeft = x - 120;
},
showLines(model, host, written) {
const lines = new Map();
for (const [instruction, count] of written) {
const line = instruction === undefined ? 0 : model.line({ instruction });
const known = lines.get(line) ?? { count: 0, instruction };
lines.set(line, { ...known, count: known.count + count });
}
const key = JSON.stringify([...lines]);
if (host.dataset.key === key) return;
host.dataset.key = key;
host.replaceChildren(Warp.legend(...[...lines].sort(([a], [b]) => a - b).map(([line, { count, instruction }]) => line === 0
? ["warp-key-never", `${Warp.plural(count, "element")}: uninitialized, no line has written ${count === 1 ? "it" : "them"} yet`]
: [{ style: `background: ${Warp.hue(Warp.lineHue(model, { instruction }))}` },
`${Warp.plural(count, "element")}: written by line ${line}, ${model.sourceOf({ instruction }).trim().slice(0, 80)}`])));
},
tags(model, step, { finding, ...state }) {
const array = this.arrayOf(model, step, state);
const tags = new Map(array ? this.writersOf(model, array) : []);
if (finding?.kind.startsWith("unwritten-shared")) {
for (const [line, tag] of Warp.findingTags(model, finding)) {
tags.set(line, line === finding.line && finding.naming.length === 0 ? ["reads uninitialized elements", "bad"]
: [[tag[0], tags.get(line)?.[0]].filter(Boolean).join("; "), "bad"]);
}
}
return tags;
},
writersOf(model, array) {
model.writersOf ??= new Map();
if (model.writersOf.has(array)) return model.writersOf.get(array);
const { width } = this.widthOf(model, array);
const elements = Math.floor(array.bytes / width);
const lines = new Map();  // to a flag for each element
for (const step of model.steps) {
if (step.kind !== "access" || !step.shared || step.type === "load") continue;
const { address } = step;
for (const lane of Warp.lanesOf(step.lanes)) {
for (let at = address[lane] - array.base; at < address[lane] - array.base + step.width; at += width) {
if (at < 0 || at >= array.bytes) continue;
const line = model.line(step);
if (!lines.has(line)) lines.set(line, new Uint8Array(elements));
lines.get(line)[Math.floor(at / width)] = 1;
}
}
}
const tags = [...lines].map(([line, flags]) => {
const count = flags.reduce((sum, flag) => sum + flag, 0);
return [line, [`writes ${count === elements ? "all" : `${Warp.number(count)} of the`} ${Warp.plural(elements, "element")} of ${array.name}`, "cost"]];
});
model.writersOf.set(array, tags);
return tags;
},
heading(model, array, state, changed, { elements, from, to, extents, columns, known }) {
const arrays = model.block.shared.filter((a) => a.bytes > 0);
const part = to - from < elements ? `, here ${from} to ${to - 1}` : "";
const all = extents.map((extent) => `[${extent}]`).join("");
const words = `${array.name}${all}: ${Warp.plural(elements, "element")}${part}` +
(known || extents.length === 1 ? "" : all ? `, ${columns} in each row of the picture`
: `. Its row length is not known; the picture has ${columns} in each row`);
if (arrays.length < 2) return Warp.heading(words);
const choice = Warp.element("select", {
"aria-label": "Shared array",
onchange: (event) => { state.array = +event.target.value; changed(); },
}, ...arrays.map((a, i) => Warp.element("option", { value: i, ...(a === array ? { selected: "" } : {}) }, a.name)));
return Warp.heading(choice, ` ${words}`);
},
legend: (model) => Warp.legend(["warp-key-run", "colour: the source line that wrote the element last"],
model.warps > 1 && ["warp-key-tag", "w0, w1, ...: the warp that did; it holds up to the next tag"],
["warp-faded", "paler: written before the last barrier"], ["warp-key-never", "striped: uninitialized"],
["warp-outline-read", "read now"], ["warp-outline-write", "written now"],
["warp-outline-wrong", "read now, and uninitialized"]),
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
rows.push([Warp.indexName(array, i, bytes),
writer === null ? "uninitialized" : !writer.values ? "not known"
: Warp.short(Warp.value(now.bytes.subarray(at, at + bytes), type), type),
writer === null ? "" : `warp ${writer.warp}, ${model.place(writer)}`, now.count[at]]);
}
return { caption: this.says(model, step), head: ["Element", "Value", "Written by", "Writes"], rows };
},
};
"use strict";
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
Warp.cursor = (x, y, width, height) => Warp.element("i", { class: "warp-cursor",
style: `left: ${x - 3}px; top: ${y - 2}px; height: ${height + 4}px; width: ${Math.max(2, width) + 6}px` });
"use strict";
Warp.timelinePicture = {
id: "timeline",
title: "Timeline",
explains: "Each warp's own clock in instructions, coloured by source line. Only barriers bring the clocks together.",
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
sideModel(model, { race }, side) {
return race.other?.side === side ? model.otherBlock({ race }) : model;
},
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
"use strict";
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
"use strict";
Warp.divergencePicture = {
id: "divergence",
title: "Divergence",
explains: "The lanes of one warp over its instructions: which lanes run, and which wait for others.",
stops: (model, state) => model.steps.filter((s) => s.warp === (state.warp ?? 0) &&
s.kind !== "complete").map((s) => s.index),
rowOf(model, warp) {
model.rows ??= new Map();
if (model.rows.has(warp)) return model.rows.get(warp);
let at = 0;
const row = [];
const waits = [];
let open = [];
const threads = Math.min(32, model.block.threads - 32 * warp);
const ended = Array.from({ length: 32 }, (_, lane) => lane < threads ? Infinity : 0);
for (const step of model.steps) {
if (step.kind === "complete") {
for (const one of open) if (one.barrier === step.count) one.to = at;
open = open.filter((one) => one.barrier !== step.count);
}
if (step.warp !== warp) continue;
const count = step.kind === "arrive" ? 1
: step.kind === "run" || step.kind === "access" ? step.count : 0;
if (count > 0) row.push({ step, from: at, to: at += count });
if (step.kind === "arrive") {
const all = ended.reduce((mask, end, lane) => end > at ? (mask | 1 << lane) >>> 0 : mask, 0);
const wait = { from: at, to: Infinity, lanes: step.lanes, barrier: step.count, step, some: step.lanes !== all };
waits.push(wait);
open.push(wait);
}
if (step.kind === "leave") for (const lane of Warp.lanesOf(step.lanes)) ended[lane] = at;
}
const made = { row, waits, ended, total: Math.max(1, at) };
model.rows.set(warp, made);
return made;
},
divergent(model, warp) {
model.divergent ??= new Map();
if (!model.divergent.has(warp)) {
model.divergent.set(warp, model.steps.filter((s) => s.kind === "diverge" && s.warp === warp));
}
return model.divergent.get(warp);
},
tags(model, step) {
const tags = new Map();
const times = new Map();
for (const one of this.divergent(model, step.warp)) times.set(model.line(one), (times.get(model.line(one)) ?? 0) + 1);
for (const [line, count] of times) tags.set(line, [`lanes diverge${count > 1 ? `, ${count} times` : ""}`, "cost"]);
for (const wait of this.rowOf(model, step.warp).waits) {
if (wait.some) tags.set(model.line(wait.step), ["only some lanes arrive", "bad"]);
}
return tags;
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
callout(model, step) {
const lanes = Warp.lanesOf(step.lanes);
const who = `line ${model.line(step)}: lane${lanes.length > 1 ? "s" : ""} ${Warp.ranges(lanes)}`;
switch (step.kind) {
case "arrive": return `${who} arrive${lanes.length > 1 ? "" : "s"} at barrier ${step.count}`;
case "diverge": return `${who} diverge: ${Warp.ranges(Warp.lanesOf(step.other))} go elsewhere`;
case "leave": return `${who} end`;
default: return who;
}
},
draw(model, step, width, state, changed, host) {
const left = 34;
const top = 18;
const high = 11;
const height = top + 32 * high + 22;
const { row, total, waits, ended } = this.rowOf(model, step.warp);
const zoom = state.zoom ?? 1;
const here = row.find((one) => one.step.index >= step.index) ?? row.at(-1) ?? { from: 0, to: 0 };
const span = total / zoom;
const from = Math.max(0, Math.min(here.from - span / 2, total - span));
const x = (at) => left + (Math.max(from, Math.min(at, from + span)) - from) / span * (width - left - 4);
const name = `Lanes of warp ${step.warp} over ${Warp.plural(total, "instruction")}. ${this.says(model, step)}`;
const key = [width, step.warp, from, span, host.dataset.colours].join();
if (state.divergenceKey !== key) {
state.divergenceKey = key;
state.divergence = Warp.canvas(width, height, name, host, (context, colour) => {
context.font = "11px system-ui, sans-serif";
context.textBaseline = "middle";
const away = Warp.pattern(context, "dots", colour("--warp-empty"), colour("--warp-soft"));
const waiting = Warp.pattern(context, "stripes", colour("--warp-wait"), colour("--warp-key"));
const y = (lane) => top + lane * high + 1;
context.fillStyle = colour("--warp-soft");
context.fillText("lane", 0, top - 9);
for (let lane = 0; lane < 32; ++lane) {
context.fillStyle = away;
context.fillRect(left, y(lane), x(ended[lane]) - left, high - 1);
context.fillStyle = colour("--warp-edge");  // it has ended: a thin line
context.fillRect(x(ended[lane]), y(lane) + high / 2 - 1, width - 4 - x(ended[lane]), 1);
context.fillStyle = colour("--warp-ink");
if (lane % 4 === 0) context.fillText(String(lane), 8, y(lane) + high / 2);
}
for (const wait of waits) {
context.fillStyle = waiting;
for (const lane of Warp.lanesOf(wait.lanes)) {
context.fillRect(x(wait.from), y(lane), x(Math.min(wait.to, ended[lane])) - x(wait.from), high - 1);
}
}
const stretches = [];
for (const one of row) {
if (one.to < from || one.from > from + span) continue;
context.fillStyle = colour(`--warp-hue-${Warp.lineHue(model, one.step)}`);
const wide = Math.max(0.6, x(one.to) - x(one.from));
for (const lane of Warp.lanesOf(one.step.lanes)) context.fillRect(x(one.from), y(lane), wide, high - 1);
stretches.push({ row: 0, from: x(one.from), to: x(one.to), line: model.line(one.step) });
}
Warp.paintLines(context, colour, stretches, () => top - 9);
});
state.divergence.addEventListener("click", (event) => {
const box = state.divergence.getBoundingClientRect();
const at = from + (event.clientX - box.left - left) / (width - left - 4) * span;
const found = row.find((one) => at < one.to);
if (found) changed(found.step.index);
});
state.divergenceLegend = this.legend(row.length > 0 && waits.some((wait) => Math.min(wait.to, total) > wait.from));
}
state.divergence.setAttribute("aria-label", name);
const zoomBy = (factor) => () => {
state.zoom = Math.max(1, Math.min(256, zoom * factor));
changed();
};
const at = x(here.from);
return Warp.element("div", {}, state.divergenceLegend,
Warp.element("div", { class: "warp-canvas" }, state.divergence,
Warp.cursor(at, top, x(here.to) - at, 32 * high),
Warp.element("span", { class: "warp-callout", style: at > width / 2 ? `right: ${width - at - 8}px` : `left: ${at}px` },
this.callout(model, step))),
Warp.element("div", { class: "warp-control" },
Warp.element("button", { type: "button", onclick: zoomBy(0.5) }, "Zoom out"),
Warp.element("button", { type: "button", onclick: zoomBy(2) }, "Zoom in")));
},
legend(waits) {
return Warp.legend(["warp-key-run", "runs: colour and number are the source line"],
["warp-key-away", "inactive: other lanes of the warp run"],
waits && ["warp-key-stripes", "has arrived at a barrier and waits"],
["warp-key-ended", "has ended"], ["warp-key-cursor", "this step"]);
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
tags: (model, step, { finding }) => step.kind === "fault" && finding ? Warp.findingTags(model, finding) : new Map(),
draw(model, step, width, state, changed, host) {
const key = [width, state.output, host.dataset.colours].join();
if (state.writersKey !== key) {
state.writersKey = key;
state.writers = this.drawWriters(model, width, state, changed, host);
}
return Warp.element("div", {}, this.drawAccess(model, step, width, host, state.finding), state.writers);
},
drawAccess(model, step, width, host, finding) {
const bytes = model.instruction(step).width || step.width;
const lanes = Warp.lanesOf(step.lanes);
const array = model.arrayAt(step.shared, step.address[lanes[0]]);
const base = array?.base ?? 0;
const last = array ? Math.floor(array.bytes / bytes) - 1 : Infinity;
const rest = this.otherPart(model, step);
const elements = new Map();
const byLane = new Map();  // the part of the instruction that a lane has
for (const part of rest ? [step, rest] : [step]) {
for (const lane of Warp.lanesOf(part.lanes)) {
byLane.set(lane, part);
for (let at = 0; at < part.width; at += bytes) {
const element = Math.floor((part.address[lane] + at - base) / bytes);
if (!elements.has(element)) elements.set(element, []);
elements.get(element).push(lane);
}
}
}
const faulty = step.kind === "fault" || rest?.kind === "fault";
const order = this.around([...elements.keys()].sort((a, b) => a - b), last);
const digits = Math.max(2, ...order.map((element) => String(element).length));
const fitting = Math.floor((width - 4) / (digits * 6.6 + 8));
const perRow = fitting >= 32 ? 32 : fitting >= 16 ? 16 : 8;
const cell = Math.floor((width - 4) / perRow);
const extents = model.block.block;
const parts = extents.map((_, i) => i).filter((i) => i === 0 || extents[i] > 1);
const left = width < 560 ? 16 : 76;
const lanesPerRow = width < 560 ? 16 : 32;
const laneCell = Math.floor((width - left - 4) / lanesPerRow);
const tall = 6 + 14 * parts.length;
const rows = 32 / lanesPerRow;
const top = 18 + rows * (tall + 6) + 66;
const verb = { load: "reads", store: "writes", atomic: "updates" }[step.type];
const threads = Array.from({ length: 32 }, (_, lane) => {
const part = byLane.get(lane);
const number = step.warp * 32 + lane;
const exists = number < model.block.threads;
const place = [number % extents[0], Math.floor(number / extents[0]) % extents[1], Math.floor(number / (extents[0] * extents[1]))];
return {
x: left + (lane % lanesPerRow) * laneCell + 1, y: 18 + Math.floor(lane / lanesPerRow) * (tall + 6), width: laneCell - 2,
height: tall, fill: !part ? "--warp-empty" : part.kind === "fault" ? "--warp-wrong" : "--warp-on",
words: exists ? parts.map((i) => String(place[i])) : [], ink: part ? "--warp-ink" : "--warp-soft",
title: () => `lane ${lane}, thread ${model.thread(step.warp, lane)}` +
(part ? `: ${model.elementName(part, lane)}` : ", takes no part"),
};
});
const cells = order.map((element, number) => {
const outside = element < 0 || element > last;
const by = elements.get(element) ?? [];
return {
x: (number % perRow) * cell + 1, y: top + Math.floor(number / perRow) * 40, width: cell - 2, height: 22,
fill: by.length === 0 ? "--warp-empty" : outside ? "--warp-wrong"
: by.length > 1 && step.type !== "load" ? "--warp-moved" : "--warp-fine",
frame: outside ? "--warp-bad" : "--warp-edge", dashed: outside, ends: element === last,
words: [String(element)], ink: "--warp-ink", by,
title: () => `element ${element}${outside ? ", which the array does not have" : ""}` +
(by.length ? `: lanes ${by.join(", ")}` : ""),
};
});
const height = top + Math.ceil(order.length / perRow) * 40 + 8;
const canvas = Warp.canvas(width, height, this.says(model, step), host, (context, colour) => {
this.paintWires(context, colour, threads, cells);
for (const box of [...threads, ...cells]) this.paintBox(context, colour, box, width, last + 1);
context.textAlign = "left";
context.fillStyle = colour("--warp-soft");
context.fillText(`warp ${step.warp}: its 32 threads, by ` +
`${left < 20 ? parts.map((i) => "xyz"[i]).join(", ") + " of " : ""}threadIdx, of block (${model.block.id.join(", ")})`, 0, 8);
for (let row = 0; row < rows; ++row) {
parts.forEach((i, number) => context.fillText(left < 20 ? "xyz"[i] : `threadIdx.${"xyz"[i]}`, 0,
18 + row * (tall + 6) + tall / parts.length * (number + 0.5)));
}
const words = array ? `elements of ${array.name} that they ${verb.slice(0, -1)}` : "addresses";
context.lineWidth = 4;
context.strokeStyle = colour("--warp-paper");
context.strokeText(words, 0, top - 12);
context.fillText(words, 0, top - 12);
});
canvas.addEventListener("pointermove", (event) => {
const [x, y] = [event.offsetX, event.offsetY];
canvas.title = [...threads, ...cells].find((box) => x >= box.x && x < box.x + box.width &&
y >= box.y && y < box.y + box.height)?.title() ?? "";
});
const outside = cells.some((box) => box.dashed);
return Warp.element("div", {}, Warp.heading(`This access: line ${model.line(step)} ${verb} ${array?.name ?? "memory"}` + (step.kind === "fault" && finding?.naming.length > 0
? `. The compiler gives this line; ${array.name} is named in ${finding.naming.length > 1 ? "lines" : "line"} ${finding.naming.join(", ")}` : "")),
Warp.legend(faulty && ["warp-key-wrong", `a thread that ${verb} out of bounds, and the element that it ${verb}`],
(!faulty || rest) && ["warp-key-on", `a thread that ${verb} an element`],
(!faulty || rest) && ["warp-key-fine", "the element"],
cells.some((box) => box.fill === "--warp-moved") && ["warp-key-moved", "an element that several threads write"],
byLane.size < 32 && ["warp-key-empty", "a thread that takes no part, an element that no thread accesses"],
outside && ["warp-key-outside", `dashed: not in the array; ${array?.name ?? "it"} has elements 0 to ${last}`]),
canvas);
},
otherPart(model, step) {
return [model.steps[step.index - 1], model.steps[step.index + 1]].find((other) =>
other && other.kind !== step.kind && (other.kind === "access" || other.kind === "fault") &&
other.warp === step.warp && other.instruction === step.instruction && (other.lanes & step.lanes) === 0);
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
paintBox(context, colour, box, width, count) {
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
const high = box.height / box.words.length;
box.words.forEach((words, i) => {
if (words.length * 6.3 <= box.width) context.fillText(words, box.x + box.width / 2, box.y + high * (i + 0.5));
});
if (!box.ends) return;
const end = box.x + box.width;
context.fillStyle = colour("--warp-ink");
context.fillRect(end, box.y - 5, 3, 32);
context.textAlign = end > width / 2 ? "right" : "left";
context.fillText(`end of the array: it has ${Warp.plural(count, "element")}`, end, box.y + 33);
},
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
return Warp.element("div", {},
Warp.heading(`The whole launch: which thread wrote each element of ${output.name} last `, choice),
Warp.legend(["warp-key-blocks", `a grey and a name for each block of threads; ${columns} elements in a row`],
never > 0 && ["warp-key-never", "striped: never written"], many > 0 && ["warp-key-many", "written more than once"]),
Warp.element("div", {}, words),
this.paintWriters(model, output, shown, columns, cell, words, host));
},
paintWriters(model, output, shown, columns, cell, words, host) {
const high = 18;
const [grid] = [model.block.grid];
const name = (block) => grid[1] * grid[2] === 1 ? `block ${block}`
: `block (${[block % grid[0], Math.floor(block / grid[0]) % grid[1], Math.floor(block / (grid[0] * grid[1]))]
.slice(0, grid[2] > 1 ? 3 : 2).join(", ")})`;
const canvas = Warp.canvas(columns * cell, Math.ceil(shown.length / columns) * high, words, host, (context, colour) => {
context.font = "10px system-ui, sans-serif";
context.textBaseline = "middle";
const never = Warp.pattern(context, "stripes", colour("--warp-empty"), colour("--warp-soft"));
const same = (a, b) => b && (a.count === 0) === (b.count === 0) && a.block === b.block;
for (let i = 0, first = 0; i < shown.length; ++i) {
const element = shown[i];
const [x, y] = [(i % columns) * cell, Math.floor(i / columns) * high];
context.fillStyle = element.count === 0 ? never : colour(`--warp-block-${element.block % 2}`);
context.fillRect(x, y, cell, high - 1);
if (element.count > 1) {
context.strokeStyle = colour("--warp-bad");
context.lineWidth = 2;
context.strokeRect(x + 1, y + 1, cell - 3, high - 3);
}
if (same(element, shown[i + 1]) && (i + 1) % columns !== 0) continue;
const [from, run] = [(first % columns) * cell, (i + 1 - first) * cell];
first = i + 1;
context.fillStyle = colour("--warp-ink");
context.fillRect(x + cell - 1, y, 1, high - 1);
const label = element.count === 0 ? "never written" : name(element.block);
if (context.measureText(label).width + 4 > run) continue;
if (element.count === 0) {
context.fillStyle = colour("--warp-paper");
context.fillRect(from + 1, y + 2, context.measureText(label).width + 4, high - 5);
context.fillStyle = colour("--warp-ink");
}
context.fillText(label, from + 3, y + high / 2);
}
});
canvas.addEventListener("pointermove", (event) => {
const box = canvas.getBoundingClientRect();
const i = Math.floor((event.clientY - box.top) / high) * columns + Math.floor((event.clientX - box.left) / cell);
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
looks({ kind, engine, pageable }) {
if (kind === 6) return [Warp.operations.names[kind], "--warp-stripe"];
if (pageable) return ["copy of pageable memory", "--warp-hue-9"];
if (kind === 1 && engine < 3) return [engine === 0 ? "copy on the device" : `copy ${this.direction({ engine })}`, `--warp-hue-${[10, 1, 2][engine]}`];
return [Warp.operations.names[kind], `--warp-hue-${Warp.operations.hues[kind]}`];
},
ms: (time) => `${+time.toPrecision(4)} ms`,
rowName(model, call) {
const { names, of } = this.rowsOf(model);
return names[of[call.index][0]].replace("default", "the default");
},
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
Warp.element("div", { class: "warp-control" },
Warp.element("button", { type: "button", onclick: zoomBy(0.5) }, "Zoom out"),
Warp.element("button", { type: "button", onclick: zoomBy(2) }, "Zoom in"),
Warp.element("span", {}, `Two engines are busy at once for ${this.ms(overlap)} of ${this.ms(total)}.` +
(leftOut > 0 ? ` ${Warp.plural(leftOut, "later call")} ${leftOut === 1 ? "is" : "are"} left out.` : ""))),
this.legend(model));
},
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
Warp.callFor = (model, { line, counters = "" }) => {
const first = (fits) => model.calls.find(fits);
if (line !== undefined) return first((call) => call.line === line)?.index;
const found = (/pageable/.test(counters) && first((call) => call.pageable)) ||
first((call) => call.after.some((number) => model.calls[number].kind === 6)) || model.calls[0];
return found?.index;
};
"use strict";
Warp.findingTags = (model, { line, naming, message, kind }) => {
if (naming.length === 0) return new Map([[line, [kind.replace("oob", "out of bounds:").replaceAll("-", " "), "bad"]]]);
const array = /`(\w+)`/.exec(message)?.[1] ?? "the array";
return new Map([[line, [`the compiler gives this line, which does not name ${array}`, "bad"]],
...naming.map((one) => [one, [`names ${array}`, "bad"]])]);
};
Warp.Source = class {
constructor(recording) {
this.recording = recording;
this.host = Warp.element("div", { class: "warp-source", tabindex: 0, role: "group", "aria-label": "Source lines" });
}
show(model, step, tags = new Map()) {
const { file, line } = model ? model.instruction(step) : { file: 0, line: 0 };
const of = this.recording.files[file - 1];
this.host.hidden = !of || of.lines.length === 0;
if (this.host.hidden) return;
const key = JSON.stringify([...tags]);
if (this.shown === of && this.line === line && this.key === key) return;
if (this.shown !== of || this.key !== key) {
this.shown = of;
this.key = key;
this.fill(model, file, of, tags);
}
this.line = line;
for (const row of this.host.querySelectorAll("code")) {
const here = +row.dataset.line === line;
row.classList.toggle("warp-here", here);
if (here) this.host.scrollTop = row.offsetTop - this.host.clientHeight / 2;
}
}
fill(model, file, of, tags) {
const hues = new Map();
model.block.instructions.forEach((one, instruction) => {
if (one.file === file) hues.set(one.line, Warp.lineHue(model, { instruction }));
});
const marked = new Set(model.block.findings.filter((f) => f.file === file).map((f) => f.line));
this.host.replaceChildren(Warp.element("pre", {}, ...of.lines.map((text, i) => {
const number = of.first + i;
const [words, kind] = tags.get(number) ?? [];
return Warp.element("code", {
class: kind ? `warp-${kind}-line` : marked.has(number) ? "warp-found" : null, "data-line": number },
Warp.element("i", { style: hues.has(number) ? `background: ${Warp.hue(hues.get(number))}` : null }),
Warp.element("span", { class: "warp-no" }, String(number)),
Warp.element("span", { class: "warp-text", style: `--in: ${Math.min(8, text.search(/\S|$/))}` }, text.trimStart()),
words && Warp.element("b", {}, words));
})));
}
};
"use strict";
Warp.variableTypes = ["bits", "floating", "signed", "unsigned", "boolean", "character", "pointer"];
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
Warp.variableValue = (bytes, type) => {
if (type === "floating") return Warp.value(bytes, 1);
const signed = type === "signed";
if (bytes.length < 8) return bytes.length === 4 || signed ? Warp.value(bytes, signed ? 2 : 3) : bytes[0] + 256 * (bytes[1] ?? 0);
const view = new DataView(bytes.buffer, bytes.byteOffset, 8);
const value = signed ? view.getBigInt64(0, true) : view.getBigUint64(0, true);
return BigInt(Number(value)) === value && Number.isSafeInteger(Number(value)) ? Number(value) : value;
};
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
Warp.listen = (viewer) => {
viewer.host.onkeydown = (event) => key(event);
swipes(viewer.drawing);
function key(event) {
if (event.target.closest("select, summary, .warp-tabs, .warp-wide[tabindex]") || event.ctrlKey || event.metaKey || event.altKey) return;
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
Warp.pictures = [Warp.timelinePicture, Warp.accessPicture, Warp.banksPicture, Warp.memoryPicture,
Warp.divergencePicture, Warp.elementsPicture, Warp.streamsPicture];
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
get items() { return this.picture.items?.(this.model) ?? this.model.steps; }
get index() { return this.picture.items ? this.state.call : this.state.index; }
set index(value) { this.state[this.picture.items ? "call" : "index"] = value; }
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
const picture = Warp.pictureFor(finding);
if (!finding.race && index >= 0) index = this.accessOf(finding, picture, index);
this.state.index = Math.max(0, index);
this.choose(picture);
if (this.stops.length === 0) this.choose("timeline");
}
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
this.source.show(model, step, model ? this.picture.tags?.(model, step, this.state) : undefined);
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
