#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "emulator/record/call.h"
#include "emulator/record/fields.h"
#include "emulator/record/finding.h"
#include "emulator/record/kernel.h"
#include "emulator/timeline/kinds.h"

// The emulator's report on one run (docs/warpsim.schema.json).

namespace warpsim {

struct CardReport {
  std::string kind = "emulator";
  std::string id;
  std::string name;
  std::vector<int> compute_capability;
  int multiprocessors = 0;
  std::uint64_t memory_bytes = 0;
};
WARPGRADE_FIELDS(CardReport, kind, id, (name, "", {.longest = 100}),
                 (compute_capability, "", {.at_most = 2}), multiprocessors, memory_bytes)

struct RunSummary {
  std::uint64_t errors = 0;
  std::uint64_t warnings = 0;
  std::uint64_t notes = 0;
  std::uint64_t launches = 0;
  double modelled_ms = 0;
};
WARPGRADE_FIELDS(RunSummary, errors, warnings, notes, launches, modelled_ms)

/// The result of a change that an experiment asked for.
struct ChangeReport {
  std::string change;
  std::uint64_t places = 0;
  bool outside_branch = false;
  std::string problem;
};
WARPGRADE_FIELDS(
    ChangeReport, (change, "As it was given."),
    (places,
     "Instructions, arrays, launches or copies that were changed; 0: there was nothing to change."),
    (outside_branch,
     "The barrier is around the branch or loop of the line, where all threads meet."),
    (problem, "Why it could not be made; empty if it could."))

struct EngineReport {
  int device = 0;
  EngineKind engine = EngineKind::none;
  double busy_ms = 0;
};
WARPGRADE_FIELDS(EngineReport, device, engine, busy_ms)

/// A piece of work on the modelled timeline.
struct OperationReport {
  OperationKind kind = OperationKind::kernel;
  std::string name;
  int device = 0;
  std::uint64_t stream = 0;
  EngineKind engine = EngineKind::none;
  double begin_ms = 0;
  double end_ms = 0;
  std::uint64_t bytes = 0;
  bool pageable = false;
  std::optional<int> from_device = std::nullopt;
  std::optional<int> to_device = std::nullopt;
};
WARPGRADE_FIELDS(OperationReport, kind, (name, "", {.longest = 100}), device,
                 (stream, "0 is the default stream."), engine, begin_ms, end_ms,
                 (bytes, "", {.omit = true}), (pageable, "", {.omit = true}),
                 (from_device, "The device that sends, of a copy between devices.", {.omit = true}),
                 (to_device, "The device that receives, of a copy between devices.",
                  {.omit = true}))

WARPGRADE_FIELDS(CallInterval, begin_ms, end_ms)

/// Of a timeline, in a report.
inline constexpr std::size_t kMostOperations = 1000;

struct TimelineReport {
  double end_ms = 0;
  double overlap_ms = 0;
  std::vector<EngineReport> engines;
  std::vector<OperationReport> operations;
  std::uint64_t left_out = 0;
  std::optional<CallInterval> call;
};
WARPGRADE_FIELDS(TimelineReport, end_ms,
                 (overlap_ms, "Time in which two or more engines were busy."),
                 (engines, "", {.at_most = 100}),
                 (operations, "Of the announced call, or of the run; in the order of submission.",
                  {.at_most = kMostOperations}),
                 (left_out, "Operations that are not in the list."),
                 (call, "The announced call, until its work was done.", {.omit = true}))

struct RunReport {
  int schema = 1;
  CardReport device;
  std::map<std::string, bool> enabled;
  std::vector<KernelReport> kernels;
  std::vector<ReportedFinding> findings;
  RunSummary summary;
  std::uint64_t dropped_launches = 0;
  std::optional<CallReport> call;
  std::optional<std::map<std::string, double>> transfers;
  std::optional<std::map<std::string, double>> call_transfers;
  std::optional<TimelineReport> timeline;
  std::optional<std::vector<ChangeReport>> changes;
};
WARPGRADE_FIELDS(
    RunReport, (schema, "Raised when a meaning changes."), (device, "The card that was emulated."),
    (enabled,
     "The enabled checks and counters, by the names of --check; unwritten is --check "
     "uninitialized, read_only is --check read-only.",
     {.optional = true}),
    (kernels, "", {.at_most = 4000}), (findings, "", {.at_most = 2000}),
    (summary, "", {.optional = true}),
    (dropped_launches,
     "Launches after a kernel that a card would have stopped: they were not run, and nothing is "
     "known of them.",
     {.omit = true}),
    (call, "What a call that a harness announced did with its data, if it was followed.",
     {.omit = true}),
    (transfers, "Counters of copies, zero-copy accesses and migrations (docs/emulator.md).",
     {.omit = true, .at_most = 500}),
    (call_transfers, "The same for the call that a harness announced.",
     {.omit = true, .at_most = 500}),
    (timeline,
     "When the work would run on the card, in the model of docs/cost-model.md; milliseconds from "
     "the first call.",
     {.omit = true}),
    (changes, "What became of each change that --change asked for.",
     {.omit = true, .at_most = 100}))

}  // namespace warpsim
