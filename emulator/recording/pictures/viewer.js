"use strict";
// A recording on a page: findings, pictures, a slider to go through the steps, the source, a table.

Warp.pictures = [Warp.timelinePicture, Warp.accessPicture, Warp.banksPicture, Warp.memoryPicture,
  Warp.divergencePicture, Warp.elementsPicture];

/// The picture that explains a finding, by its kind.
Warp.pictureFor = (finding) => {
  const { kind } = finding;
  if (finding.race || kind.startsWith("race") || kind === "warp-synchronous" || kind === "fence-scope") return "timeline";
  if (kind.startsWith("oob-shared")) return "memory";
  if (kind.startsWith("oob") || kind === "null-pointer" || kind === "use-after-free") return "elements";
  if (kind.startsWith("unwritten-shared")) return "memory";
  if (kind.startsWith("unwritten")) return "elements";
  if (kind.startsWith("barrier") || kind === "deadlock") return "divergence";
  if (kind.startsWith("sync") || kind.startsWith("shuffle")) return "divergence";
  return "timeline";
};

/// Shows a recording in an element.
/// @param options  { finding: number of one to open, picture: id, line: of an access to open }
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
    this.open(options.block ?? 0);
    this.build();
    const { findings } = this.model.block;
    if (options.finding !== undefined && findings[options.finding]) this.jump(findings[options.finding]);
    else if (options.picture) this.choose(options.picture, options.line);
    else if (findings.length > 0) this.jump(findings[0]);
    else this.choose(this.costliest());
    this.redrawWhenSizesChange();
  }

  open(number) {
    this.number = number;
    this.model = new Warp.Model(this.recording, number);
    this.state = { index: 0 };
  }

  /// Without a finding: the access that wastes most, or the timeline.
  costliest() {
    let best = null;
    for (const step of this.model.steps) {
      if (step.kind !== "access" || step.passes <= step.ideal) continue;
      const waste = (step.passes - step.ideal) * (step.shared ? 1 : 2);
      if (!best || waste > best.waste) best = { waste, step };
    }
    if (!best) return "timeline";
    this.state.index = best.step.index;
    return best.step.shared ? "banks" : "access";
  }

  // -- the page's parts ---------------------------------------------------------------------------

  build() {
    const { block } = this.model;
    const id = Warp.Viewer.count = (Warp.Viewer.count ?? 0) + 1;
    const size = (of) => of[1] === 1 && of[2] === 1 ? of[0] : `(${of.join(", ")})`;
    this.tabs = Warp.element("div", { role: "tablist", class: "warp-tabs", "aria-label": "Pictures" });
    for (const picture of Warp.pictures) {
      const tab = Warp.element("button", {
        type: "button", role: "tab", id: `warp-${id}-${picture.id}`, "aria-controls": `warp-${id}-panel`,
        onclick: () => this.choose(picture.id), onkeydown: (event) => this.tabKey(event),
      }, picture.title);
      tab.picture = picture;
      this.tabs.append(tab);
    }
    this.explanation = Warp.element("p", { class: "warp-soft" });
    this.words = Warp.element("p", { class: "warp-words", role: "status" });
    this.drawing = Warp.element("div", { class: "warp-drawing" });
    this.panel = Warp.element("div", { role: "tabpanel", id: `warp-${id}-panel`, tabindex: 0 },
      this.explanation, this.controls(id), this.words, this.drawing);
    this.source = Warp.element("div", { class: "warp-source", tabindex: 0, role: "region", "aria-label": "Source lines" });
    this.tableHost = Warp.element("div", { class: "warp-table", tabindex: 0, role: "region", "aria-label": "Table of the picture" });
    this.details = Warp.element("details", { ontoggle: () => this.updateTable() },
      Warp.element("summary", {}, "The same as a table"), this.tableHost);
    this.host.replaceChildren(...[
      Warp.element("p", { class: "warp-what" },
        Warp.element("code", {}, `${block.kernel.split("(")[0]}<<<${size(block.grid)}, ${size(block.block)}>>>`),
        ` block (${block.id.join(", ")}), launch ${block.launch}`, this.blockChoice()),
      ...this.recording.notes.map((note) => Warp.element("p", { class: "warp-note" }, note)),
      this.findingList(),
      this.tabs,
      Warp.element("div", { class: "warp-columns" }, this.panel, this.source),
      this.details,
    ].filter((part) => part !== null));
    this.host.onkeydown = (event) => this.key(event);
    this.swipes();
  }

  blockChoice() {
    if (this.recording.blocks.length < 2) return null;
    return Warp.element("select", {
      "aria-label": "Block",
      onchange: (event) => {
        this.open(+event.target.value);
        this.build();
        const { findings } = this.model.block;
        if (findings.length > 0) this.jump(findings[0]);
        else this.choose("timeline");
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

  choose(id, line) {
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
    this.fillChoices(line);
    this.findStops();
    const step = this.stops.find((index) => index >= this.state.index);
    this.goTo(step ?? this.stops.at(-1));
  }

  fillChoices(line) {
    const all = this.picture.stops(this.model, { ...this.state, warp: this.state.warp });
    const lines = new Map();
    const warps = new Set();
    for (const index of all) {
      const step = this.model.steps[index];
      lines.set(this.model.line(step), this.model.place(step));
      warps.add(step.warp);
    }
    const option = (value, words, chosen) => Warp.element("option", { value, ...(chosen ? { selected: "" } : {}) }, words);
    this.lineChoice.replaceChildren(option("", "all lines", line === undefined),
      ...[...lines].sort((a, b) => a[0] - b[0]).map(([number, words]) => option(number, words, number === line)));
    const divergence = this.picture.id === "divergence";
    const numbers = divergence ? Array.from({ length: this.model.warps }, (_, i) => i) : [...warps].sort((a, b) => a - b);
    this.warpChoice.replaceChildren(...(divergence ? [] : [option("", "all warps", true)]),
      ...numbers.map((number) => option(number, `warp ${number}`, divergence && number === this.state.warp)));
  }

  filterChanged() {
    if (this.picture.id === "divergence") this.state.warp = +this.warpChoice.value;
    this.findStops();
    const step = this.stops.find((index) => index >= this.state.index);
    this.goTo(step ?? this.stops[0]);
  }

  findStops() {
    const line = this.lineChoice.value;
    const warp = this.warpChoice.value;
    this.stops = this.picture.stops(this.model, this.state).filter((index) => {
      const step = this.model.steps[index];
      return (line === "" || this.model.line(step) === +line) && (warp === "" || step.warp === +warp);
    });
    this.slider.max = Math.max(0, this.stops.length - 1);
  }

  jump(finding) {
    this.state.finding = finding;
    let index = finding.step;
    if (finding.race && index >= 0) {
      const [first, second] = this.model.raceSides(finding);
      index = second >= 0 ? second : first >= 0 ? first : index;
    }
    if (index < 0) {
      index = this.model.steps.findIndex((s) => this.model.line(s) === finding.line);
    }
    // What was loaded may be reported where it is used.
    const picture = Warp.pictureFor(finding);
    const shows = (step) => step.kind !== "run" && this.model.line(step) === finding.line &&
      (picture !== "memory" || step.shared);
    if (!finding.race && index >= 0 && !shows(this.model.steps[index])) {
      for (let i = index; i >= 0; --i) {
        if (!shows(this.model.steps[i])) continue;
        index = i;
        break;
      }
    }
    this.state.index = Math.max(0, index);
    this.choose(picture);
    if (this.stops.length === 0) this.choose("timeline");
  }

  // -- moving -------------------------------------------------------------------------------------

  goTo(index) {
    this.slider.disabled = this.stops.length === 0;
    if (index === undefined) {
      this.words.textContent = "The block did nothing of this kind.";
      this.drawing.replaceChildren();
      this.position.textContent = "";
      this.updateSource(null);
      this.updateTable();
      return;
    }
    this.state.index = index;
    this.slider.value = this.stops.indexOf(index);
    this.update();
  }
  goBy(count) {
    const at = this.stops.indexOf(this.state.index) + count;
    const last = this.stops.length - 1;
    this.goTo(this.stops[Math.max(0, Math.min(last, at))]);
  }
  play() {
    if (this.timer) return this.stop();
    if (this.state.index === this.stops.at(-1)) this.goTo(this.stops[0]);
    this.playButton.textContent = "Pause";
    this.words.setAttribute("role", "none");  // a screen reader would speak each step
    const tick = () => {
      if (this.state.index === this.stops.at(-1)) return this.stop();
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

  key(event) {
    if (event.target.closest("select, summary, .warp-tabs") || event.ctrlKey || event.metaKey || event.altKey) return;
    const onSlider = event.target.tagName === "INPUT";
    const acts = {
      ArrowLeft: () => this.goBy(-1), ArrowRight: () => this.goBy(1),
      Home: () => this.goBy(-Infinity), End: () => this.goBy(Infinity), " ": () => this.play(),
    };
    if (onSlider && event.key !== " ") return;
    if (event.key === " " && event.target.tagName === "BUTTON") return;
    if (!acts[event.key]) return;
    event.preventDefault();
    acts[event.key]();
  }
  tabKey(event) {
    const by = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!by) return;
    const tabs = [...this.tabs.children];
    const next = tabs[(tabs.indexOf(event.currentTarget) + by + tabs.length) % tabs.length];
    this.choose(next.picture.id);
    next.focus();
    event.preventDefault();
  }
  /// A finger that moves sideways over the picture goes to the next step.
  swipes() {
    let from = null;
    this.drawing.addEventListener("touchstart", (event) => { from = event.touches[0]; }, { passive: true });
    this.drawing.addEventListener("touchend", (event) => {
      const to = event.changedTouches[0];
      if (!from) return;
      const across = to.clientX - from.clientX;
      if (Math.abs(across) > 48 && Math.abs(across) > 2 * Math.abs(to.clientY - from.clientY)) this.goBy(across < 0 ? 1 : -1);
      from = null;
    });
  }

  // -- drawing ------------------------------------------------------------------------------------

  update() {
    const step = this.model.steps[this.state.index];
    const width = Math.max(280, Math.floor(this.drawing.clientWidth || 800));
    const changed = (index) => {
      if (index === undefined) this.update();
      else this.goTo(this.nearest(index));
    };
    this.words.textContent = this.picture.says(this.model, step, this.state);
    const focused = this.drawing.contains(document.activeElement) ? this.focusPath() : null;
    this.drawing.replaceChildren(this.picture.draw(this.model, step, width, this.state, changed, this.host));
    if (focused) this.drawing.querySelectorAll("button, input, select")[focused.number]?.focus();
    this.position.textContent = `${Warp.number(this.stops.indexOf(this.state.index) + 1)} of ${Warp.number(this.stops.length)}`;
    this.slider.setAttribute("aria-valuetext", this.words.textContent);
    this.updateSource(step);
    this.updateTable();
  }
  focusPath() {
    return { number: [...this.drawing.querySelectorAll("button, input, select")].indexOf(document.activeElement) };
  }
  nearest(index) {
    return this.stops.find((one) => one >= index) ?? this.stops.at(-1);
  }

  updateSource(step) {
    const { file, line } = step ? this.model.instruction(step) : { file: 0, line: 0 };
    const of = this.recording.files[file - 1];
    if (!of || of.lines.length === 0) {
      this.source.hidden = true;
      return;
    }
    this.source.hidden = false;
    if (this.shownFile !== of) {
      this.shownFile = of;
      const hues = new Map();
      this.model.block.instructions.forEach((one, instruction) => {
        if (one.file === file) hues.set(one.line, Warp.lineHue(this.model, { instruction }));
      });
      const marked = new Set(this.model.block.findings.filter((f) => f.file === file).map((f) => f.line));
      this.source.replaceChildren(Warp.element("pre", {}, ...of.lines.map((text, i) => {
        const number = of.first + i;
        return Warp.element("code", { class: marked.has(number) ? "warp-found" : null, "data-line": number },
          Warp.element("i", { style: hues.has(number) ? `background: ${Warp.hue(hues.get(number))}` : null }),
          Warp.element("span", { class: "warp-no" }, String(number).padStart(4)), ` ${text}\n`);
      })));
    }
    for (const row of this.source.querySelectorAll("code")) {
      const here = +row.dataset.line === line;
      row.classList.toggle("warp-here", here);
      if (here) this.source.scrollTop = row.offsetTop - this.source.clientHeight / 2;
    }
  }

  updateTable() {
    if (!this.details.open) return;
    const step = this.model.steps[this.state.index];
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
      cancelAnimationFrame(waiting);
      waiting = requestAnimationFrame(again);
    }).observe(this.drawing);
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", again);
    addEventListener("beforeprint", () => { this.details.open = true; this.updateTable(); });
    matchMedia("print").addEventListener("change", again);
  }
};
