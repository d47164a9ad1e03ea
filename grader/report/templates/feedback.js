"use strict";

// Time against the tiers: one bar for each tier's limit, and the submission's own.
draw("tiers", () => {
  const bars = page.tiers.map((tier) => ({
    label: tier.points + " points", value: tier.ratio, own: false,
  }));
  bars.push({ label: "yours", value: page.ratio, own: true });
  bars.push({ label: "reference", value: 1, own: false });
  bars.sort((a, b) => a.value - b.value);
  const largest = Math.max(...page.tiers.map((tier) => tier.ratio));
  const logarithmic = page.ratio > 4 * largest;
  return {
    type: "bar",
    data: {
      labels: bars.map((bar) => bar.label),
      datasets: [{
        data: bars.map((bar) => bar.value),
        backgroundColor: bars.map((bar) => bar.own ? colour("accent") : colour("edge")),
      }],
    },
    options: {
      indexAxis: "y",
      plugins: { legend: { display: false } },
      scales: {
        x: {
          type: logarithmic ? "logarithmic" : "linear",
          title: { display: true, text: "times the reference's time" },
        },
        y: { grid: { display: false } },
      },
    },
  };
});

// The roof is min(peak, intensity * bandwidth), over operations a byte of memory traffic.
if (page.roofline) draw("roofline", () => {
  const roof = page.roofline;
  const bend = roof.peak / roof.bandwidth;
  const runs = [
    { label: "yours", run: roof.submission, colour: colour("accent"), style: "circle" },
    { label: "reference", run: roof.reference, colour: colour("good"), style: "triangle" },
  ].filter((r) => r.run.bytes > 0 && r.run.ms > 0 && r.run.operations > 0).map((r) => ({
    ...r, x: r.run.operations / r.run.bytes, y: r.run.operations / (r.run.ms / 1000),
  }));
  const low = Math.min(bend / 100, ...runs.map((r) => r.x / 3));
  const high = Math.max(bend * 10, ...runs.map((r) => r.x * 3));
  const unit = roof.operation === "flop" ? "flop" : "instr.";
  return {
    type: "scatter",
    data: {
      datasets: [
        {
          label: "the card's roof", showLine: true, pointRadius: 0, borderWidth: 2,
          borderColor: colour("soft"),
          data: [
            { x: low, y: low * roof.bandwidth }, { x: bend, y: roof.peak },
            { x: high, y: roof.peak },
          ],
        },
        ...runs.map((r) => ({
          label: r.label, data: [{ x: r.x, y: r.y }], pointStyle: r.style, pointRadius: 7,
          pointHoverRadius: 9, backgroundColor: r.colour, borderColor: r.colour,
        })),
      ],
    },
    options: {
      plugins: {
        legend: { labels: { usePointStyle: true } },
        tooltip: {
          callbacks: {
            label: (item) => item.dataset.label + ": " + short(item.parsed.y) + unit + "/s at " +
              short(item.parsed.x) + " " + unit + "/byte",
          },
        },
      },
      scales: {
        x: {
          type: "logarithmic", min: low, max: high,
          title: { display: true, text: unit + " a byte of memory traffic" },
          ticks: { maxTicksLimit: 6, callback: short },
        },
        y: {
          type: "logarithmic", title: { display: true, text: unit + "/s" },
          ticks: { maxTicksLimit: 6, callback: short },
        },
      },
    },
  };
});

for (const radio of document.querySelectorAll("input[name=heat]")) {
  radio.addEventListener("change", () => {
    for (const source of document.querySelectorAll(".source")) source.dataset.heat = radio.value;
  });
}

// Colours of the language. Tokens are found in a block as a whole, for a comment may span lines, and
// put back line by line as text nodes: what a source says never becomes markup.
Prism.languages.insertBefore("cpp", "keyword", {
  "keyword-cuda": {
    pattern: /\b__(?:global|device|host|shared|constant|restrict|launch_bounds|syncthreads|syncwarp)__\b/,
    alias: "keyword",
  },
});
function paint(block) {
  const lines = [...block.querySelectorAll("code")];
  const text = lines.map((line) => line.textContent).join("\n");
  if (text.length > 150000) return;
  const grammar = Prism.languages.cpp;
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
document.documentElement.dataset.ready = "yes";
