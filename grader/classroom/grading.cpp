#include "grader/classroom/grading.h"

#include <fmt/core.h>

#include <exception>
#include <filesystem>
#include <utility>

#include "grader/assess/assess.h"
#include "grader/core/error.h"
#include "grader/core/text.h"
#include "grader/grade/failure.h"

namespace warpgrade {
namespace {

/// After so many submissions in a row that this machine failed, the next would fare no better.
constexpr int kEnvironmentFaults = 3;

}  // namespace

Grading::Grading(std::string secret, GradeCache& cache,
                 std::function<void(const std::string&)> note)
    : secret_(std::move(secret)), cache_(cache), note_(std::move(note)) {}

Grade Grading::grade(LabSession& session, const Submission& submission, const std::string& key,
                     std::size_t case_jobs) {
  bool found = false;
  Grade grade = cache_.find_or_make(
      key, [&] { return try_twice(session, submission, case_jobs); }, found);
  if (found) {
    ++reused_;
    grade.student = submission.student;
    grade.attempt = submission.attempt;
  }
  if (grade.failure != Failure::environment) {
    environment_faults_ = 0;
  } else if (++environment_faults_ >= kEnvironmentFaults) {
    throw EnvironmentError(
        fmt::format("{} submissions in a row could not be graded here; the last: {}",
                    kEnvironmentFaults, grade.summary));
  }
  return grade;
}

Grade Grading::try_twice(LabSession& session, const Submission& submission, std::size_t case_jobs) {
  Grade grade = try_once(session, submission, case_jobs);
  if (!is_ours(grade.failure)) {
    return grade;
  }
  note_(fmt::format("{} {}: {}, tried again", printable(submission.student), submission.lab,
                    words(grade.failure)));
  return try_once(session, submission, case_jobs);
}

Grade Grading::try_once(LabSession& session, const Submission& submission, std::size_t case_jobs) {
  try {
    return assess(session, submission, secret_, case_jobs);
  } catch (const Interrupted&) {
    throw;
  } catch (const EnvironmentError& e) {
    return failed_assessment(session, submission, secret_, Failure::environment, e.what());
  } catch (const std::filesystem::filesystem_error& e) {
    return failed_assessment(session, submission, secret_, Failure::environment, e.what());
  } catch (const std::exception& e) {
    return failed_assessment(session, submission, secret_, Failure::harness_fault, e.what());
  }
}

}  // namespace warpgrade
