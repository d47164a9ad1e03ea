"use strict";
// From the JSON of `warpgrade check --format json` to problems; nothing here needs VS Code.
const path = require("node:path");

/// @returns a list of {file, line, column, severity, message, pitfall, other}; lines from 0
function problemsOf(report, folder) {
  const place = (at) => ({
    file: path.resolve(folder, at.file),
    line: Math.max(0, at.line - 1),
    column: Math.max(0, (at.column || 1) - 1),
  });
  return report.diagnostics
    .filter((d) => d.file && d.line > 0)
    .map((d) => ({
      ...place(d),
      severity: d.severity,
      message: d.message,
      kind: d.kind,
      pitfall: d.pitfall || "",
      other: d.other && d.other.file ? place(d.other) : null,
    }));
}

/// One line for the status bar.
function summaryOf(report) {
  return `${report.lab}: ${report.score} of ${report.max_score} points. ${report.headline}`.trim();
}

module.exports = { problemsOf, summaryOf };
