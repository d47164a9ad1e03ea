"use strict";
// What the panels share: messages to the extension and from it.
const panel = {
  vscode: acquireVsCodeApi(),
  main: document.querySelector("main"),

  /// Shows what the extension sends: {type, body} as `show` does, a problem, or that the kernel runs.
  /// @param host  where messages are shown
  listen(type, show, host = panel.main) {
    window.addEventListener("message", ({ data }) => {
      if (data.type === type) show(data.body);
      else if (data.type === "problem") host.replaceChildren(Warp.element("p", { class: "problem" }, data.message));
      else host.replaceChildren(Warp.element("p", {}, "The kernel runs."));
    });
  },
  send(message) { panel.vscode.postMessage(message); },

  /// A form with one field. @param sent  gets the field's text
  form(name, value, sent, ...more) {
    const input = Warp.element("input", { value, "aria-label": name });
    const form = Warp.element("form", {}, input, ...more);
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      sent(input.value);
    });
    return form;
  },
};
