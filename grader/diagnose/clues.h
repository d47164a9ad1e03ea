#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "grader/evidence/evidence.h"
#include "grader/grade_record/grade.h"

namespace warpgrade {

/// What the rules of diagnose.cpp ask of a submission.
class Clues {
 public:
  Clues(const Evidence& evidence, const std::vector<Item>& items,
        const std::vector<SourceFile>& sources);

  [[nodiscard]] const Evidence& evidence() const { return evidence_; }
  [[nodiscard]] const std::vector<Item>& items() const { return items_; }

  /// First case with this verdict, or null.
  [[nodiscard]] const CaseOutcome* first(CaseVerdict verdict) const;
  /// First wrong case whose elements are wrong in this way, or null.
  [[nodiscard]] const CaseOutcome* first_pattern(std::string_view pattern) const;
  /// First finding of this kind, or null.
  [[nodiscard]] const ReportedFinding* finding(warpsim::FindingKind kind) const;
  [[nodiscard]] const ReportedFinding* finding(std::string_view slug) const;
  /// Whether some case ran and did not pass.
  [[nodiscard]] bool any_failure() const;
  /// Whether a hidden case is wrong, in evidence that has nothing else of it.
  [[nodiscard]] bool fails_where_hidden() const;
  /// Whether some item of this category has not all its points, through the submission's fault.
  [[nodiscard]] bool falls_short(Category category) const;
  /// Whether outputs are in device memory, where a harness puts them and takes them from: then the
  /// submission copies none.
  [[nodiscard]] bool outputs_on_device() const;
  [[nodiscard]] bool any_kernel() const;
  /// Whether the emulator reported on any case.
  [[nodiscard]] bool any_report() const;

  /// Whether the source, comments left out, matches on some line.
  [[nodiscard]] bool source_matches(const char* regex) const;

 private:
  const Evidence& evidence_;
  const std::vector<Item>& items_;
  std::vector<std::string> lines_;
};

/// Whether an extent of the case, a number that is no setting, is 0.
[[nodiscard]] bool has_nothing_to_do(const CaseOutcome& outcome);

/// Threads of a kernel's last launch.
[[nodiscard]] std::uint64_t threads_of(const KernelReport& kernel);

}  // namespace warpgrade
