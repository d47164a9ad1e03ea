"use strict";

// Time against the tiers: one bar for each tier's limit, and the submission's own.
function tierBars() {
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
}

// Measured runs: one dot each, so that their spread is visible beside the tiers' limits.
function runDots() {
  const rows = [
    { label: "yours", runs: page.runs.submission, y: 2, colour: colour("accent") },
    { label: "reference", runs: page.runs.reference, y: 1, colour: colour("good") },
  ];
  // Spread in a fixed order, not at random, so that the page is always the same.
  const dots = (row) => row.runs.map((x, i) => ({ x, y: row.y + ((i * 7) % 11 - 5) / 22 }));
  const all = rows.flatMap((row) => row.runs);
  // Limits far above all runs would squeeze the runs into a corner.
  const tiers = page.tiers.filter((tier) => tier.ratio <= 2 * Math.max(...all));
  const low = Math.min(...all, 1);
  const high = Math.max(...all, ...tiers.map((tier) => tier.ratio));
  const room = (high - low) * 0.06 || 0.1;
  return {
    type: "scatter",
    data: {
      datasets: [
        ...rows.map((row) => ({
          label: row.label, data: dots(row), pointRadius: 3, backgroundColor: row.colour + "99",
          borderWidth: 0,
        })),
        ...tiers.map((tier) => ({
          label: tier.points + " points up to " + tier.ratio, showLine: true, pointRadius: 0,
          borderColor: colour("warn"), borderWidth: 1.5, borderDash: [5, 4],
          data: [{ x: tier.ratio, y: 0.4 }, { x: tier.ratio, y: 2.6 }],
          tier: tier.points + " points",
        })),
      ],
    },
    options: {
      layout: { padding: { top: 14 } },
      plugins: {
        legend: { display: false },
        tooltip: {
          callbacks: { label: (item) => item.dataset.label + ": " + short(item.parsed.x) },
        },
      },
      scales: {
        x: {
          type: "linear", min: Math.max(0, low - room), max: high + room,
          title: { display: true, text: "times the reference's time" },
        },
        y: {
          min: 0.4, max: 2.6, grid: { display: false },
          ticks: {
            stepSize: 1, callback: (value) => value === 2 ? "yours" : value === 1 ? "reference" : "",
          },
          afterBuildTicks: (axis) => { axis.ticks = [{ value: 1 }, { value: 2 }]; },
        },
      },
    },
    plugins: [{
      afterDatasetsDraw(chart) {
        chart.data.datasets.forEach((set, i) => {
          if (set.tier) write(chart, chart.getDatasetMeta(i).data[1], set.tier, 0, -4);
        });
      },
    }],
  };
}
draw("tiers", () => page.runs ? runDots() : tierBars());

/// Writes a label at a point of a chart.
function write(chart, point, text, dx, dy, align = "center") {
  const { ctx } = chart;
  ctx.save();
  ctx.fillStyle = colour("ink");
  ctx.font = "600 11px " + Chart.defaults.font.family;
  ctx.textAlign = align;
  ctx.fillText(text, point.x + dx, point.y + dy);
  ctx.restore();
}

// The roof is min(peak, intensity * bandwidth), over operations per byte of memory traffic; each
// type of operation has its own peak.
function rooflinePlot(roof) {
  const peak = Math.max(...roof.roofs.map((r) => r.peak));
  const at = (run) => ({ x: run.operations / run.bytes, y: run.operations / (run.ms / 1000) });
  const known = (run) => run.bytes > 0 && run.ms > 0 && run.operations > 0;
  const sets = [
    { label: "rungs", runs: roof.rungs, colour: colour("soft"), style: "rectRot", radius: 5 },
    { label: "reference", runs: [roof.reference], colour: colour("good"), style: "triangle",
      radius: 8 },
    { label: "yours", runs: [roof.submission], colour: colour("accent"), style: "circle",
      radius: 7 },
  ].map((set) => ({ ...set, runs: set.runs.filter(known) })).filter((set) => set.runs.length > 0);
  const points = sets.flatMap((set) => set.runs.map(at));
  const bend = peak / roof.bandwidth;
  // Whole powers of ten, for round ticks on the axes.
  const down = (value) => 10 ** Math.floor(Math.log10(value));
  const up = (value) => 10 ** Math.ceil(Math.log10(value));
  const low = down(Math.min(bend / 10, ...points.map((p) => p.x / 1.5)));
  const high = up(Math.max(bend * 3, ...points.map((p) => p.x * 1.5)));
  const bottom = down(Math.min(peak / 100, ...points.map((p) => p.y / 1.5)));
  const knee = Math.max(low, bottom / roof.bandwidth);
  return {
    type: "scatter",
    data: {
      datasets: [
        ...sets.map((set) => ({
          label: set.label, data: set.runs.map(at), pointStyle: set.style, pointRadius: set.radius,
          pointHoverRadius: set.radius + 2, backgroundColor: set.colour, borderColor: set.colour,
          rungs: set.runs.map((run) => run.rung),
        })).reverse(),
        ...roof.roofs.map((r) => ({
          label: r.name ? "roof: " + r.name : "the card's roof", showLine: true, pointRadius: 0,
          borderWidth: r.peak === peak ? 2 : 1.2, borderColor: colour("soft"),
          borderDash: r.peak === peak ? [] : [5, 4],
          data: [
            ...(r.peak === peak ? [{ x: knee, y: knee * roof.bandwidth }] : []),
            { x: r.peak / roof.bandwidth, y: r.peak }, { x: high, y: r.peak },
          ],
          roof: r.name,
        })),
      ],
    },
    options: {
      plugins: {
        legend: {
          labels: { usePointStyle: true, filter: (item, data) =>
            data.datasets[item.datasetIndex].roof === undefined },
        },
        tooltip: {
          callbacks: {
            label: (item) => {
              const rung = (item.dataset.rungs || [])[item.dataIndex];
              return (rung ? "rung " + rung : item.dataset.label) + ": " + short(item.parsed.y) +
                "flop/s at " + short(item.parsed.x) + " flop/byte";
            },
          },
        },
      },
      scales: {
        x: {
          type: "logarithmic", min: low, max: high,
          title: { display: true, text: "flop per byte of memory traffic" },
          ticks: { maxTicksLimit: 6, callback: short },
        },
        y: {
          type: "logarithmic", min: bottom, max: up(peak * 1.2),
          title: { display: true, text: "flop/s" },
          ticks: { maxTicksLimit: 6, callback: short },
        },
      },
    },
    plugins: [{
      afterDatasetsDraw(chart) {
        const labels = [];  // overlapping rungs share a label
        chart.data.datasets.forEach((set, i) => {
          const drawn = chart.getDatasetMeta(i).data;
          if (set.roof) write(chart, drawn[drawn.length - 1], set.roof, -4, -5, "right");
          (set.rungs || []).forEach((rung, k) => {
            if (!rung) return;
            const near = labels.find(({ at }) =>
              Math.hypot(at.x - drawn[k].x, at.y - drawn[k].y) < 13);
            if (near) near.rungs.push(rung);
            else labels.push({ at: drawn[k], rungs: [rung] });
          });
        });
        labels.forEach(({ at, rungs }) => write(chart, at, rungs.join(", "), 9, -4, "left"));
      },
    }],
  };
}

// Without floating-point operations there are only bytes: their rate, up to the card's bandwidth.
function trafficBars(roof) {
  const bars = [
    { label: "yours", run: roof.submission, colour: colour("accent") },
    { label: "reference", run: roof.reference, colour: colour("good") },
    ...roof.rungs.map((run) => ({ label: "rung " + run.rung, run, colour: colour("edge") })),
  ].filter((bar) => bar.run.ms > 0);
  return {
    type: "bar",
    data: {
      labels: bars.map((bar) => bar.label),
      datasets: [{
        data: bars.map((bar) => bar.run.bytes / (bar.run.ms / 1000) / 1e9),
        backgroundColor: bars.map((bar) => bar.colour),
      }],
    },
    options: {
      indexAxis: "y",
      plugins: { legend: { display: false } },
      scales: {
        x: {
          min: 0, max: roof.bandwidth / 1e9,
          title: { display: true, text: "GB/s of memory traffic" },
        },
        y: { grid: { display: false }, ticks: { autoSkip: false } },
      },
    },
  };
}
if (page.roofline) {
  draw("roofline", () => page.roofline.flops ? rooflinePlot(page.roofline)
                                             : trafficBars(page.roofline));
}

document.documentElement.dataset.ready = "yes";
