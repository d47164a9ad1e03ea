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
