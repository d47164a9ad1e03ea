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
    let value = 0;
    let scale = 1;
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
    const step = {
      index: i, kind: Warp.kinds[head & 7], warp, instruction: last.instruction, lanes: last.lanes,
      count: 0,
    };
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
    const lanes = Warp.lanesOf(step.lanes);
    let address = first[step.instruction] += from.difference();
    let distance = 0;
    step.address = new Array(32).fill(-1);
    lanes.forEach((lane, number) => {
      if (number === 1 || (number > 1 && !(form & 8))) distance = from.difference();
      if (number > 0) address += distance;
      step.address[lane] = address;
    });
    step.passes = from.number();
    step.ideal = from.number();
    step.count = 1;
    if (!(form & 48)) return;
    const raw = from.raw(form & 16 ? step.width : step.width * lanes.length);
    step.values = new Array(32);
    lanes.forEach((lane, number) => {
      const at = form & 16 ? 0 : number * step.width;
      step.values[lane] = raw.subarray(at, at + step.width);
    });
  }
};

/// @param text  a recording in base64
Warp.read = (text) => {
  const from = new Warp.Bytes(Uint8Array.from(atob(text), (c) => c.charCodeAt(0)));
  const magic = String.fromCharCode(...from.raw(7));
  if (magic !== "warprec" || from.byte() !== 1) {
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
    if (from.number() === 1) {
      read.race = { shared: from.number() === 1, address: from.number() };
      read.race.sides = [0, 1].map(() => ({ warp: from.number(), lane: from.number() }));
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
    return block;
  });
  recording.notes = from.list(() => from.text());
  return recording;
};
