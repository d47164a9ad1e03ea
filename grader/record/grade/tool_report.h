#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "emulator/record/fields.h"
#include "emulator/record/kernel.h"
#include "harness/core/names.h"

namespace warpgrade {

using warpsim::KernelLine;
using warpsim::KernelReport;

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

/// The tools of compute-sanitizer.
inline constexpr std::array<std::string_view, 4> kSanitizerTools = {"memcheck", "racecheck",
                                                                    "initcheck", "synccheck"};
inline constexpr std::array<std::string_view, 6> kTools = {
    "ncu", "compute-sanitizer", "memcheck", "racecheck", "initcheck", "synccheck"};
/// Kinds of compute-sanitizer's findings.
inline constexpr std::array<std::string_view, 10> kSanitizerKinds = {
    "access", "misaligned", "race", "uninitialized", "barrier",
    "leak",   "copy",       "free", "api",           "other"};
inline constexpr std::array<std::string_view, 2> kCountedPrograms = {"submission", "reference"};

/// A run under one of NVIDIA's tools.
struct ToolRun {
  std::string tool;
  std::string name;  // the case; may be empty
  ToolEnd end = ToolEnd::not_run;
  std::string message;  // the result; if there is none, why and what to do
  double seconds = 0;
};
WARPGRADE_FIELDS(ToolRun, (tool, "compute-sanitizer: all of its tools.", {.one_of = kTools}),
                 (name, "May be empty.", {.key = "case"}), (end, "", {.key = "status"}),
                 (message, "The result; if there is none, why and what to do."), seconds)

/// What ncu counted in one run on the card.
struct CardCounts {
  std::string program;  // "submission", "reference"
  std::string name;  // the case
  bool timed = false;  // the timed call; otherwise the case as it is judged
  std::map<std::string, std::int64_t> shape;
  std::vector<KernelReport> kernels;  // without lines
};
WARPGRADE_FIELDS(CardCounts, (program, "", {.one_of = kCountedPrograms}),
                 (name, "", {.key = "case"}),
                 (timed,
                  "The call whose time is measured; else the case as it is judged, which the "
                  "emulator's `kernels` are of, too."),
                 shape, (kernels, "Without lines."))

/// A finding of compute-sanitizer; equal ones of several threads are merged.
struct ToolFinding {
  std::string tool;  // "memcheck"
  std::string kind;
  std::string message;  // in its own words, without addresses
  std::string kernel;
  std::string file;
  std::uint32_t line = 0;
  std::string who;  // the first thread: "thread (32,0,0) in block (3,0,0)"
  std::uint64_t count = 1;
};
WARPGRADE_FIELDS(ToolFinding, (tool, "", {.one_of = kSanitizerTools}),
                 (kind, "", {.one_of = kSanitizerKinds}),
                 (message, "In the tool's own words, without addresses."), kernel, file, line,
                 (who, "The first thread: thread (32,0,0) in block (3,0,0)."),
                 (count, "Equal ones of several threads are one.", {.from = 1}))

/// Results of NVIDIA's tools (`--profile`). For information only: a program can forge them, and no
/// points depend on them.
struct CardProfile {
  std::vector<ToolRun> runs;
  std::vector<CardCounts> counts;
  std::vector<ToolFinding> findings;

  /// The counts of a program's run; null if there are none.
  [[nodiscard]] const CardCounts* find(std::string_view program, bool timed) const;
};
WARPGRADE_FIELDS(CardProfile, (runs, "Each tool on its case."), (counts, "By ncu."),
                 (findings, "By compute-sanitizer."))

}  // namespace warpgrade
