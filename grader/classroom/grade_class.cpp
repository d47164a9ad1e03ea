#include "grader/classroom/grade_class.h"

#include <fmt/core.h>
#include <unistd.h>

#include <algorithm>
#include <exception>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <system_error>
#include <vector>

#include "grader/assess/assess.h"
#include "grader/classroom/attempts.h"
#include "grader/classroom/intake.h"
#include "grader/classroom/results.h"
#include "grader/cli/common.h"
#include "grader/core/files.h"
#include "grader/core/interrupt.h"
#include "grader/core/text.h"
#include "grader/executor/parallel.h"
#include "grader/grade/grade_json.h"
#include "grader/report/progress.h"
#include "grader/submission/submission.h"

namespace warpgrade {
namespace fs = std::filesystem;
namespace {

/// One student's work for one lab.
struct Task {
  LabSession* session = nullptr;
  const StudentEntry* student = nullptr;
};

class ClassRun {
 public:
  ClassRun(const ClassOptions& options, const Installation& installation)
      : options_(options), installation_(installation) {}

  ExitCode run() {
    require_writable_folder(options_.out);
    if (!options_.secret_file.empty()) {
      secret_ = read_file(options_.secret_file, 1 << 20);
    }
    intake_ = take_in(options_, find_labs(installation_.root));
    for (const std::string& note : intake_.notes) {
      fmt::print(stderr, "note: {}\n", note);
    }
    open_sessions(intake_.listing.content);
    // Before any grade, so that none is ever without the time it was handed in at.
    write_submission_log(options_.out, intake_.log(labs()));
    std::vector<Task> tasks;
    for (const StudentEntry& student : intake_.students()) {
      for (const auto& session : sessions_) {
        if (is_due(student, session->lab())) {
          tasks.push_back({session.get(), &student});
        } else {
          ++not_handed_in_[session->lab().id];
        }
      }
    }
    grade_all(tasks);
    return finish(tasks.size());
  }

 private:
  /// Whether a missing file is a grade of 0: for the lab that was asked for, and for a student who
  /// handed in nothing at all. Of several labs, some may not be due yet.
  [[nodiscard]] bool is_due(const StudentEntry& student, const Lab& lab) const {
    return !options_.lab.empty() || has_submission(student.tree, lab) ||
           std::none_of(sessions_.begin(), sessions_.end(), [&](const auto& session) {
             return has_submission(student.tree, session->lab());
           });
  }

  void open_sessions(const ClassListing& listing) {
    for (const std::string& id : wanted_labs()) {
      Lab lab = load_lab_by_id(installation_, id);
      const bool handed_in =
          !options_.lab.empty() ||
          std::any_of(listing.students.begin(), listing.students.end(),
                      [&](const StudentEntry& s) { return has_submission(s.tree, lab); });
      if (handed_in) {
        sessions_.push_back(
            open_session(installation_, std::move(lab), options_.device, options_.sandbox));
      }
    }
    if (sessions_.empty()) {
      throw UsageError(
          fmt::format("nobody in {} handed in a file for any of the labs ({}); expected "
                      "<student>/<lab>.cu",
                      options_.submissions.string(), join_and(find_labs(installation_.root))));
    }
  }

  [[nodiscard]] std::vector<std::string> wanted_labs() const {
    return options_.lab.empty() ? find_labs(installation_.root)
                                : std::vector<std::string>{options_.lab};
  }

  void grade_all(const std::vector<Task>& tasks) {
    Progress progress(tasks.size(), ::isatty(STDERR_FILENO) == 1);
    // Cases of one submission run side by side only where submissions do not fill the processors.
    const std::size_t case_jobs =
        std::max<std::size_t>(1, options_.jobs / std::max<std::size_t>(1, tasks.size()));
    try {
      parallel_for(tasks.size(), options_.jobs, [&](std::size_t i) {
        const GradeRow row = grade_one(tasks[i], case_jobs);
        progress.done(row);
        const std::lock_guard lock(mutex_);
        book_.rows.push_back(row);
      });
    } catch (const Interrupted&) {
      interruption_ = std::current_exception();
    } catch (const EnvironmentError&) {
      interruption_ = std::current_exception();
    }
  }

  [[nodiscard]] std::vector<const Lab*> labs() const {
    std::vector<const Lab*> all;
    for (const auto& session : sessions_) all.push_back(&session->lab());
    return all;
  }

  GradeRow grade_one(const Task& task, std::size_t case_jobs) {
    if (intake_.course.attempts == Attempts::best && !task.student->earlier.empty()) {
      return grade_attempts(task, case_jobs);
    }
    const fs::path folder = grade_folder(task.student->student, task.session->lab().id);
    bool is_new = true;
    const Grade grade = grade_attempt(task, *task.student, folder, case_jobs, is_new);
    if (is_new) {
      write_results(options_.out, grade, installation_);
    }
    return row_of(grade);
  }

  /// Grades each attempt, keeps each grade in attempts/<n>/, and reports the one that counts.
  GradeRow grade_attempts(const Task& task, std::size_t case_jobs) {
    const Lab& lab = task.session->lab();
    std::vector<const StudentEntry*> attempts;
    for (const StudentEntry& earlier : task.student->earlier) {
      if (has_submission(earlier.tree, lab)) attempts.push_back(&earlier);
    }
    attempts.push_back(task.student);
    std::vector<Grade> grades;
    std::vector<GradeRow> rows;
    std::vector<Standing> standings;
    const ClassRecord record{.course = intake_.course, .log = intake_.log({&lab})};
    for (const StudentEntry* attempt : attempts) {
      const fs::path folder = grade_folder(task.student->student, lab.id) / "attempts" /
                              std::to_string(attempt->attempt);
      bool is_new = true;
      grades.push_back(grade_attempt(task, *attempt, folder, case_jobs, is_new));
      if (is_new) {
        write_grade(grades.back(), options_.out / folder / "grade.json");
      }
      rows.push_back(row_of(grades.back()));
      standings.push_back(record.standing(rows.back()));
    }
    const std::size_t best = best_attempt(rows, standings);
    write_results(options_.out, grades[best], installation_);
    return rows[best];
  }

  /// @param is_new  false when it is the grade of an earlier run
  Grade grade_attempt(const Task& task, const StudentEntry& attempt, const fs::path& folder,
                      std::size_t case_jobs, bool& is_new) {
    stop_if_interrupted();
    const Submission submission = pick_submission(attempt, task.session->lab());
    if (std::optional<Grade> kept = kept_grade(task, submission, folder)) {
      is_new = false;
      return *std::move(kept);
    }
    Grade grade;
    try {
      grade = assess(*task.session, submission, secret_, case_jobs);
    } catch (const EnvironmentError&) {
      throw;  // the next one would fare no better
    } catch (const Interrupted&) {
      throw;
    } catch (const fs::filesystem_error& e) {
      throw EnvironmentError(e.what());
    } catch (const std::exception& e) {
      grade = failed_assessment(*task.session, submission, secret_, e.what());
    }
    return grade;
  }

  /// The grade of an earlier run, if nothing that it depends on has changed.
  [[nodiscard]] std::optional<Grade> kept_grade(const Task& task, const Submission& submission,
                                                const fs::path& folder) const {
    const fs::path file = options_.out / folder / "grade.json";
    std::error_code error;
    if (!options_.resume || !fs::exists(file, error)) {
      return std::nullopt;
    }
    try {
      Grade grade = read_grade(file);
      const bool same = grade.status != GradeStatus::error && grade.attempt == submission.attempt &&
                        grade.environment == environment_of(*task.session, submission, secret_);
      return same ? std::optional<Grade>(std::move(grade)) : std::nullopt;
    } catch (const UsageError&) {
      return std::nullopt;  // damaged, or of another version: graded again
    }
  }

  ExitCode finish(std::size_t total) {
    book_.sort();
    if (interruption_) {
      fmt::print(stderr,
                 "stopped: {} of {} submissions are graded and kept in {}; run the same command "
                 "with --resume for the rest\n",
                 book_.rows.size(), total, options_.out.string());
      write_what_is_there();
      std::rethrow_exception(interruption_);
    }
    write_class_files(options_.out, book_, installation_);
    fmt::print("{}\n", gradebook_text(book_));
    for (const auto& [lab, students] : not_handed_in_) {
      fmt::print("{}: {} student{} handed in nothing and {} not graded; --lab {} does\n", lab,
                 students, students == 1 ? "" : "s", students == 1 ? "is" : "are", lab);
    }
    const auto errors =
        std::count_if(book_.rows.begin(), book_.rows.end(),
                      [](const GradeRow& row) { return row.status == GradeStatus::error; });
    if (errors > 0) {
      fmt::print("{} of {} could not be graded for a fault of ours; their students lose nothing.\n",
                 errors, book_.rows.size());
    }
    fmt::print("Report: {}\n", (options_.out / "index.html").string());
    return errors > 0 ? ExitCode::internal : ExitCode::passed;
  }

  void write_what_is_there() const {
    try {
      write_class_files(options_.out, book_, installation_);
    } catch (const std::runtime_error&) {
      // The disk may be full, which is why we are here; the grades themselves are in place.
    }
  }

  const ClassOptions& options_;
  const Installation& installation_;
  Intake intake_;
  std::string secret_;
  std::vector<std::unique_ptr<LabSession>> sessions_;
  std::map<std::string, std::size_t> not_handed_in_;  // students, by lab
  std::mutex mutex_;
  Gradebook book_;
  std::exception_ptr interruption_;
};

}  // namespace

ExitCode grade_class(const ClassOptions& options) {
  const Installation installation = find_installation();
  return ClassRun(options, installation).run();
}

}  // namespace warpgrade
