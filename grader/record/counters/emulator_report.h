#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "emulator/record/fields.h"
#include "emulator/record/run.h"
#include "grader/record/grade/grade.h"
#include "grader/record/grade/speed_report.h"

namespace warpgrade {

/// The timeline of a call (emulator/timeline).
struct CallTimeline {
  double ms = 0;  // from the call to the end of its work
  double overlap_ms = 0;  // when two engines were busy
  std::vector<TimelineBar> bars = {};  // times from the beginning of the call
};
WARPGRADE_FIELDS(CallTimeline, ms, overlap_ms, bars)

/// The emulator's report on one run (docs/warpsim.schema.json).
struct EmulatorReport {
  std::string device;
  std::vector<KernelReport> kernels;
  std::vector<ReportedFinding> findings;
  /// The kernels again, with only the counts that led to an output: launches whose results were
  /// used, and in them instructions that lead to a store. Nothing if that was not tracked.
  std::optional<std::vector<KernelReport>> reaching = std::nullopt;
  std::optional<warpsim::CallReport> call = std::nullopt;  // likewise: the origins of the outputs
  std::vector<warpsim::ChangeReport> changes = {};  // of an experiment
  std::map<std::string, double> transfers = {};  // counters, of the call or else of the run
  std::optional<CallTimeline> timeline = std::nullopt;

  [[nodiscard]] const ReportedFinding* find(warpsim::FindingKind kind) const;
  /// A counter summed over all kernels, by ncu's metric name; 0 if none has it.
  [[nodiscard]] double total(std::string_view metric) const;
};

/// What the performance item compares: the time of the call on the timeline, with copies and waits,
/// or the sum of the kernels' times. 0 if it is not known.
[[nodiscard]] double modelled_time(const EmulatorReport& report, bool on_timeline);

/// A file of the submission, not of the toolkit.
[[nodiscard]] bool is_own(const std::string& file);

/// Reads a report; nothing if there is none or it is damaged, since the program could have written
/// anything there. Texts, lists and numbers larger than in any real run are truncated, so that a
/// valid grade can be written. File names lose the prefix `source_folder`.
/// @param instructions  whether kernels keep their PTX instructions, if the report has them
[[nodiscard]] std::optional<EmulatorReport> read_emulator_report(
    const std::filesystem::path& file, const std::filesystem::path& source_folder,
    bool instructions = false);

/// Key of the modelled time, in milliseconds, among a kernel's counters.
inline constexpr const char* kTimeMetric = "modelled_ms";
/// Key of the warp instructions executed.
inline constexpr const char* kInstructionsMetric = "smsp__inst_executed.sum";

}  // namespace warpgrade
