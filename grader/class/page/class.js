"use strict";

page.labs.forEach((lab, no) => draw("lab-" + no, () => ({
  type: "bar",
  data: {
    labels: lab.bins.map((_, i) => i * 10 + "\u2013" + (i + 1) * 10 + " %"),
    datasets: [{
      data: lab.bins, backgroundColor: colour("accent"), categoryPercentage: 1, barPercentage: 0.92,
    }],
  },
  options: {
    plugins: { legend: { display: false } },
    scales: {
      x: { grid: { display: false }, ticks: { maxRotation: 0, autoSkipPadding: 12 } },
      y: { ticks: { precision: 0 } },
    },
  },
})));

const numeric = (key) => key === "" ? NaN : Number(key);
const natural = new Intl.Collator("en", { numeric: true });

/// Makes a table sortable by a click on a heading, and returns its rows. The texts for searching
/// and sorting are read once, because reading 2,000 rows repeatedly is slow.
function sortable(table) {
  const body = table.tBodies[0];
  const rows = [...body.rows].map((row) => ({
    row,
    text: row.textContent.toLowerCase(),
    keys: [...row.cells].map((cell) => cell.dataset.v ?? cell.textContent.trim()),
  }));

  /// Sorts by a column; rows with an empty cell come last in both directions.
  function sortBy(column, direction) {
    const numbers = table.tHead.rows[0].cells[column].classList.contains("number");
    rows.sort((a, b) => {
      const [x, y] = [a.keys[column], b.keys[column]];
      if (x === "" || y === "") return (x === "") - (y === "");
      return direction * (numbers ? numeric(x) - numeric(y) : natural.compare(x, y));
    });
    body.append(...rows.map((entry) => entry.row));
  }

  const heads = [...table.tHead.rows[0].cells];
  heads.forEach((head, column) => {
    const button = head.querySelector("button");
    if (!button) return;
    button.addEventListener("click", () => {
      const descending = head.getAttribute("aria-sort") === "ascending";
      heads.forEach((other) => other.removeAttribute("aria-sort"));
      head.setAttribute("aria-sort", descending ? "descending" : "ascending");
      sortBy(column, descending ? -1 : 1);
    });
  });
  return rows;
}

const matrix = document.getElementById("matrix");
if (matrix) sortable(matrix);
const table = document.getElementById("table");
const rows = sortable(table);
const columnOf = (key) =>
  [...table.tHead.rows[0].cells].findIndex((head) => head.dataset.key === key);

const find = document.getElementById("find");
const lab = document.getElementById("lab");
const verdict = document.getElementById("verdict");
const kLab = columnOf("lab");
const kVerdict = columnOf("verdict");
for (const word of new Set(rows.map(({ keys }) => keys[kVerdict]))) {
  verdict.add(new Option(word, word));
}
function filter() {
  const words = find.value.toLowerCase().split(/\s+/).filter(Boolean);
  let count = 0;
  for (const { row, text, keys } of rows) {
    const shown = words.every((word) => text.includes(word)) &&
      (!lab || !lab.value || keys[kLab] === lab.value) &&
      (!verdict.value || keys[kVerdict] === verdict.value);
    row.hidden = !shown;
    count += shown ? 1 : 0;
  }
  document.getElementById("shown").textContent =
    count === rows.length ? count + " rows" : count + " of " + rows.length + " rows";
}
for (const control of [find, lab, verdict]) {
  if (control) control.addEventListener("input", filter);
}
find.form.addEventListener("submit", (event) => event.preventDefault());
document.documentElement.dataset.ready = "yes";
