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
