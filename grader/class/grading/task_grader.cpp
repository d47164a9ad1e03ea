#include "grader/class/grading/task_grader.h"

#include <fmt/core.h>

#include <algorithm>
#include <optional>
#include <system_error>
#include <utility>
#include <vector>

#include "grader/class/grading/attempts.h"
#include "grader/class/grading/receipt.h"
#include "grader/class/grading/results.h"
#include "grader/class/grading/student_page.h"
#include "grader/class/grading/watched.h"
#include "grader/core/contained_error.h"
#include "grader/core/error.h"
#include "grader/core/files.h"
#include "grader/core/instant.h"
#include "grader/core/interrupt.h"
#include "grader/core/sha256.h"
#include "grader/core/text.h"
#include "grader/judge/assess/assess.h"
#include "grader/record/grade/grade_json.h"

namespace warpgrade {
namespace fs = std::filesystem;

namespace {

/// page_state() of all students who have a grade, as a hash.
std::string pages_of(const GradeRow& row, const Task& task, const ClassRecord& record) {
  const Instant now = now_utc();
  Sha256 sha;
  for (const GradeRow& one : rows_for_group(row, task)) {
    sha.add_field(page_state(one, record, now));
  }
  return sha.hex();
}

}  // namespace

bool KeptGrades::write_pages(const Task& task) const {
  std::vector<std::string> students = task.members;
  students.push_back(task.student->student);
  for (const std::string& student : students) {
    const fs::path folder = options_.out / grade_folder(student, task.session->lab().id);
    try {
      const Grade grade = read_grade(folder / "grade.json");
      write_file_atomically(folder / "feedback.html",
                            student_page(options_.out, grade, work_.record, installation_));
    } catch (const UsageError&) {
      return false;
    }
  }
  return true;
}

std::optional<GradeRow> KeptGrades::row(const Task& task, const Submission& submission) const {
  if (!options_.resume && !keeps_) {
    return std::nullopt;  // --cache none: graded again
  }
  const auto is_written = [&](const std::string& member) {
    std::error_code error;
    return fs::exists(options_.out / grade_folder(member, submission.lab) / "grade.json", error);
  };
  if (!std::all_of(task.members.begin(), task.members.end(), is_written)) return std::nullopt;
  if (std::optional<RowFile> receipt =
          find_receipt(options_.out, submission.student, submission.lab, task.key);
      receipt && receipt->row.attempt == submission.attempt) {
    const std::string pages = pages_of(receipt->row, task, work_.record);
    if (receipt->page != pages && !options_.dry_run) {
      if (!write_pages(task)) return std::nullopt;
      write_receipt(options_.out, receipt->row, task.key, pages);
    }
    return receipt->row;
  }
  // The earlier run was stopped between grade and receipt.
  const fs::path folder = options_.out / grade_folder(submission.student, submission.lab);
  std::error_code error;
  if (!fs::exists(folder / "feedback.html", error)) {
    return std::nullopt;
  }
  const std::optional<Grade> kept = this->grade(*task.session, submission, folder);
  if (!kept) {
    return std::nullopt;
  }
  GradeRow row = row_of(*kept);
  row.student = submission.student;  // the folder's name, which may be invalid UTF-8
  if (!options_.dry_run) {
    write_receipt(options_.out, row, task.key, "");
  }
  return row;
}

std::optional<Grade> KeptGrades::grade(const LabSession& session, const Submission& submission,
                                       const fs::path& folder) const {
  std::error_code error;
  if (!options_.resume || !fs::exists(folder / "grade.json", error)) {
    return std::nullopt;
  }
  try {
    Grade earlier = read_grade(folder / "grade.json");
    const bool same = earlier.status != GradeStatus::error &&
                      earlier.attempt == submission.attempt &&
                      earlier.environment == environment_of(session, submission, work_.secret);
    return same ? std::optional<Grade>(std::move(earlier)) : std::nullopt;
  } catch (const UsageError&) {
    return std::nullopt;  // damaged, or of another version: graded again
  }
}

bool counts_best(const ClassWork& work, const Task& task) {
  return work.record.course.attempts == Attempts::best && task.attempts.size() > 1;
}

GradeRow TaskGrader::grade(const Task& task, std::size_t case_jobs) {
  stop_if_interrupted();
  if (counts_best(work_, task)) {
    return grade_attempts(task, case_jobs);
  }
  const Picked picked = pick(*task.student, task.session->lab());
  BuiltSubmission built;
  Grade graded = grade_picked(*task.session, picked, case_jobs, built);
  const WatchedCase watched =
      options_.pictures ? this->watched(*task.session, picked, graded, built) : WatchedCase{};
  const Grade made =
      written(std::move(graded), task, [&](const Grade& g) { write_for_group(g, task, watched); });
  const GradeRow row = row_of(made);
  if (made.status != GradeStatus::error && !options_.dry_run) {
    // Compute the key again: the files may have changed since the run began.
    write_receipt(options_.out, row, grade_key(*task.session, picked.submission, work_.secret),
                  pages_of(row, task, work_.record));
  }
  return row;
}

Grade TaskGrader::grade_picked(LabSession& session, const Picked& picked, std::size_t case_jobs,
                               BuiltSubmission& built) {
  for (const std::string& note : picked.submission.notes) {
    note_(fmt::format("{} {}: {}", one_line(picked.submission.student), picked.submission.lab,
                      one_line(note)));
  }
  return picked.fault.empty() ? grading_.grade(session, picked.submission, case_jobs, &built)
                              : failed_assessment(session, picked.submission, work_.secret,
                                                  Failure::environment, picked.fault);
}

Grade TaskGrader::written(Grade grade, const Task& task,
                          const std::function<void(const Grade&)>& write) {
  if (options_.dry_run) {
    return grade;
  }
  Submission submission;
  submission.student = grade.student;
  submission.lab = grade.lab;
  submission.attempt = grade.attempt;
  return write_or_fail(std::move(grade), write, [&](const std::string& why) {
    Grade failed =
        failed_assessment(*task.session, submission, work_.secret, Failure::harness_fault, why);
    flag_fault(failed);
    return failed;
  });
}

GradeRow TaskGrader::grade_attempts(const Task& task, std::size_t case_jobs) {
  const Lab& lab = task.session->lab();
  std::vector<Grade> grades;
  std::vector<GradeRow> rows;
  std::vector<Standing> standings;
  for (const StudentEntry* attempt : task.attempts) {
    stop_if_interrupted();
    const fs::path folder = options_.out / grade_folder(task.student->student, lab.id) /
                            "attempts" / std::to_string(attempt->attempt);
    const Picked picked = pick(*attempt, lab);
    std::optional<Grade> kept;
    if (picked.fault.empty()) {
      kept = kept_.grade(*task.session, picked.submission, folder);
    }
    if (kept) {
      grades.push_back(*std::move(kept));
    } else {
      BuiltSubmission built;
      grades.push_back(
          written(grade_picked(*task.session, picked, case_jobs, built), task,
                  [&](const Grade& grade) { write_grade(grade, folder / "grade.json"); }));
    }
    rows.push_back(row_of(grades.back()));
    standings.push_back(work_.record.standing(rows.back()));
  }
  const std::size_t best = best_attempt(rows, standings);
  BuiltSubmission rebuilt;  // those of all attempts would take much space
  const WatchedCase watched =
      options_.pictures
          ? this->watched(*task.session, pick(*task.attempts[best], lab), grades[best], rebuilt)
          : WatchedCase{};
  return row_of(written(grades[best], task,
                        [&](const Grade& grade) { write_for_group(grade, task, watched); }));
}

/// What the pictures of a grade's page are made of. Their absence costs nobody a grade.
WatchedCase TaskGrader::watched(LabSession& session, const Picked& picked, const Grade& grade,
                                BuiltSubmission& built) {
  if (options_.dry_run || !picked.fault.empty() || grade.status == GradeStatus::error) {
    return {};
  }
  WatchedCase watched;
  const std::optional<std::string> error =
      contained_error([&] { watched = watch_case(session, picked.submission, grade, built); });
  if (error) {
    note_(fmt::format("{} {}: no pictures: {}", one_line(grade.student), grade.lab,
                      one_line(*error)));
  }
  return watched;
}

void TaskGrader::write_for_group(const Grade& grade, const Task& task,
                                 const WatchedCase& watched) const {
  const auto write = [&](const Grade& one) {
    keep_watched_case(options_.out / grade_folder(one.student, one.lab), one.attempt, watched);
    write_results(options_.out, one, work_.record, installation_);
  };
  write(grade);
  for (const std::string& member : task.members) {
    Grade copy = grade;
    copy.student = member;
    write(copy);
  }
}

std::vector<GradeRow> rows_for_group(const GradeRow& row, const Task& task) {
  std::vector<GradeRow> rows = {row};
  for (const std::string& member : task.members) {
    rows.push_back(row);
    rows.back().student = member;
  }
  return rows;
}

}  // namespace warpgrade
