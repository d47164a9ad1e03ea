#pragma once

#include <string>
#include <vector>

#include "emulator/findings/diagnostic.h"
#include "grader/record/evidence/observed_program.h"
#include "grader/record/grade/student_view.h"

namespace warpgrade {

using warpsim::Diagnostic;
using warpsim::DiagnosticFormat;
using warpsim::SourcePosition;

/// What an editor shows of a grade: the compiler's messages if it does not build, else findings,
/// and cases whose result is wrong. Hidden cases are in it only as far as in `shown`.
[[nodiscard]] std::vector<Diagnostic> diagnostics_of(const StudentView& shown);

[[nodiscard]] std::vector<Diagnostic> diagnostics_of(const ObservedProgram& observed);

/// The first line of a finding.
[[nodiscard]] Diagnostic diagnostic_of(const ReportedFinding& finding, const std::string& folder);

/// A submission's file as the student named it: `folder` before its name.
/// @param folder  StudentView::folder
[[nodiscard]] std::string path_in(const std::string& folder, const std::string& file);

/// One object: lab, score, max_score, passed, headline, pitfall and the diagnostics.
[[nodiscard]] std::string as_json(const StudentView& shown);

/// The same without points, for a program that belongs to no lab.
[[nodiscard]] std::string as_json(const ObservedProgram& observed);

/// See warpsim::to_sarif and to_github.
[[nodiscard]] std::string as_sarif(const StudentView& shown);
[[nodiscard]] std::string as_github(const StudentView& shown);

}  // namespace warpgrade
