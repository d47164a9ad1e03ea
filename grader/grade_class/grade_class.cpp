#include "grader/grade_class/grade_class.h"

#include <fmt/core.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <chrono>
#include <cstdlib>
#include <exception>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <system_error>
#include <vector>

#include "grader/class_table/changes.h"
#include "grader/core/files.h"
#include "grader/core/interrupt.h"
#include "grader/core/parallel.h"
#include "grader/core/text.h"
#include "grader/grade_class/attempts.h"
#include "grader/grade_class/cluster.h"
#include "grader/grade_class/evidence_cache.h"
#include "grader/grade_class/grading.h"
#include "grader/grade_class/intake.h"
#include "grader/grade_class/part.h"
#include "grader/grade_class/receipt.h"
#include "grader/grade_class/results.h"
#include "grader/grade_class/results_lock.h"
#include "grader/grade_record/grade_json.h"
#include "grader/grade_submission/assess.h"
#include "grader/process/usage.h"
#include "grader/report/progress.h"
#include "grader/session/open_session.h"
#include "grader/submission/submission.h"

namespace warpgrade {
namespace fs = std::filesystem;
namespace {

constexpr std::size_t kChangesShown = 20;  // rows of those against an earlier run

/// One student's work for one lab.
struct Task {
  LabSession* session = nullptr;
  const StudentEntry* student = nullptr;
  std::string key;
  std::size_t index = 0;  // in the part, of a process that grades one
};

/// What a student handed in, or why we cannot read it: no fault of the student's, nor a reason to
/// keep others waiting.
struct Picked {
  Submission submission;
  std::string fault;
};

Picked pick(const StudentEntry& attempt, const Lab& lab) {
  try {
    return {.submission = pick_submission(attempt, lab), .fault = {}};
  } catch (const UsageError& e) {
    Picked picked;
    picked.submission.student = attempt.student;
    picked.submission.lab = lab.id;
    picked.submission.attempt = attempt.attempt;
    picked.fault = e.what();
    return picked;
  }
}

class ClassRun {
 public:
  ClassRun(const ClassOptions& options, const Installation& installation)
      : options_(options), installation_(installation) {
    if (is_part()) {
      part_ = read_part(options.part_folder, options.part);
    }
  }

  ExitCode run() {
    if (options_.dry_run && !fs::exists(options_.out / "grades.json")) {
      throw UsageError(fmt::format(
          "--dry-run reports what would change in {}, which contains no grades yet; omit it",
          options_.out.string()));
    }
    require_writable_folder(options_.out);
    std::optional<FileLock> only_us;
    if (!is_part()) {
      only_us.emplace(lock_results(options_.out));
    }
    if (!options_.secret_file.empty()) {
      secret_ = read_file(options_.secret_file, 1 << 20);
    }
    cache_ = open_evidence_cache(options_.cache, keeps_grades_);
    intake_ = take_in(options_, find_labs(installation_.root));
    guess_files_of_labs();
    if (!is_part()) {
      for (const std::string& note : intake_.notes) {
        fmt::print(stderr, "note: {}\n", one_line(note));
      }
    }
    refuse_names_of_one_folder();
    open_sessions(intake_.listing.content);
    record_ = {.course = intake_.course, .log = intake_.log(labs())};
    std::vector<Task> tasks = due_tasks();
    if (is_part()) {
      return run_part(tasks);
    }
    earlier_ = read_earlier_grades(options_.out);
    if (!options_.dry_run) {
      // Before any grade, so that none is ever without the time it was handed in at.
      write_submission_log(options_.out, record_.log);
    }
    const std::size_t total = tasks.size();
    try {
      std::vector<Task> open = leave_out_kept(std::move(tasks));
      Progress progress(total, book_.rows.size(), ::isatty(STDERR_FILENO) == 1);
      if (options_.executor == "slurm") {
        grade_on_cluster(open, progress);
      } else {
        grade_all(open, progress);
      }
    } catch (const Interrupted&) {
      interruption_ = std::current_exception();
    } catch (const EnvironmentError&) {
      interruption_ = std::current_exception();
    }
    return finish(total);
  }

 private:
  [[nodiscard]] bool is_part() const { return !options_.part_folder.empty(); }

  void guess_files_of_labs() {
    std::vector<Lab> loaded;
    for (const std::string& id : wanted_labs()) {
      loaded.push_back(load_lab_by_id(installation_, id));
    }
    std::vector<const Lab*> labs;
    for (const Lab& lab : loaded) labs.push_back(&lab);
    intake_.guess(labs, find_labs(installation_.root), !options_.lab.empty());
  }

  /// Work in which nothing can be graded is never a silent zero.
  void ask_for_nothing_gradable() {
    for (const GradeRow& row : book_.rows) {
      const std::string shown = one_line(row.student);
      const bool asked =
          std::any_of(intake_.unclear.begin(), intake_.unclear.end(),
                      [&](const Unclear& u) { return u.what.starts_with(shown + ":"); });
      if (row.failure == Failure::no_submission && !asked) {
        intake_.unclear.push_back(
            {.what = fmt::format("{}: nothing gradable for {}: {}", shown, row.lab, row.summary),
             .say = "ask for the file, put it in place, and grade again"});
      }
    }
  }

  /// Where a file system takes Ada and ada for one, their grades would lie in one folder.
  void refuse_names_of_one_folder() const {
    std::error_code error;
    if (!fs::exists(options_.out / ".WARPGRADE", error)) return;
    std::map<std::string, std::string> names;
    for (const StudentEntry& student : intake_.students()) {
      std::string lower = student.student;
      std::transform(lower.begin(), lower.end(), lower.begin(),
                     [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
      const auto [it, fresh] = names.emplace(lower, student.student);
      if (!fresh) {
        throw UsageError(fmt::format(
            "{} does not distinguish {} from {}; choose an --out on a case-sensitive file system",
            options_.out.string(), it->second, student.student));
      }
    }
  }

  [[nodiscard]] std::vector<Task> due_tasks() {
    std::vector<Task> tasks;
    for (const StudentEntry& student : intake_.students()) {
      for (const auto& session : sessions_) {
        if (is_due(student, session->lab())) {
          tasks.push_back({session.get(), &student, {}});
        } else {
          ++not_handed_in_[session->lab().id];
        }
      }
    }
    return tasks;
  }

  /// Takes the rows of grades that are there and unchanged; returns the rest, the first of equal
  /// submissions before the others, which then need no run of their own.
  [[nodiscard]] std::vector<Task> leave_out_kept(std::vector<Task> tasks) {
    if (!device_is_here()) {
      return tasks;  // the nodes decide: what a grade depends on is not known here
    }
    std::vector<Task> firsts;
    std::vector<Task> again;
    std::set<std::string> keys;
    for (Task& task : tasks) {
      stop_if_interrupted();
      const auto [submission, fault] = pick(*task.student, task.session->lab());
      task.key = grade_key(*task.session, submission, secret_);
      if (!counts_best(task) && fault.empty()) {
        if (std::optional<GradeRow> row = kept_row(task, submission)) {
          book_.rows.push_back(*std::move(row));
          continue;
        }
      }
      (keys.insert(task.key).second ? firsts : again).push_back(std::move(task));
    }
    firsts.insert(firsts.end(), again.begin(), again.end());
    return firsts;
  }

  /// Whether a missing file is a grade of 0: for the lab that was asked for, and for a student who
  /// submitted nothing at all. Of several labs, some may not be due yet.
  [[nodiscard]] bool is_due(const StudentEntry& student, const Lab& lab) const {
    return !options_.lab.empty() || has_submission(student, lab) ||
           std::none_of(sessions_.begin(), sessions_.end(), [&](const auto& session) {
             return has_submission(student, session->lab());
           });
  }

  void open_sessions(const ClassListing& listing) {
    for (const std::string& id : wanted_labs()) {
      Lab lab = load_lab_by_id(installation_, id);
      const bool handed_in =
          !options_.lab.empty() ||
          std::any_of(listing.students.begin(), listing.students.end(),
                      [&](const StudentEntry& s) { return has_submission(s, lab); });
      if (handed_in) {
        sessions_.push_back(open_session(installation_, std::move(lab), device(), options_.sandbox,
                                         options_.profile));
      }
    }
    if (sessions_.empty()) {
      throw UsageError(fmt::format(
          "nobody in {} submitted a file for any of the labs ({}); expected <student>/<lab>.cu",
          options_.submissions.string(), join_and(find_labs(installation_.root))));
    }
  }

  [[nodiscard]] std::vector<std::string> wanted_labs() const {
    return options_.lab.empty() ? find_labs(installation_.root)
                                : std::vector<std::string>{options_.lab};
  }

  /// On a cluster the node that submits jobs needs no GPU.
  [[nodiscard]] bool device_is_here() const {
    return options_.executor != "slurm" || cluster_device() == DeviceRequest::emulator;
  }

  [[nodiscard]] DeviceRequest cluster_device() const {
    if (options_.device != DeviceRequest::automatic) {
      return options_.device;
    }
    return options_.slurm.gres.find("gpu") == std::string::npos ? DeviceRequest::emulator
                                                                : DeviceRequest::cuda;
  }

  [[nodiscard]] DeviceRequest device() const {
    if (is_part()) {
      return part_.device;
    }
    return options_.executor == "slurm" ? DeviceRequest::emulator : options_.device;
  }

  void grade_all(const std::vector<Task>& tasks, Progress& progress) {
    Grading grading(secret_, *cache_, [&](const std::string& text) { progress.note(text); });
    // Cases of one submission run side by side only where submissions do not fill the processors.
    const std::size_t case_jobs =
        std::max<std::size_t>(1, options_.jobs / std::max<std::size_t>(1, tasks.size()));
    parallel_for(tasks.size(), options_.jobs, [&](std::size_t i) {
      const GradeRow row = grade_one(grading, tasks[i], case_jobs);
      progress.done(row);
      const std::lock_guard lock(mutex_);
      book_.rows.push_back(row);
    });
  }

  [[nodiscard]] std::vector<const Lab*> labs() const {
    std::vector<const Lab*> all;
    for (const auto& session : sessions_) {
      all.push_back(&session->lab());
    }
    return all;
  }

  /// Whether several attempts of this student have to be graded to know which one counts.
  [[nodiscard]] bool counts_best(const Task& task) const {
    return intake_.course.attempts == Attempts::best && !task.student->earlier.empty();
  }

  GradeRow grade_one(Grading& grading, const Task& task, std::size_t case_jobs) {
    stop_if_interrupted();
    if (counts_best(task)) {
      return grade_attempts(grading, task, case_jobs);
    }
    const Picked picked = pick(*task.student, task.session->lab());
    const Grade grade =
        written(grade_picked(grading, *task.session, picked, case_jobs), task,
                [&](const Grade& g) { write_results(options_.out, g, record_, installation_); });
    const GradeRow row = row_of(grade);
    if (grade.status != GradeStatus::error && !options_.dry_run) {
      // The key again: the files may have changed since the run began.
      write_receipt(options_.out, row, grade_key(*task.session, picked.submission, secret_));
    }
    return row;
  }

  Grade grade_picked(Grading& grading, LabSession& session, const Picked& picked,
                     std::size_t case_jobs) {
    return picked.fault.empty() ? grading.grade(session, picked.submission, case_jobs)
                                : failed_assessment(session, picked.submission, secret_,
                                                    Failure::environment, picked.fault);
  }

  /// The grade as it was written: write_or_fail() of results.h.
  Grade written(Grade grade, const Task& task, const std::function<void(const Grade&)>& write) {
    if (options_.dry_run) {
      return grade;
    }
    Submission submission;
    submission.student = grade.student;
    submission.lab = grade.lab;
    submission.attempt = grade.attempt;
    return write_or_fail(std::move(grade), write, [&](const std::string& why) {
      Grade failed =
          failed_assessment(*task.session, submission, secret_, Failure::harness_fault, why);
      flag_fault(failed);
      return failed;
    });
  }

  /// Grades each attempt, keeps each grade in attempts/<n>/, and reports the one that counts.
  GradeRow grade_attempts(Grading& grading, const Task& task, std::size_t case_jobs) {
    const Lab& lab = task.session->lab();
    std::vector<const StudentEntry*> attempts;
    for (const StudentEntry& earlier : task.student->earlier) {
      if (has_submission(earlier, lab)) {
        attempts.push_back(&earlier);
      }
    }
    attempts.push_back(task.student);
    std::vector<Grade> grades;
    std::vector<GradeRow> rows;
    std::vector<Standing> standings;
    for (const StudentEntry* attempt : attempts) {
      stop_if_interrupted();
      const fs::path folder = options_.out / grade_folder(task.student->student, lab.id) /
                              "attempts" / std::to_string(attempt->attempt);
      const Picked picked = pick(*attempt, lab);
      std::optional<Grade> kept;
      if (picked.fault.empty()) {
        kept = kept_grade(*task.session, picked.submission, folder);
      }
      if (kept) {
        grades.push_back(*std::move(kept));
      } else {
        grades.push_back(
            written(grade_picked(grading, *task.session, picked, case_jobs), task,
                    [&](const Grade& grade) { write_grade(grade, folder / "grade.json"); }));
      }
      rows.push_back(row_of(grades.back()));
      standings.push_back(record_.standing(rows.back()));
    }
    const std::size_t best = best_attempt(rows, standings);
    return row_of(written(grades[best], task, [&](const Grade& grade) {
      write_results(options_.out, grade, record_, installation_);
    }));
  }

  /// The row of an earlier run's grade and page, if nothing that they depend on has changed.
  [[nodiscard]] std::optional<GradeRow> kept_row(const Task& task,
                                                 const Submission& submission) const {
    if (!options_.resume && !keeps_grades_) {
      return std::nullopt;  // --cache none: graded anew
    }
    if (std::optional<GradeRow> row =
            find_receipt(options_.out, submission.student, submission.lab, task.key);
        row && row->attempt == submission.attempt) {
      return row;
    }
    // Stopped between grade and receipt.
    const fs::path folder = options_.out / grade_folder(submission.student, submission.lab);
    std::error_code error;
    if (!fs::exists(folder / "feedback.html", error)) {
      return std::nullopt;
    }
    const std::optional<Grade> grade = kept_grade(*task.session, submission, folder);
    if (!grade) {
      return std::nullopt;
    }
    GradeRow row = row_of(*grade);
    row.student = submission.student;  // as the folder is called, which may be no UTF-8
    if (!options_.dry_run) {
      write_receipt(options_.out, row, task.key);
    }
    return row;
  }

  /// The grade of an earlier run in this folder, if nothing that it depends on has changed.
  [[nodiscard]] std::optional<Grade> kept_grade(const LabSession& session,
                                                const Submission& submission,
                                                const fs::path& folder) const {
    std::error_code error;
    if (!options_.resume || !fs::exists(folder / "grade.json", error)) {
      return std::nullopt;
    }
    try {
      Grade grade = read_grade(folder / "grade.json");
      const bool same = grade.status != GradeStatus::error && grade.attempt == submission.attempt &&
                        grade.environment == environment_of(session, submission, secret_);
      return same ? std::optional<Grade>(std::move(grade)) : std::nullopt;
    } catch (const UsageError&) {
      return std::nullopt;  // damaged, or of another version: graded again
    }
  }

  /// In a process of the cluster: this part's share, its grades and what the submitting process
  /// wants to know of them; no tables of the class.
  ExitCode run_part(std::vector<Task>& tasks) {
    std::vector<Task> share;
    for (std::size_t i = 0; i < part_.tasks.size(); ++i) {
      if (find_part_result(part_, i)) {
        continue;  // by an earlier try
      }
      for (Task& task : tasks) {
        if (task.student->student == part_.tasks[i].first &&
            task.session->lab().id == part_.tasks[i].second) {
          task.index = i;
          share.push_back(task);
        }
      }
    }
    Progress progress(share.size(), 0, false);
    Grading grading(secret_, *cache_, [&](const std::string& text) { progress.note(text); });
    parallel_for(share.size(), part_jobs(), [&](std::size_t i) {
      const GradeRow row = grade_one(grading, share[i], 1);
      write_part_result(part_, share[i].index, row);
      progress.done(row);
    });
    fmt::print(stderr, "{}\n", usage_line(seconds()));
    return ExitCode::passed;
  }

  void grade_on_cluster(const std::vector<Task>& tasks, Progress& progress) {
    std::vector<std::pair<std::string, std::string>> names;
    for (const Task& task : tasks) {
      names.emplace_back(task.student->student, task.session->lab().id);
    }
    const auto done = [&](const GradeRow& row) {
      progress.done(row);
      book_.rows.push_back(row);
    };
    const auto failed = [&](std::size_t i, const std::string& fault) {
      const Submission submission = pick(*tasks[i].student, tasks[i].session->lab()).submission;
      const Grade grade =
          failed_assessment(*tasks[i].session, submission, secret_, Failure::environment, fault);
      write_results(options_.out, grade, record_, installation_);
      done(row_of(grade));
    };
    grade_parts({.options = &options_,
                 .device = cluster_device(),
                 .tasks = std::move(names),
                 .done = done,
                 .failed = failed,
                 .note = [&](const std::string& text) { progress.note(text); }});
  }

  /// As many as the cluster gave us; without a word from it, one.
  [[nodiscard]] static std::size_t part_jobs() {
    const char* given = std::getenv("SLURM_CPUS_PER_TASK");
    const int count = given != nullptr ? std::atoi(given) : 1;
    return static_cast<std::size_t>(std::clamp(count, 1, 1024));
  }

  [[nodiscard]] double seconds() const {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - started_).count();
  }

  ExitCode finish(std::size_t total) {
    book_.sort();
    if (interruption_) {
      fmt::print(stderr,
                 "stopped: {} of {} submissions are graded and kept in {}; run the same command "
                 "with --resume for the rest\n",
                 book_.rows.size(), total, options_.out.string());
      fmt::print(stderr, "{}\n", usage_line(seconds()));
      write_what_is_there();
      std::rethrow_exception(interruption_);
    }
    ask_for_nothing_gradable();
    const GradeChanges changes = changes_of(earlier_, book_, record_.standings(book_));
    if (options_.dry_run) {
      fmt::print(stderr, "{}\n", usage_line(seconds()));
      fmt::print(
          "{}Nothing was written. Run the same command without --dry-run to apply the changes.\n",
          changes_text(changes, book_.rows.size()));
      fmt::print("{}", unclear_text(intake_.unclear));
      return ExitCode::passed;
    }
    write_class_files(options_.out, book_, installation_);
    fmt::print(stderr, "{}\n", usage_line(seconds()));
    fmt::print("{}\n", gradebook_text(book_));
    if (!changes.rows.empty()) {
      fmt::print("Compared with the previous grades in {}:\n{}\n", options_.out.string(),
                 changes_text(changes, kChangesShown));
    }
    for (const auto& [lab, students] : not_handed_in_) {
      fmt::print(
          "{}: {} student{} submitted nothing and {} not graded; use --lab {} to grade them\n", lab,
          students, students == 1 ? "" : "s", students == 1 ? "is" : "are", lab);
    }
    const auto errors =
        std::count_if(book_.rows.begin(), book_.rows.end(),
                      [](const GradeRow& row) { return row.status == GradeStatus::error; });
    if (errors > 0) {
      fmt::print("{} of {} could not be graded because of an internal error; no points are lost.\n",
                 errors, book_.rows.size());
    }
    fmt::print("{}", unclear_text(intake_.unclear));
    fmt::print("Report: {}\n", (options_.out / "index.html").string());
    return errors > 0 ? ExitCode::internal : ExitCode::passed;
  }

  void write_what_is_there() const {
    if (options_.dry_run) return;
    try {
      write_class_files(options_.out, book_, installation_);
    } catch (const std::runtime_error&) {
      // The disk may be full, which is why we are here; the grades themselves are in place.
    }
  }

  const ClassOptions& options_;
  const Installation& installation_;
  std::chrono::steady_clock::time_point started_ = std::chrono::steady_clock::now();
  Part part_;
  Intake intake_;
  ClassRecord record_;
  std::string secret_;
  std::unique_ptr<EvidenceCache> cache_;
  EarlierGrades earlier_;  // in `out`, by an earlier run
  bool keeps_grades_ = false;  // the cache outlives the run
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
