#pragma once

#include <cstddef>
#include <map>
#include <string>

#include "grader/grade_record/grade.h"
#include "grader/grade_submission/observed.h"
#include "grader/session/lab_session.h"
#include "grader/submission/submission.h"

namespace warpgrade {

/// Builds and runs one submission, and judges what it did.
///
/// @param secret  the course's, empty if there is none; hidden cases mix it with student and
/// attempt
/// @param jobs    cases that run at the same time
/// @param known   what was observed of this submission, under other cases of the lab: only cases
///                that have changed since are run again, where single cases can be; or null
/// @throws EnvironmentError  if this machine cannot grade anything
/// @throws Interrupted
[[nodiscard]] Observed observe(LabSession& session, const Submission& submission,
                               const std::string& secret, std::size_t jobs,
                               const Observed* known = nullptr);

/// Whether a grade by the lab as it is now needs nothing that was not observed.
[[nodiscard]] bool is_complete(const LabSession& session, const Observed& seen);

/// Scores and diagnoses what was observed by the lab as it is now. Runs nothing.
/// @param seen  complete
[[nodiscard]] Grade grade_of(const LabSession& session, const Submission& submission,
                             const std::string& secret, Observed seen);

/// Both: observe() and grade_of().
[[nodiscard]] Grade assess(LabSession& session, const Submission& submission,
                           const std::string& secret, std::size_t jobs);

/// The grade of a submission that our own or this machine's fault kept from being assessed.
///
/// @param cause  harness_fault or environment
/// @param fault  what failed, one sentence
[[nodiscard]] Grade failed_assessment(const LabSession& session, const Submission& submission,
                                      const std::string& secret, Failure cause,
                                      const std::string& fault);

/// Everything that a grade depends on, as it is recorded in it: two runs with the same give the
/// same grade.
[[nodiscard]] std::map<std::string, std::string> environment_of(const LabSession& session,
                                                                const Submission& submission,
                                                                const std::string& secret);

}  // namespace warpgrade
