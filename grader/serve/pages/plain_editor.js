// The editor where CodeMirror was not bundled: a text area beside a column of line numbers, which
// shows the marks. It has the functions of grader/serve/editor/editor.js.

export const kind = "plain";

/// An editor of one file in `parent`.
/// options: name, text, readOnly, onChange()
export function createEditor(parent, options) {
  const root = document.createElement("div");
  root.className = "editor plain";
  const gutter = document.createElement("div");
  gutter.className = "gutter";
  gutter.setAttribute("aria-hidden", "true");
  const area = document.createElement("textarea");
  area.setAttribute("aria-label", options.name + (options.readOnly ? " (read only)" : ""));
  area.readOnly = Boolean(options.readOnly);
  area.wrap = "off";
  area.spellcheck = false;
  area.autocapitalize = "off";
  area.value = options.text;
  root.append(gutter, area);
  parent.append(root);

  let marks = new Map();
  let lines = 0;
  const lineCount = () => area.value.split("\n").length;
  const draw = (again) => {
    const count = lineCount();
    if (count !== lines || again) {
      lines = count;
      const rows = [];
      for (let line = 1; line <= count; ++line) {
        const row = document.createElement("div");
        const mark = marks.get(line);
        row.textContent = mark ? `\u25cf ${line}` : String(line);
        if (mark) {
          row.className = mark.severity;
          row.title = mark.message;
        }
        rows.push(row);
      }
      gutter.replaceChildren(...rows);
    }
    gutter.scrollTop = area.scrollTop;
  };
  area.addEventListener("input", () => {
    draw(false);
    options.onChange();
  });
  area.addEventListener("scroll", () => { gutter.scrollTop = area.scrollTop; });
  draw(true);

  return {
    text: () => area.value,
    setText(text) {
      area.value = text;
      marks = new Map();
      draw(true);
    },
    /// list of {line, column, severity, message}
    setMarks(list) {
      marks = new Map();
      for (const mark of list) {
        const before = marks.get(mark.line);
        marks.set(mark.line, before ? { ...before, message: `${before.message}\n${mark.message}` } : mark);
      }
      draw(true);
    },
    goTo(line) {
      const before = area.value.split("\n").slice(0, line - 1);
      const at = before.reduce((sum, text) => sum + text.length + 1, 0);
      area.focus();
      area.setSelectionRange(at, at + (area.value.split("\n")[line - 1] || "").length);
      area.scrollTop = Math.max(0, (line - 5) * (area.scrollHeight / Math.max(1, lines)));
    },
    focus: () => area.focus(),
  };
}
