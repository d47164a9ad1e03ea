#pragma once

#include <nlohmann/json_fwd.hpp>
#include <span>
#include <string>

#include "emulator/counters/counters.h"
#include "emulator/device/card.h"
#include "emulator/findings/finding.h"
#include "emulator/machine/launch.h"
#include "emulator/report/call_report.h"

namespace warpsim {

/// What a run left behind. Views only: the owner outlives the call.
struct Report {
  const Card* card = nullptr;
  CheckOptions checks = {};  // what was on: counters of what was off are left out
  std::span<const KernelCounters> kernels;  // in order of first launch
  std::span<const Finding> findings;  // in order of occurrence
  const CallReport* call = nullptr;  // of a call that a harness announced, where it was followed
  const Changes* changes = nullptr;  // an experiment's; null: there are none
};

/// The report as docs/warpsim.schema.json describes it.
[[nodiscard]] nlohmann::ordered_json to_json(const Report& report);

/// What became of each change, a line each; empty for a run without.
[[nodiscard]] std::string render_changes(const Changes* changes);

/// Every finding in its text form, a blank line between two, then the summary line:
/// "warpsim: 2 errors, 1 warning" or "warpsim: no findings".
[[nodiscard]] std::string render_findings(std::span<const Finding> findings);

/// How the table of counters looks.
struct TableStyle {
  bool lines = false;  // the source lines that did most, under each kernel
  bool colour = false;  // ANSI escapes: kernels bold, what wastes most yellow
  CheckOptions checks =
      {};  // what was on: a last line says which rows are missing for what was off
};

/// A table of what each kernel did, for a terminal of 80 columns.
[[nodiscard]] std::string render_counters(std::span<const KernelCounters> kernels,
                                          const TableStyle& style = {});

/// True when `file` is a terminal that shows colours and NO_COLOR does not say otherwise.
[[nodiscard]] bool wants_colour(int file);

/// Replaces `path` in one step: a reader sees the old content or the new one, never a part.
/// @returns empty, or why it failed: "cannot write 'out/report.json': No space left on device"
[[nodiscard]] std::string write_atomically(const std::string& path, const std::string& text);

}  // namespace warpsim
