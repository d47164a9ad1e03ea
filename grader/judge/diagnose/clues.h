#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "grader/judge/diagnose/conditions.h"
#include "grader/record/evidence/evidence.h"
#include "grader/record/grade/grade.h"

namespace warpgrade {

/// What the rules of diagnose.cpp query about a submission.
class Clues {
 public:
  Clues(const Evidence& evidence, const std::vector<Item>& items,
        const std::vector<SourceFile>& sources);

  [[nodiscard]] const Evidence& evidence() const { return evidence_; }
  [[nodiscard]] const std::vector<Item>& items() const { return items_; }

  /// First case with this verdict, or null.
  [[nodiscard]] const CaseOutcome* first(CaseVerdict verdict) const;
  /// First wrong case with this pattern of wrong elements, or null.
  [[nodiscard]] const CaseOutcome* first_pattern(std::string_view pattern) const;
  /// First finding of this kind, or null.
  [[nodiscard]] const ReportedFinding* finding(warpsim::FindingKind kind) const;
  [[nodiscard]] const ReportedFinding* finding(std::string_view slug) const;
  /// Whether any case ran and did not pass.
  [[nodiscard]] bool any_failure() const;
  /// Whether a hidden case is wrong, in evidence from which hidden cases are left out.
  [[nodiscard]] bool fails_where_hidden() const;
  /// Whether an item of this category lost points because of the submission.
  [[nodiscard]] bool falls_short(Category category) const;
  /// Whether outputs are in device memory, so that the harness copies them and not the submission.
  [[nodiscard]] bool outputs_on_device() const;
  [[nodiscard]] bool any_kernel() const;
  /// Whether the emulator reported on any case.
  [[nodiscard]] bool any_report() const;

  /// Whether any line of the source, without comments, matches.
  [[nodiscard]] bool source_matches(const char* regex) const;
  /// The conditions under which a finding's line is reached; none if its file is not known.
  [[nodiscard]] Conditions conditions_at(const ReportedFinding& finding) const;
  /// Whether a launch of the kernel has more than one row of threads.
  [[nodiscard]] bool has_rows(const std::string& kernel) const;

 private:
  const Evidence& evidence_;
  const std::vector<Item>& items_;
  std::vector<std::string> lines_;
  std::map<std::string, std::vector<std::string>> files_;  // lines by name
};

/// Threads of a kernel's last launch.
[[nodiscard]] std::uint64_t threads_of(const KernelReport& kernel);

}  // namespace warpgrade
