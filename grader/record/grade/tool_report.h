#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "grader/core/fields.h"
#include "grader/record/grade/kernel_report.h"
#include "harness/core/names.h"

namespace warpgrade {

/// How a run under one of NVIDIA's tools ended.
enum class ToolEnd : std::uint8_t {
  done,
  missing,
  not_permitted,  // the driver gives counters to administrators only
  out_of_time,
  failed,
  not_run,
};
constexpr auto names_of(ToolEnd) {
  return names_up_to<ToolEnd::not_run>("done", "missing", "not_permitted", "out_of_time", "failed",
                                       "not_run");
}

/// A run under one of NVIDIA's tools.
struct ToolRun {
  std::string tool;  // "ncu", "memcheck", ...; "compute-sanitizer" for all of its tools
  std::string name;  // the case; may be empty
  ToolEnd end = ToolEnd::not_run;
  std::string message;  // the result; if there is none, why and what to do
  double seconds = 0;
};
WARPGRADE_FIELDS(ToolRun, tool, name, end, message, seconds)

/// What ncu counted in one run on the card.
struct CardCounts {
  std::string program;  // "submission", "reference"
  std::string name;  // the case
  bool timed = false;  // the timed call; otherwise the case as it is judged
  std::map<std::string, std::int64_t> shape;
  std::vector<KernelReport> kernels;  // without lines
};
WARPGRADE_FIELDS(CardCounts, program, name, timed, shape, kernels)

/// A finding of compute-sanitizer; equal ones of several threads are merged.
struct ToolFinding {
  std::string tool;  // "memcheck"
  std::string kind;  // "access", "misaligned", "race", "uninitialized", "barrier", "leak", "copy",
                     // "free", "api", or "other"
  std::string message;  // in its own words, without addresses
  std::string kernel;
  std::string file;
  std::uint32_t line = 0;
  std::string who;  // the first thread: "thread (32,0,0) in block (3,0,0)"
  std::uint64_t count = 1;
};
WARPGRADE_FIELDS(ToolFinding, tool, kind, message, kernel, file, line, who, count)

/// Results of NVIDIA's tools (`--profile`). For information only: a program can forge them, and no
/// points depend on them.
struct CardProfile {
  std::vector<ToolRun> runs;
  std::vector<CardCounts> counts;
  std::vector<ToolFinding> findings;

  /// The counts of a program's run; null if there are none.
  [[nodiscard]] const CardCounts* find(std::string_view program, bool timed) const;
};
WARPGRADE_FIELDS(CardProfile, runs, counts, findings)

}  // namespace warpgrade
