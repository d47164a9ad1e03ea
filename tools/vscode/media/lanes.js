"use strict";
// One expression in the 32 lanes of a warp. Gets {type: "lanes", ...} as warpsim/lanes answers it,
// {type: "problem", message} or {type: "running"}; sends {type: "expression", text}.
(() => {
  const vscode = acquireVsCodeApi();
  const main = document.getElementById("lanes");
  const element = (tag, properties = {}, ...children) => {
    const made = Object.assign(document.createElement(tag), properties);
    made.append(...children);
    return made;
  };

  const input = element("input", { value: (vscode.getState() || {}).text || "threadIdx.x", ariaLabel: "expression" });
  const form = element("form", {}, input);
  const result = element("div");
  main.append(form, result);
  const ask = () => {
    vscode.setState({ text: input.value });
    vscode.postMessage({ type: "expression", text: input.value });
  };
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    ask();
  });

  /// The value that most of the active lanes have; null where none is in the majority.
  function usual(lanes) {
    const counts = new Map();
    for (const lane of lanes) counts.set(lane.value, (counts.get(lane.value) || 0) + 1);
    for (const [value, count] of counts) if (count > lanes.length / 2) return value;
    return null;
  }

  function show(data) {
    const active = data.lanes.filter((lane) => lane.active);
    const common = usual(active);
    const parts = [`warp ${data.warp}`, data.type, `${active.length} active`];
    if (data.equal) parts.push("equal in all active lanes");
    else if (data.min !== undefined) parts.push(`${data.min} to ${data.max}`);
    const grid = element("div", { className: "grid" });
    for (const lane of data.lanes) {
      const text = lane.value === undefined ? lane.problem : lane.value;
      const cell = element("div", { className: "cell", title: `lane ${lane.lane}: ${text}${lane.active ? "" : " (inactive)"}` },
        element("small", { textContent: lane.lane }), text);
      if (!lane.active) cell.classList.add("inactive");
      else if (common !== null && lane.value !== common) cell.classList.add("odd-one");
      if (lane.value === undefined) cell.classList.add("problem");
      grid.append(cell);
    }
    result.replaceChildren(element("p", { className: "summary", textContent: parts.filter(Boolean).join(", ") }), grid);
  }

  window.addEventListener("message", ({ data }) => {
    if (data.type === "lanes") show(data.body);
    else result.replaceChildren(element("p", { className: data.type === "problem" ? "problem" : "",
      textContent: data.type === "problem" ? data.message : "The kernel runs." }));
  });
  ask();
})();
