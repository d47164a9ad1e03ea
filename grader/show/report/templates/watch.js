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
    add(article, finding(article.dataset.kind, +article.dataset.line), "See what the threads did");
  }
  for (const article of document.querySelectorAll("#concepts article[data-counters]")) {
    add(article, cost(article.dataset.counters), `See what the threads did in ${page.recorded_case}`);
  }
  if (any) section.remove();
  else Warp.show(document.getElementById("watched-block"), recording);
})();
