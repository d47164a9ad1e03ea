#include "grader/serve/jobs/grade_program.h"

#include <fmt/core.h>

#include <cstdio>
#include <optional>

#include "grader/class/grading/adopt.h"
#include "grader/class/grading/student_page.h"
#include "grader/core/error.h"
#include "grader/core/files.h"
#include "grader/core/text.h"
#include "grader/process/attached.h"
#include "grader/process/followed.h"
#include "grader/record/grade/student_view.h"
#include "grader/serve/classroom/rules.h"
#include "grader/show/problems/diagnostics.h"

namespace warpgrade {
namespace {

constexpr const char* kNotGraded =
    "It could not be graded because of an internal error. It is kept, and the staff can grade it "
    "again.";

}  // namespace

std::vector<AttemptFiles> submitted_files(const Store& store, const std::string& lab,
                                          const std::vector<std::string>& students,
                                          std::int64_t last) {
  std::vector<AttemptFiles> all;
  for (const std::string& student : students) {
    int number = 0;
    for (const KeptAttempt& submission : store.submissions(student, lab)) {
      ++number;
      if (submission.id > last) break;
      all.push_back({.student = student,
                     .attempt = number,
                     .submitted = submitted_at(submission),
                     .files = store.files(submission.id)});
    }
  }
  return all;
}

CheckOutcome grade_into(const std::filesystem::path& grades, const GradeProgram& program,
                        const KeptAttempt& attempt, int number,
                        const std::vector<AttemptFiles>& submitted, const std::atomic<bool>& stop) {
  const ScratchFolder scratch;
  const std::filesystem::path submissions = scratch.path() / "submissions";
  write_attempts(submissions, submitted);
  FollowedProgram run;
  run.argv = {program.program,
              "grade",
              submissions.string(),
              "--layout",
              std::string(slug(Layout::attempts)),
              "--lab",
              attempt.lab,
              "--course",
              program.course.string(),
              "--secret-file",
              program.secret_file.string(),
              "--out",
              grades.string(),
              "--no-tables"};
  run.argv.insert(run.argv.end(), program.options.begin(), program.options.end());
  run.environment = whole_environment();
  const FollowedEnd end = follow(run, stop);
  CheckOutcome outcome;
  outcome.stopped = end.stopped;
  if (end.stopped) return outcome;
  const std::optional<Grade> grade = grade_of_attempt(grades, attempt.person, attempt.lab, number);
  if (end.code == static_cast<int>(ExitCode::passed) && grade) return outcome;
  const std::string why =
      grade && grade->status == GradeStatus::error ? grade->summary : why_failed(end);
  // Not for the student: it may be about a hidden case.
  fmt::print(stderr, "warpgrade serve: submission {} of {} for {} was not graded: {}\n", attempt.id,
             one_line(attempt.person), attempt.lab, one_line(why));
  outcome.problem = attempt.kind == AttemptKind::regrade ? why : kNotGraded;
  return outcome;
}

CheckOutcome take_over_grade(const std::filesystem::path& grades, const GradeProgram& program,
                             const KeptAttempt& attempt, int number) {
  CheckOutcome outcome;
  try {
    const std::optional<Grade> grade =
        grade_of_attempt(grades, attempt.person, attempt.lab, number);
    if (!grade) throw UsageError("there is none of this attempt");
    adopt_grades(grades, program.results, program.course, program.installation);
    outcome.result = result_from(as_json(student_view(*grade, false, "")));
  } catch (const std::exception& e) {
    fmt::print(stderr, "warpgrade serve: the grade of submission {} could not be kept: {}\n",
               attempt.id, e.what());
    outcome.problem = kNotGraded;
  }
  return outcome;
}

CheckOutcome run_grade(const GradeProgram& program, const KeptAttempt& attempt, int number,
                       const std::vector<AttemptFiles>& submitted, const std::atomic<bool>& stop) {
  const ScratchFolder scratch;
  const std::filesystem::path grades = scratch.path() / "grades";
  CheckOutcome graded = grade_into(grades, program, attempt, number, submitted, stop);
  if (graded.stopped || !graded.problem.empty()) return graded;
  return take_over_grade(grades, program, attempt, number);
}

}  // namespace warpgrade
