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
