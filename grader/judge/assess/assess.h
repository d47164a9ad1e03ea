#pragma once

#include <cstddef>
#include <map>
#include <string>

#include "grader/judge/assess/observed.h"
#include "grader/record/grade/grade.h"
#include "grader/run/session/built_submission.h"
#include "grader/run/session/lab_session.h"
#include "grader/submit/submission/submission.h"

namespace warpgrade {

/// Builds and runs one submission, and judges the results.
///
/// @param secret  the course's, empty if there is none; hidden cases mix it with student and
/// attempt
/// @param jobs    cases that run at the same time
/// @param known   earlier evidence of this submission, for other cases of the lab: if possible only
///                cases that have changed are run again; or null
/// @param built   gets the program, for further runs; or null
/// @throws EnvironmentError  if this machine cannot grade at all
/// @throws Interrupted
[[nodiscard]] Observed observe(LabSession& session, const Submission& submission,
                               const std::string& secret, std::size_t jobs,
                               const Observed* known = nullptr, BuiltSubmission* built = nullptr);

/// Whether the evidence suffices for a grade under the current lab.
[[nodiscard]] bool is_complete(const LabSession& session, const Observed& seen);

/// Scores and diagnoses evidence under the current lab. Runs nothing.
/// @param seen  complete
[[nodiscard]] Grade grade_of(const LabSession& session, const Submission& submission,
                             const std::string& secret, Observed seen);

/// Both: observe() and grade_of().
[[nodiscard]] Grade assess(LabSession& session, const Submission& submission,
                           const std::string& secret, std::size_t jobs,
                           BuiltSubmission* built = nullptr);

/// The grade of a submission that could not be assessed because of an internal or environment
/// error.
///
/// @param cause  harness_fault, lab_fault or environment
/// @param fault  what failed, one sentence
[[nodiscard]] Grade failed_assessment(const LabSession& session, const Submission& submission,
                                      const std::string& secret, Failure cause,
                                      const std::string& fault);

/// Everything that a grade depends on, as recorded in it: runs with equal values give equal grades.
[[nodiscard]] std::map<std::string, std::string> environment_of(const LabSession& session,
                                                                const Submission& submission,
                                                                const std::string& secret);

}  // namespace warpgrade
