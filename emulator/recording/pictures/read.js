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
