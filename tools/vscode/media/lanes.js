"use strict";
// One expression in the 32 lanes of a warp. Gets {type: "lanes", ...} as warpsim/lanes answers it,
// {type: "problem", message} or {type: "running"}; sends {type: "expression", text}.
(() => {
  const ask = (text) => {
    panel.vscode.setState({ text });
    panel.send({ type: "expression", text });
  };
  const text = (panel.vscode.getState() || {}).text || "threadIdx.x";
  const result = Warp.element("div");
  panel.main.append(panel.form("expression", text, ask), result);

  /// The value that most of the active lanes have; null where none is in the majority.
  function usual(lanes) {
    const counts = new Map();
    for (const lane of lanes) counts.set(lane.value, (counts.get(lane.value) || 0) + 1);
    for (const [value, count] of counts) if (count > lanes.length / 2) return value;
    return null;
  }

  panel.listen("lanes", (data) => {
    const active = data.lanes.filter((lane) => lane.active);
    const common = usual(active);
    const parts = [`warp ${data.warp}`, data.type, `${active.length} active`];
    if (data.equal) parts.push("equal in all active lanes");
    else if (data.min !== undefined) parts.push(`${data.min} to ${data.max}`);
    result.replaceChildren(Warp.element("p", { class: "summary" }, parts.filter(Boolean).join(", ")),
      Warp.lanes(8, (number) => {
        const lane = data.lanes[number];
        const shown = lane.value ?? lane.problem;
        const kinds = ["cell", !lane.active ? "inactive" : common !== null && lane.value !== common && "odd-one", lane.value === undefined && "problem"];
        return [{ class: kinds.filter(Boolean).join(" "), title: `lane ${number}: ${shown}${lane.active ? "" : " (inactive)"}` },
          Warp.element("small", {}, String(number)), shown];
      }));
  }, result);
  ask(text);
})();
