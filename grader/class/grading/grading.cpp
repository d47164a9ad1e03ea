#include "grader/class/grading/grading.h"

#include <fmt/core.h>

#include <exception>
#include <filesystem>
#include <utility>

#include "grader/core/disk.h"
#include "grader/core/error.h"
#include "grader/core/files.h"
#include "grader/core/text.h"
#include "grader/judge/assess/assess.h"
#include "grader/record/grade/failure.h"
#include "harness/core/lab_error.h"
#include "harness/lab/python_form.h"

namespace warpgrade {
namespace {

/// After so many environment errors in a row, the next submission would fail, too.
constexpr int kEnvironmentFaults = 3;

constexpr const char* kFaultFlag = "grader-fault";

/// A submission known to be gradable: the lab's solution or, if there is none, the stub.
Submission known_good(const Lab& lab) {
  const std::filesystem::path solution = solution_of(lab);
  Submission good;
  good.student = "known-good";
  good.lab = lab.id;
  if (std::filesystem::exists(solution)) {
    good.files.push_back({.name = solution.filename().string(), .text = read_file(solution)});
  } else {
    good.files.push_back(
        {.name = lab.submit.front(), .text = read_file(lab.folder / lab.submit.front())});
  }
  return good;
}

/// It builds, and neither an internal error nor the machine prevented a verdict.
bool is_gradable(const Grade& grade) {
  return !is_ours(grade.failure) && grade.status != GradeStatus::error &&
         grade.points_in(Category::build) >= grade.max_points_in(Category::build);
}

}  // namespace

/// Needs manual review: a submission may provoke internal errors deliberately.
void flag_fault(Grade& grade) {
  grade.integrity.push_back(
      {.kind = kFaultFlag,
       .message = "It could not be graded, repeatedly: does the submission cause this?",
       .evidence = fmt::format("{}: {}", words(grade.failure), grade.summary)});
}

Grading::Grading(std::string secret, EvidenceCache& cache,
                 std::function<void(const std::string&)> note)
    : secret_(std::move(secret)), cache_(cache), note_(std::move(note)) {}

Grade Grading::grade(LabSession& of_lab, const Submission& submission, std::size_t case_jobs,
                     BuiltSubmission* built) {
  LabSession& session = of_lab.for_files(submission.files);
  bool found = false;
  Grade grade = cache_.find_or_make(
      evidence_key(session, submission, secret_),
      [&](Observed& seen) {
        return is_complete(session, seen)
                   ? std::optional<Grade>(grade_of(session, submission, secret_, std::move(seen)))
                   : std::nullopt;
      },
      [&](const Observed* known) {
        return try_twice(session, submission, case_jobs, known, built);
      },
      found);
  reused_ += found ? 1 : 0;
  const std::lock_guard lock(faults_mutex_);
  if (grade.failure != Failure::environment) {
    environment_faults_ = 0;
  } else if (++environment_faults_ >= kEnvironmentFaults) {
    stop_if_machine_fails(session, grade.summary);
    environment_faults_ = 0;
  }
  return grade;
}

/// Other threads wait, because their work may be useless.
void Grading::stop_if_machine_fails(LabSession& session, const std::string& last) {
  const Submission good = known_good(session.lab());
  const Grade grade = try_once(session, good, 1, nullptr, nullptr).grade;
  const std::string faults =
      fmt::format("{} submissions in a row could not be graded here", kEnvironmentFaults);
  if (!is_gradable(grade)) {
    throw EnvironmentError(fmt::format("{}, nor could {}'s {}; the last: {}", faults,
                                       session.lab().id, good.files.front().name, last));
  }
  note_(fmt::format("{}, but {}'s {} can: continuing; they should be reviewed", faults,
                    session.lab().id, good.files.front().name));
}

EvidenceCache::Made Grading::try_twice(LabSession& session, const Submission& submission,
                                       std::size_t case_jobs, const Observed* known,
                                       BuiltSubmission* built) {
  EvidenceCache::Made made = try_once(session, submission, case_jobs, known, built);
  // A lab's code fails again, and not because of the submission.
  if (!is_ours(made.grade.failure) || made.grade.failure == Failure::lab_fault) {
    return made;
  }
  note_(fmt::format("{} {}: {}, retrying", printable(submission.student), submission.lab,
                    words(made.grade.failure)));
  made = try_once(session, submission, case_jobs, nullptr, built);
  if (is_ours(made.grade.failure)) {
    flag_fault(made.grade);
  }
  return made;
}

EvidenceCache::Made Grading::try_once(LabSession& session, const Submission& submission,
                                      std::size_t case_jobs, const Observed* known,
                                      BuiltSubmission* built) {
  const auto failed = [&](Failure cause, const std::string& why) {
    return EvidenceCache::Made{.grade = failed_assessment(session, submission, secret_, cause, why),
                               .seen = std::nullopt};
  };
  try {
    Observed seen = observe(session, submission, secret_, case_jobs, known, built);
    Grade grade = grade_of(session, submission, secret_, seen);
    return {.grade = std::move(grade), .seen = std::move(seen)};
  } catch (const Interrupted&) {
    throw;
  } catch (const LabCodeError& e) {
    return failed(Failure::lab_fault, e.what());
  } catch (const EnvironmentError& e) {
    return failed(Failure::environment, e.what());
  } catch (const std::filesystem::filesystem_error& e) {
    return failed(Failure::environment, describe(e));
  } catch (const std::exception& e) {
    return failed(Failure::harness_fault, e.what());
  }
}

}  // namespace warpgrade
