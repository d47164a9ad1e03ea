"use strict";
// The warps of a block, a row each with a cell per lane. Gets {type: "block", body} as
// warpsim/block answers it; sends {type: "warp", threadId} and {type: "focus", block}.
(() => {
  const states = new Map([
    ["stopped", "stands here"], ["ready", "can run"], ["barrier", "waits at a barrier"],
    ["warp-sync", "waits for lanes of its warp"], ["mbarrier", "waits for an mbarrier"],
    ["barrier-cluster", "waits for its cluster"], ["ended", "has ended"],
  ]);

  function row(warp, used) {
    const lanes = Array.from({ length: warp.threads }, () => ({ state: "ended", text: "has ended" }));
    for (const { file, line, state, lanes: those } of warp.places) {
      for (const lane of those) lanes[lane] = { state, text: `${file.replace(/^.*\//, "")}:${line}` };
    }
    for (const { state } of lanes) used.add(state);
    const here = warp.places.some((place) => place.state === "stopped");
    return Warp.element("div", { class: here ? "row focus" : "row" },
      Warp.element("button", {
        type: "button", title: warp.text, "aria-label": `warp ${warp.warp}: ${warp.text}`,
        onclick: () => panel.send({ type: "warp", threadId: warp.threadId }),
      }, String(warp.warp)),
      Warp.lanes(32, (lane) => lanes[lane] && [{ class: `lane ${lanes[lane].state}`, title: `lane ${lane}: ${lanes[lane].text}` }]));
  }

  panel.listen("block", (data) => {
    const used = new Set();
    const rows = data.warps.map((warp) => row(warp, used));
    panel.main.replaceChildren(
      Warp.element("p", { class: "summary" }, data.kernel),
      panel.form("block", data.block.join(","), (text) => panel.send({ type: "focus", block: text.split(",").map(Number) }),
        `of (${data.grid.join(",")})`),
      Warp.legend(...[...states].filter(([state]) => used.has(state)).map(([state, words]) => [`lane ${state}`, words])),
      ...rows);
  });
  panel.send({ type: "ready" });
})();
