"use strict";
// Keys and touch: what they do with a viewer.

Warp.listen = (viewer) => {
  viewer.host.onkeydown = (event) => key(event);
  swipes(viewer.drawing);

  function key(event) {
    if (event.target.closest("select, summary, .warp-tabs, .warp-wide[tabindex]") || event.ctrlKey || event.metaKey || event.altKey) return;
    const onSlider = event.target.tagName === "INPUT";
    const acts = {
      ArrowLeft: () => viewer.goBy(-1), ArrowRight: () => viewer.goBy(1),
      Home: () => viewer.goBy(-Infinity), End: () => viewer.goBy(Infinity), " ": () => viewer.play(),
    };
    if (onSlider && event.key !== " ") return;
    if (event.key === " " && event.target.tagName === "BUTTON") return;
    if (!acts[event.key]) return;
    event.preventDefault();
    acts[event.key]();
  }

  /// A finger that moves sideways over the picture goes to the next step.
  function swipes(drawing) {
    let from = null;
    drawing.addEventListener("touchstart", (event) => { from = event.touches[0]; }, { passive: true });
    drawing.addEventListener("touchend", (event) => {
      const to = event.changedTouches[0];
      if (!from) return;
      const across = to.clientX - from.clientX;
      if (Math.abs(across) > 48 && Math.abs(across) > 2 * Math.abs(to.clientY - from.clientY)) viewer.goBy(across < 0 ? 1 : -1);
      from = null;
    });
  }
};

/// Left and right choose the tab beside.
Warp.tabKey = (viewer, event) => {
  const by = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
  if (!by) return;
  const tabs = [...viewer.tabs.children];
  const next = tabs[(tabs.indexOf(event.currentTarget) + by + tabs.length) % tabs.length];
  viewer.choose(next.picture.id);
  next.focus();
  event.preventDefault();
};
