"use strict";
// The pictures of a recording: in each finding the one that explains it, and all of them where no
// finding has one.

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
  const find = (kind, line) => {
    for (const [block, { findings }] of recording.blocks.entries()) {
      const finding = findings.findIndex((one) => one.kind === kind && one.line === line);
      if (finding >= 0) return { block, finding };
    }
    return null;
  };
  let any = false;
  for (const article of document.querySelectorAll("#findings article[data-kind]")) {
    const found = find(article.dataset.kind, +article.dataset.line);
    if (!found) continue;
    const place = Warp.element("div");
    const details = Warp.element("details", { class: "watch" },
      Warp.element("summary", {}, "See what the threads did"), place);
    article.append(details);
    const show = () => {
      if (!details.open || place.childElementCount > 0) return;
      Warp.show(place, recording, found);
    };
    details.addEventListener("toggle", show);
    details.open = !any;
    any = true;
  }
  if (any) section.remove();
  else Warp.show(document.getElementById("watched-block"), recording);
})();
