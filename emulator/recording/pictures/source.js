"use strict";
// The source lines beside a picture, with the colours that it has for them.

/// Words for the lines of a finding: which is the compiler's, and which name the array.
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

  /// Marks the step's line, and those that a picture has words for.
  /// @param model  null: there is no step  @param tags  by line: words, and "bad" or "cost"
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
