"use strict";
// What follows from the steps of a block: logical time, places in arrays, the content of shared
// memory.

/// The indices of an element in an array of these extents.
Warp.indices = (extents, element) => {
  const indices = [];
  for (const extent of extents.slice(1).reverse()) {
    indices.unshift(((element % extent) + extent) % extent);
    element = Math.floor(element / extent);
  }
  return [element, ...indices];
};
/// The extents of an array, as numbers of elements of `width` bytes; none where they are not known.
Warp.extentsOf = ({ extents, bytes }, width) =>
  extents?.length > 0 && extents.reduce((product, extent) => product * extent, width) === bytes ? extents : [];
/// "tile[3][17]" where the extents are known, or else "tile[119]".
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
    const away = (a) => Math.max(0, a.base - address, address - a.base - a.bytes + 1);
    const nearest = arrays.reduce((best, a) => best && away(best) <= away(a) ? best : a, undefined);
    return nearest && away(nearest) <= (address < nearest.base ? 4096 : 65536) ? nearest : undefined;
  }
  /// "tile[17]"
  elementName(step, lane) {
    return this.nameOf(step.shared, step.address[lane], this.instruction(step).width || step.width);
  }
  nameOf(shared, address, width) {
    const array = this.arrayAt(shared, address);
    if (!array) return `address 0x${address.toString(16)}`;
    return Warp.indexName(array, Math.floor((address - array.base) / width), width);
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
