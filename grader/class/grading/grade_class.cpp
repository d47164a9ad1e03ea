#include "grader/class/grading/grade_class.h"

#include <fmt/core.h>
#include <malloc.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <exception>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <vector>

#include "grader/class/grading/class_work.h"
#include "grader/class/grading/closing_list.h"
#include "grader/class/grading/cluster.h"
#include "grader/class/grading/evidence_cache.h"
#include "grader/class/grading/part.h"
#include "grader/class/grading/part_run.h"
#include "grader/class/grading/results.h"
#include "grader/class/grading/results_lock.h"
#include "grader/class/grading/task_grader.h"
#include "grader/class/page/progress.h"
#include "grader/class/table/changes.h"
#include "grader/core/files.h"
#include "grader/core/interrupt.h"
#include "grader/core/parallel.h"
#include "grader/core/text.h"
#include "grader/judge/assess/assess.h"
#include "grader/process/usage.h"
#include "harness/core/plural.h"

namespace warpgrade {
namespace fs = std::filesystem;
namespace {

constexpr std::size_t kChangesShown = 20;  // rows of changes since an earlier run

/// Grades a class: on this machine, on a cluster, or one part of it in a process of the cluster.
class ClassRun {
 public:
  ClassRun(const ClassOptions& options, const Installation& installation)
      : options_(options), installation_(installation) {}

  ExitCode run() {
    if (options_.dry_run && !fs::exists(options_.out / "grades.json")) {
      throw UsageError(fmt::format(
          "--dry-run reports what would change in {}, which contains no grades yet; omit it",
          options_.out.string()));
    }
    const bool is_part = !options_.part_folder.empty();
    const bool on_cluster = options_.executor == "slurm";
    std::optional<Part> part;
    if (is_part) part = read_part(options_.part_folder, options_.part);
    require_writable_folder(options_.out);
    std::optional<FileLock> only_us;
    if (!is_part) only_us.emplace(lock_results(options_.out, options_.wait));
    cache_ = open_evidence_cache(options_.cache, keeps_grades_);
    RunOptions run = options_.run;
    if (on_cluster) run.device = DeviceRequest::emulator;
    if (is_part) {
      run.device = part->device;
      run.compiler = part->compiler;  // as the rest of the class, whatever a node has
    }
    work_ = open_class(options_, installation_, run, !is_part);
    kept_.emplace(options_, installation_, work_, keeps_grades_);
    if (is_part) {
      run_part(*part, work_, [this](auto note) { return grader_with(std::move(note)); });
      fmt::print(stderr, "{}\n", usage_line(seconds()));
      return ExitCode::passed;
    }
    return run_class(on_cluster);
  }

 private:
  /// In the process that writes the class's tables.
  ExitCode run_class(bool on_cluster) {
    earlier_ = read_earlier_grades(options_.out);
    if (!options_.dry_run) {
      // Before any grade, so that every grade has a submission time.
      write_submission_log(options_.out, work_.record.log);
    }
    const std::size_t total = work_.tasks.size();
    try {
      const std::vector<Task> open = leave_out_kept(work_.tasks);
      Progress progress(total, book_.rows.size(), ::isatty(STDERR_FILENO) == 1);
      if (on_cluster) {
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

  [[nodiscard]] std::unique_ptr<TaskGrader> grader_with(
      std::function<void(const std::string&)> note) const {
    return std::make_unique<TaskGrader>(options_, installation_, work_, *kept_, *cache_,
                                        std::move(note));
  }

  /// Takes the rows of unchanged grades; returns the remaining tasks, the first of identical
  /// submissions before the others, which then need not run.
  [[nodiscard]] std::vector<Task> leave_out_kept(std::vector<Task> tasks) {
    if (!device_is_here()) {
      return tasks;  // the nodes decide, because only they know the device
    }
    std::vector<std::optional<GradeRow>> kept(tasks.size());
    parallel_for(tasks.size(), options_.jobs, [&](std::size_t i) {
      stop_if_interrupted();
      Task& task = tasks[i];
      const auto [submission, fault] = pick(*task.student, task.session->lab());
      task.key = grade_key(*task.session, submission, work_.secret);
      if (!counts_best(work_, task) && fault.empty()) kept[i] = kept_->row(task, submission);
    });
    std::vector<Task> firsts;
    std::vector<Task> again;
    std::set<std::string> keys;
    for (std::size_t i = 0; i < tasks.size(); ++i) {
      Task& task = tasks[i];
      if (kept[i]) {
        add_rows(*kept[i], task);
        continue;
      }
      (keys.insert(task.key).second ? firsts : again).push_back(std::move(task));
    }
    firsts.insert(firsts.end(), again.begin(), again.end());
    return firsts;
  }

  /// On a cluster, the node that submits jobs may have no GPU.
  [[nodiscard]] bool device_is_here() const {
    return options_.executor != "slurm" || cluster_device() == DeviceRequest::emulator;
  }

  [[nodiscard]] DeviceRequest cluster_device() const {
    if (options_.run.device != DeviceRequest::automatic) {
      return options_.run.device;
    }
    return options_.slurm.gres.find("gpu") == std::string::npos ? DeviceRequest::emulator
                                                                : DeviceRequest::cuda;
  }

  void grade_all(const std::vector<Task>& tasks, Progress& progress) {
    const std::unique_ptr<TaskGrader> grader =
        grader_with([&](const std::string& text) { progress.note(text); });
    // Cases of one submission run in parallel only if there are fewer submissions than processors.
    const std::size_t case_jobs =
        std::max<std::size_t>(1, options_.jobs / std::max<std::size_t>(1, tasks.size()));
    parallel_for(tasks.size(), options_.jobs, [&](std::size_t i) {
      const GradeRow row = grader->grade(tasks[i], case_jobs);
      progress.done(row);
      const std::lock_guard lock(mutex_);
      add_rows(row, tasks[i]);
    });
  }

  void grade_on_cluster(const std::vector<Task>& tasks, Progress& progress) {
    std::vector<std::pair<std::string, std::string>> names;
    for (const Task& task : tasks) {
      names.emplace_back(task.student->student, task.session->lab().id);
    }
    const auto done = [&](const GradeRow& row) {
      progress.done(row);
      const auto task = std::find_if(tasks.begin(), tasks.end(), [&](const Task& t) {
        return t.student->student == row.student && t.session->lab().id == row.lab;
      });
      add_rows(row, task == tasks.end() ? Task{} : *task);
    };
    const auto failed = [&](std::size_t i, const std::string& fault) {
      const Submission submission = pick(*tasks[i].student, tasks[i].session->lab()).submission;
      const Grade grade = failed_assessment(*tasks[i].session, submission, work_.secret,
                                            Failure::environment, fault);
      write_results(options_.out, grade, work_.record, installation_);
      done(row_of(grade));
    };
    grade_parts({.options = &options_,
                 .compiler = request_of(work_.sessions.front()->toolchain().compiler.kind),
                 .device = cluster_device(),
                 .tasks = std::move(names),
                 .done = done,
                 .failed = failed,
                 .note = [&](const std::string& text) { progress.note(text); }});
  }

  void add_rows(const GradeRow& row, const Task& task) {
    for (GradeRow& one : rows_for_group(row, task)) book_.rows.push_back(std::move(one));
  }

  [[nodiscard]] double seconds() const {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - started_).count();
  }

  /// Submissions without anything gradable must not silently become zeros.
  void ask_for_nothing_gradable() {
    for (const GradeRow& row : book_.rows) {
      const std::string shown = one_line(row.student);
      const bool asked =
          std::any_of(work_.intake.unclear.begin(), work_.intake.unclear.end(),
                      [&](const Unclear& u) { return u.what.starts_with(shown + ":"); });
      if (row.failure == Failure::no_submission && !asked) {
        work_.intake.unclear.push_back(
            {.what = fmt::format("{}: nothing gradable for {}: {}", shown, row.lab, row.summary),
             .say = "ask for the file, put it in place, and grade again"});
      }
    }
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
    const Gradebook counted = work_.record.with_hand_grades(book_);
    const GradeChanges changes =
        changes_of(earlier_, counted, work_.record.standings(counted),
                   options_.dry_run ? earlier_rows_in(options_.out) : EarlierRow());
    if (options_.dry_run) {
      fmt::print(stderr, "{}\n", usage_line(seconds()));
      fmt::print(
          "{}Nothing was written. Run the same command without --dry-run to apply the changes.\n",
          changes_text(changes, counted.rows.size()));
      fmt::print("{}{}", closing_list(work_, book_), without_effect());
      return ExitCode::passed;
    }
    if (options_.tables) write_tables();
    fmt::print(stderr, "{}\n", usage_line(seconds()));
    fmt::print("{}\n", gradebook_text(book_));
    if (!changes.rows.empty()) {
      fmt::print("Compared with the previous grades in {}:\n{}\n", options_.out.string(),
                 changes_text(changes, kChangesShown));
    }
    for (const auto& [lab, students] : work_.not_handed_in) {
      fmt::print("{}: {} submitted nothing and {} not graded; use --lab {} to grade them\n", lab,
                 plural(students, "student"), students == 1 ? "is" : "are", lab);
    }
    const auto errors =
        std::count_if(book_.rows.begin(), book_.rows.end(),
                      [](const GradeRow& row) { return row.status == GradeStatus::error; });
    if (errors > 0) {
      fmt::print("{} of {} could not be graded because of an internal error; no points are lost.\n",
                 errors, book_.rows.size());
    }
    fmt::print("{}{}", closing_list(work_, book_), without_effect());
    if (options_.tables) fmt::print("Report: {}\n", (options_.out / "index.html").string());
    return errors > 0 ? ExitCode::internal : ExitCode::passed;
  }

  /// The decisions without effect, with the grades of labs that earlier runs graded.
  [[nodiscard]] std::string without_effect() const {
    if (work_.record.course.decisions.all().empty()) return {};
    return work_.record.without_effect(work_.record.with_hand_grades(with_grades_of_others()));
  }

  [[nodiscard]] Gradebook with_grades_of_others() const {
    std::set<std::string> labs;
    for (const Lab* lab : work_.labs()) labs.insert(lab->id);
    return with_other_labs(options_.out, book_, labs, options_.jobs);
  }

  void write_tables() const {
    write_class_files(options_.out, with_grades_of_others(), installation_);
  }

  void write_what_is_there() const {
    if (options_.dry_run || !options_.tables) return;
    try {
      write_tables();
    } catch (const std::runtime_error&) {
      // The disk may be full; the grades themselves are complete.
    }
  }

  const ClassOptions& options_;
  const Installation& installation_;
  std::chrono::steady_clock::time_point started_ = std::chrono::steady_clock::now();
  std::unique_ptr<EvidenceCache> cache_;
  bool keeps_grades_ = false;  // the cache outlives the run
  ClassWork work_;
  std::optional<KeptGrades> kept_;
  EarlierGrades earlier_;  // in `out`, from an earlier run
  std::mutex mutex_;
  Gradebook book_;
  std::exception_ptr interruption_;
};

/// Keeps memory of arrays that is free, up to this much for all threads: what goes back to the
/// kernel for each case comes back page by page, and is set to zero.
void keep_free_memory() {
  constexpr int kKept = 256 << 20;
  constexpr int kApart = 32 << 20;  // an array of more is got from the kernel and given back
  ::mallopt(M_ARENA_MAX, 1);
  ::mallopt(M_MMAP_THRESHOLD, kApart);
  ::mallopt(M_TRIM_THRESHOLD, kKept);
}

}  // namespace

ExitCode grade_class(const ClassOptions& options) {
  keep_free_memory();
  const Installation installation = find_installation();
  return ClassRun(options, installation).run();
}

}  // namespace warpgrade
