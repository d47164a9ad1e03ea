#pragma once

#include <nlohmann/json_fwd.hpp>
#include <span>
#include <string>

#include "emulator/counters/counters.h"
#include "emulator/device/card.h"
#include "emulator/findings/diagnostic.h"
#include "emulator/findings/finding.h"
#include "emulator/machine/launch.h"
#include "emulator/record/run.h"
#include "emulator/timeline/timeline.h"
#include "emulator/timeline/transfers.h"

namespace warpsim {

/// The results of a run, as views: the owner must outlive the call.
struct Report {
  const Card* card = nullptr;
  CheckOptions checks = {};  // enabled checks; counters of others are left out
  std::span<const KernelCounters> kernels;  // in order of first launch
  std::span<const Finding> findings;  // in order of occurrence
  std::uint64_t dropped_launches = 0;  // after a fault: not run, and so not checked
  const CallReport* call = nullptr;  // of an announced call, if it was tracked
  const Changes* changes = nullptr;  // an experiment's; null: there are none
  const Timeline* timeline = nullptr;  // null if the program did not use the device
  const TransferTotals* transfers = nullptr;  // likewise
  const TransferTotals* call_transfers = nullptr;  // of an announced call that has ended
};

[[nodiscard]] RunReport record_of(const Report& report);
[[nodiscard]] ReportedFinding record_of(const Finding& finding);

/// The report as docs/warpsim.schema.json describes it.
[[nodiscard]] nlohmann::ordered_json to_json(const Report& report);

/// docs/warpsim.schema.json, made from the fields of the records and the tables of counters.
[[nodiscard]] nlohmann::ordered_json run_schema();

/// The results of changes, one line each; empty for a run without.
[[nodiscard]] std::string render_changes(const Changes* changes);

/// Every finding in its text form, a blank line between two, then the summary line:
/// "warpsim: 2 errors, 1 warning" or "warpsim: no findings".
/// @param dropped_launches  as in Report: a line before the summary, if there are any
[[nodiscard]] std::string render_findings(std::span<const Finding> findings,
                                          std::uint64_t dropped_launches = 0);

/// The findings in a format; `json` is the whole report, as to_json() has it.
[[nodiscard]] std::string render(const Report& report, DiagnosticFormat format);

/// The style of the table of counters.
struct TableStyle {
  bool lines = false;  // the costliest source lines, under each kernel
  bool colour = false;  // ANSI escapes: kernels bold, inefficient rows yellow
  CheckOptions checks = {};  // enabled checks: a last line names rows missing for disabled ones
};

/// A table of each kernel's counters, for a terminal of 80 columns.
[[nodiscard]] std::string render_counters(std::span<const KernelCounters> kernels,
                                          const TableStyle& style = {});

/// True if `file` is a terminal with colours and NO_COLOR is not set.
[[nodiscard]] bool wants_colour(int file);

/// Replaces `path` atomically.
/// @returns empty, or why it failed: "cannot write 'out/report.json': No space left on device"
[[nodiscard]] std::string write_atomically(const std::string& path, const std::string& text);

}  // namespace warpsim
