"use strict";
// The source on a page: which counter its heat shows, and its colours.

for (const radio of document.querySelectorAll("input[name=heat]")) {
  radio.addEventListener("change", () => {
    for (const source of document.querySelectorAll(".source")) source.dataset.heat = radio.value;
  });
}

// Syntax highlighting. A block is tokenized as a whole, because a comment may span lines, and
// inserted line by line as text nodes, so that a source never becomes markup.
function paint(block) {
  const lines = [...block.querySelectorAll("code")];
  const text = lines.map((line) => line.textContent).join("\n");
  if (text.length > 150000) return;
  // Only the page of a submission in Python has its grammar.
  const grammar = Prism.languages.python ?? Prism.languages.cpp;
  let at = 0;
  let pieces = [];
  const flush = () => {
    lines[at].replaceChildren(...pieces);
    pieces = [];
  };
  const put = (content, kind) => {
    content.split("\n").forEach((part, i) => {
      if (i > 0) {
        flush();
        ++at;
      }
      if (!part) return;
      if (!kind) {
        pieces.push(document.createTextNode(part));
        return;
      }
      const span = document.createElement("span");
      span.className = "token " + kind;
      span.textContent = part;
      pieces.push(span);
    });
  };
  const walk = (tokens, kind) => {
    for (const token of [].concat(tokens)) {
      if (typeof token === "string") {
        put(token, kind);
      } else {
        walk(token.content, token.alias ? [].concat(token.alias)[0] : token.type);
      }
    }
  };
  walk(Prism.tokenize(text, grammar), "");
  flush();
}
document.querySelectorAll(".code").forEach(paint);
