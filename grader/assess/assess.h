#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <string>

#include "grader/assess/lab_session.h"
#include "grader/grade/grade.h"
#include "grader/submission/submission.h"

namespace warpgrade {

struct Evidence;
struct PublicRuns;

/// Gets what a grade is decided from, before it is.
using EvidenceSink = std::function<void(const Evidence&, const PublicRuns&)>;

/// Builds, runs, judges and scores one submission.
///
/// @param secret  the course's, empty if there is none; hidden cases mix it with student and
/// attempt
/// @param jobs    cases that run at the same time
/// @param sink    may be empty
/// @throws EnvironmentError  if this machine cannot grade anything
/// @throws Interrupted
[[nodiscard]] Grade assess(LabSession& session, const Submission& submission,
                           const std::string& secret, std::size_t jobs,
                           const EvidenceSink& sink = {});

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
