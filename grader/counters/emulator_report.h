#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "emulator/report/call_report.h"
#include "grader/grade_record/grade.h"

namespace warpgrade {

/// What became of a change that an experiment asked for.
struct MadeChange {
  std::string change;  // as it was given
  std::uint64_t places = 0;  // that are other than before
  bool outside_branch = false;  // it is around the branch or loop of the line, not in it
  bool possible = true;
};

/// What the emulator wrote about one run (docs/warpsim.schema.json).
struct EmulatorReport {
  std::string device;
  std::vector<KernelReport> kernels;
  std::vector<ReportedFinding> findings;
  /// The kernels again, counting only what led to an output: launches whose results were used, and
  /// in them instructions that lead to a store. Nothing where that was not followed.
  std::optional<std::vector<KernelReport>> reaching = std::nullopt;
  std::optional<warpsim::CallReport> call = std::nullopt;  // likewise: where outputs come from
  std::vector<MadeChange> changes = {};  // of an experiment

  [[nodiscard]] const ReportedFinding* find(warpsim::FindingKind kind) const;
  /// A counter summed over all kernels, by ncu's metric name; 0 where none has it.
  [[nodiscard]] double total(std::string_view metric) const;
};

/// A file of the submission, not of the toolkit.
[[nodiscard]] bool is_own(const std::string& file);

/// Reads a report; nothing when there is none or it is damaged, for the program that ran could have
/// written anything there. Texts, lists and numbers beyond what any run has are cut to that, so
/// that a grade can be written and its sums hold. File names lose the prefix `source_folder`.
[[nodiscard]] std::optional<EmulatorReport> read_emulator_report(
    const std::filesystem::path& file, const std::filesystem::path& source_folder);

/// Key of the modelled time, in milliseconds, among a kernel's counters.
inline constexpr const char* kTimeMetric = "modelled_ms";

}  // namespace warpgrade
