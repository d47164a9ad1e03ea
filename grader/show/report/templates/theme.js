"use strict";
// Shared by both pages: the page's data, its colours for charts, links into closed details.

const page = JSON.parse(document.getElementById("page-data").textContent) || {};

/// The value of a colour of style.css, by name.
function colour(name) {
  return getComputedStyle(document.documentElement).getPropertyValue("--" + name).trim();
}

/// Draws a chart into a canvas if it exists, and again when the colour scheme changes.
function draw(id, make) {
  const canvas = document.getElementById(id);
  if (!canvas) return;
  let chart = null;
  const redraw = () => {
    if (chart) chart.destroy();
    Chart.defaults.color = colour("soft");
    Chart.defaults.borderColor = colour("edge");
    Chart.defaults.font.family = getComputedStyle(document.body).fontFamily;
    Chart.defaults.animation = false;
    Chart.defaults.maintainAspectRatio = false;
    chart = new Chart(canvas, make());
    canvas.dataset.drawn = "yes";
  };
  redraw();
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", redraw);
  matchMedia("print").addEventListener("change", redraw);
}

/// A number with an SI prefix: 1.5e9 is "1.5 G".
function short(value) {
  const prefixes = [[1e12, "T"], [1e9, "G"], [1e6, "M"], [1e3, "k"]];
  for (const [size, prefix] of prefixes) {
    if (value >= size) return +(value / size).toPrecision(3) + " " + prefix;
  }
  return String(+value.toPrecision(3));
}

/// Text between backticks is code. Only text nodes are split, so nothing becomes markup.
for (const part of document.querySelectorAll("main p, main dd, td.said")) {
  if (part.querySelector("svg, canvas, pre")) continue;
  for (const node of [...part.childNodes]) {
    if (node.nodeType !== Node.TEXT_NODE || !node.data.includes("`")) continue;
    const pieces = node.data.split(/`([^`\n]{1,80})`/);
    if (pieces.length < 3) continue;
    node.replaceWith(...pieces.map((piece, i) => {
      if (i % 2 === 0) return document.createTextNode(piece);
      const code = document.createElement("code");
      code.textContent = piece;
      return code;
    }));
  }
}

/// A link into closed details opens them.
function openTarget() {
  let id = "";
  try {
    id = decodeURIComponent(location.hash.slice(1));
  } catch {
    return;  // not one of our links
  }
  const target = id && document.getElementById(id);
  const details = target && target.closest("details.page");
  if (details) {
    details.open = true;
    target.scrollIntoView();
  }
}
addEventListener("hashchange", openTarget);
addEventListener("DOMContentLoaded", openTarget);

// Everything must be open on paper.
addEventListener("beforeprint", () => {
  for (const details of document.querySelectorAll("details.card:not(.bar)")) {
    if (!details.open) {
      details.open = true;
      details.dataset.forPrint = "yes";
    }
  }
});
addEventListener("afterprint", () => {
  for (const details of document.querySelectorAll("details[data-for-print]")) {
    details.open = false;
    delete details.dataset.forPrint;
  }
});
