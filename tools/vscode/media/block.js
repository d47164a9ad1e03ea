"use strict";
// The warps of a block, a row each with a cell per lane. Gets {type: "block", body} as
// warpsim/block answers it; sends {type: "warp", threadId} and {type: "focus", block}.
(() => {
  const vscode = acquireVsCodeApi();
  const main = document.getElementById("block");
  const element = (tag, properties = {}, ...children) => {
    const made = Object.assign(document.createElement(tag), properties);
    made.append(...children);
    return made;
  };
  const states = [
    ["stopped", "stands here"], ["ready", "can run"], ["barrier", "waits at a barrier"],
    ["warp-sync", "waits for lanes of its warp"], ["mbarrier", "waits for an mbarrier"],
    ["barrier-cluster", "waits for its cluster"], ["ended", "has ended"],
  ];
  const triple = (list) => `(${list.join(",")})`;

  function row(warp) {
    const lanes = Array.from({ length: 32 }, (_, lane) => ({ state: lane < warp.threads ? "ended" : "none", text: "" }));
    for (const place of warp.places) {
      const file = place.file.replace(/^.*\//, "");
      for (const lane of place.lanes) lanes[lane] = { state: place.state, text: `${file}:${place.line}` };
    }
    const button = element("button", { textContent: warp.warp, title: warp.text, ariaLabel: `warp ${warp.warp}: ${warp.text}` });
    button.addEventListener("click", () => vscode.postMessage({ type: "warp", threadId: warp.threadId }));
    const made = element("div", { className: "warp" }, button);
    if (warp.places.some((place) => place.state === "stopped")) made.classList.add("focus");
    lanes.forEach(({ state, text }, lane) => {
      if (state === "none") return;
      made.append(element("span", { className: `lane ${state}`, title: `lane ${lane}: ${text || "has ended"}` }));
    });
    return made;
  }

  function show(data) {
    const used = new Set(data.warps.flatMap((warp) => [
      ...warp.places.map((place) => place.state), ...(warp.places.reduce((n, p) => n + p.lanes.length, 0) < warp.threads ? ["ended"] : []),
    ]));
    const legend = element("ul", { className: "legend" });
    for (const [state, text] of states) {
      if (used.has(state)) legend.append(element("li", {}, element("span", { className: `lane ${state}` }), text));
    }
    const input = element("input", { value: data.block.join(","), ariaLabel: "block" });
    const form = element("form", {}, "block", input, `of ${triple(data.grid)}`);
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      vscode.postMessage({ type: "focus", block: input.value.split(",").map(Number) });
    });
    main.replaceChildren(element("p", { className: "summary", textContent: data.kernel }), form, legend, ...data.warps.map(row));
  }

  window.addEventListener("message", ({ data }) => {
    if (data.type === "block") show(data.body);
    else main.replaceChildren(element("p", { className: data.type === "problem" ? "problem" : "",
      textContent: data.type === "problem" ? data.message : "The kernel runs." }));
  });
  vscode.postMessage({ type: "ready" });
})();
