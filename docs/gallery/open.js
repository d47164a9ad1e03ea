"use strict";
// The recordings of a page of the gallery. Each place names its recording and, in order of preference,
// where it opens (Warp.opening).
for (const place of document.querySelectorAll("[data-recording]")) {
  try {
    const recording = Warp.read(Warp.recordings.programs[place.dataset.recording]);
    const has = (options) => recording.blocks.some((_, number) => Warp.opening(new Warp.Model(recording, number), options));
    Warp.show(place, recording, JSON.parse(place.dataset.open).find(has) ?? {});
  } catch (error) {
    place.textContent = `The recording cannot be shown: ${error.message}`;
  }
}
