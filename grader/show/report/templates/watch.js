"use strict";
// The pictures of a recording: in each finding and in each concept check that cost points the one that
// explains it, and where neither has one, all of them, opened at the largest cost.

(() => {
  const section = document.getElementById("watched");
  let recording;
  try {
    recording = Warp.read(page.recording);
  } catch (error) {
    section.replaceChildren();
    return;
  }
  /// The block and number of a finding in the recording.
  const finding = (kind, line) => {
    for (const [block, { findings }] of recording.blocks.entries()) {
      const number = findings.findIndex((one) => one.kind === kind && one.line === line);
      if (number >= 0) return { block, finding: number };
    }
    return null;
  };
  /// The block in which the counters of a formula show something.
  const cost = (counters) => {
    if (!Warp.ruleFor(Warp.rules.counters, counters)) return null;
    const block = recording.blocks.findIndex((_, number) =>
      Warp.opening(new Warp.Model(recording, number), { counters }));
    return block < 0 ? null : { block, counters };
  };
  /// A finding of host code about the order of work in streams, and where its call is drawn.
  const call = (kind, line) => {
    if (!Warp.ruleFor(Warp.rules.calls, kind) || recording.blocks.length === 0) return null;
    const options = { picture: "streams", line };
    return Warp.opening(new Warp.Model(recording, 0), options) ? options : null;
  };
  let any = false;
  const add = (article, options, words) => {
    if (!options) return;
    const place = Warp.element("div");
    const details = Warp.element("details", { class: "watch" }, Warp.element("summary", {}, words), place);
    article.append(details);
    details.addEventListener("toggle", () => {
      if (details.open && place.childElementCount === 0) Warp.show(place, recording, options);
    });
    details.open = !any;
    any = true;
  };
  for (const article of document.querySelectorAll("#findings article[data-kind]")) {
    const { kind, line } = article.dataset;
    add(article, finding(kind, +line), "See what the threads did");
    add(article, call(kind, +line), "See when copies and kernels run");
  }
  for (const article of document.querySelectorAll("#concepts article[data-counters]")) {
    const options = cost(article.dataset.counters);
    const streams = options && Warp.ruleFor(Warp.rules.counters, options.counters) === "streams";
    add(article, options, streams ? `See when copies and kernels run in ${page.recorded_case}`
      : `See what the threads did in ${page.recorded_case}`);
  }
  if (any) section.remove();
  else Warp.show(document.getElementById("watched-block"), recording);
  const timeline = document.querySelector("#time svg.timeline");
  if (timeline && recording.blocks.length > 0 && recording.calls.list.length > 1) {
    const place = Warp.element("div");
    timeline.after(place);
    any = true;  // something is open
    add(place, { picture: "streams" }, `Step through the calls of ${page.recorded_case}`);
  }
})();
