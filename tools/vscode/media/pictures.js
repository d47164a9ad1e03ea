"use strict";
// What the block has done up to the last stop, in the pictures of recordings. Sends {type: "draw"}; gets
// {type: "pictures", body} as the event warpsim/picture has it.
(() => {
  const result = Warp.element("div");
  panel.main.append(
    Warp.element("button", { type: "button", onclick: () => panel.send({ type: "draw" }) }, "Draw up to here"),
    Warp.element("p", { class: "warp-soft" }, "The kernel runs again from its start up to here, and is recorded."),
    result);
  panel.listen("pictures", ({ recording, atEnd }) => {
    try {
      Warp.show(result, Warp.read(recording), atEnd ? { end: true } : {});
    } catch (error) {
      result.replaceChildren(Warp.element("p", { class: "problem" }, error.message));
    }
  }, result);
})();
