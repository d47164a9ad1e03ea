#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "grader/grade_record/student_view.h"
#include "harness/core/names.h"

namespace warpgrade {

/// A place in a source file. File names are relative to the directory that the command was started
/// in, as editors expect.
struct SourcePosition {
  std::string file;  // empty if unknown
  std::uint32_t line = 0;  // 0 if unknown
  std::uint32_t column = 0;  // from 1; 0 if unknown
};

/// One problem of a submission: a compiler's message, a finding, or a case that fails.
struct Diagnostic {
  SourcePosition at;
  std::string severity;  // "error", "warning", "note"
  std::string message;  // one line
  std::string rule;  // kind of finding; "compiler"; "wrong-result" and so on for a case
  std::string title;  // of the rule, for people
  std::string pitfall;  // "P23", or empty
  std::optional<SourcePosition> other;  // of a race, where it is another line
  std::vector<std::pair<std::string, std::string>> details;  // "who", "got", ...
  std::vector<std::string> cases;  // in which it was seen

  /// "src/vecadd.cu:12:5: error: message [oob-global-write, P1]"; without what is unknown.
  [[nodiscard]] std::string line() const;
};

/// What an editor shows of a grade: the compiler's messages if it does not build, else findings,
/// and cases whose result is wrong. Hidden cases are in it only as far as in `shown`.
[[nodiscard]] std::vector<Diagnostic> diagnostics_of(const StudentView& shown);

/// The first line of a finding.
[[nodiscard]] Diagnostic diagnostic_of(const ReportedFinding& finding, const std::string& folder);

/// A submission's file as the student named it: `folder` before its name.
/// @param folder  StudentView::folder
[[nodiscard]] std::string path_in(const std::string& folder, const std::string& file);

enum class DiagnosticFormat : std::uint8_t { text, json, sarif, github };
constexpr auto names_of(DiagnosticFormat) {
  return names_up_to<DiagnosticFormat::github>("text", "json", "sarif", "github");
}

/// One object: lab, score, max_score, passed, headline, pitfall and the diagnostics.
[[nodiscard]] std::string as_json(const StudentView& shown);

/// SARIF 2.1.0: one run, a rule for each kind, both sides of a race as locations.
[[nodiscard]] std::string as_sarif(const StudentView& shown);

/// Annotations of GitHub's workflows, one `::error file=...::message` per line.
[[nodiscard]] std::string as_github(const StudentView& shown);

}  // namespace warpgrade
