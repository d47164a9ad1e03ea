#include "grader/class/grading/class_work.h"

#include <fmt/core.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <set>
#include <system_error>
#include <utility>

#include "grader/core/error.h"
#include "grader/core/files.h"
#include "grader/core/source_names.h"
#include "grader/core/text.h"
#include "grader/run/session/open_session.h"
#include "grader/submit/submission/other_names.h"
#include "harness/lab/python_form.h"

namespace warpgrade {
namespace fs = std::filesystem;
namespace {

/// The labs of a class: the one that was requested; otherwise those that the course lists, and
/// those that somebody submitted by name. What a file contains makes no lab one of the class: see
/// GuessScope.
class LabSearch {
 public:
  LabSearch(const ClassOptions& options, const Installation& installation)
      : options_(options), installation_(installation) {}

  ClassIntake run() {
    const std::vector<std::string> known = find_labs(installation_.root);
    class_.intake = take_in(options_, known);
    if (!options_.lab.empty()) {
      assigned_ = {options_.lab};
    } else {
      for (const auto& plan : class_.intake.course.labs) assigned_.insert(plan.first);
    }
    for (const std::string& id : options_.lab.empty() ? known : std::vector{options_.lab}) {
      Lab lab = load_lab_by_id(installation_, id);
      // "--lab vecadd/python" takes Python, too, whatever the course says.
      if (!is_in_python(lab)) lab.only_language = class_.intake.course.only_language(lab);
      if (assigned_.contains(id) || is_submitted(lab)) class_.labs.push_back(std::move(lab));
    }
    GuessScope scope{
        .labs = {}, .ids = known, .assigned = assigned_, .one_asked = !options_.lab.empty()};
    for (const Lab& lab : class_.labs) scope.labs.push_back(&lab);
    class_.intake.guess(scope);
    return std::move(class_);
  }

 private:
  [[nodiscard]] bool is_submitted(const Lab& lab) const {
    const std::vector<StudentEntry>& students = class_.intake.students();
    return std::any_of(students.begin(), students.end(),
                       [&](const StudentEntry& s) { return is_submitted_by_name(s, lab); });
  }

  const ClassOptions& options_;
  const Installation& installation_;
  std::set<std::string> assigned_;  // by the course, or the command
  ClassIntake class_;
};

class Opening {
 public:
  Opening(const ClassOptions& options, const Installation& installation, const RunOptions& run)
      : options_(options), installation_(installation), run_(run) {}

  ClassWork open(bool says_notes) {
    if (!options_.secret_file.empty()) {
      work_.secret = read_file(options_.secret_file, 1 << 20);
    }
    ClassIntake taken = take_in_class(options_, installation_);
    work_.intake = std::move(taken.intake);
    labs_ = std::move(taken.labs);
    if (says_notes) {
      for (const std::string& note : work_.intake.notes) {
        fmt::print(stderr, "note: {}\n", one_line(note));
      }
    }
    refuse_names_of_one_folder();
    open_sessions(work_.intake.listing.content);
    // Labs of earlier runs use up late days, too.
    work_.record = {.course = work_.intake.course,
                    .log = with_earlier_runs(options_.out, work_.intake.log(work_.labs()))};
    find_tasks(says_notes);
    return std::move(work_);
  }

 private:
  /// On a file system that ignores case, Ada's and ada's grades would be in one folder.
  void refuse_names_of_one_folder() const {
    std::error_code error;
    if (!fs::exists(options_.out / ".WARPGRADE", error)) return;
    std::map<std::string, std::string> names;
    for (const StudentEntry& student : work_.intake.students()) {
      const auto [it, fresh] = names.emplace(lower(student.student), student.student);
      if (!fresh) {
        throw UsageError(fmt::format(
            "{} does not distinguish {} from {}; choose an --out on a case-sensitive file system",
            options_.out.string(), it->second, student.student));
      }
    }
  }

  void find_tasks(bool says_notes) {
    for (const StudentEntry& student : work_.intake.students()) {
      const std::size_t before = work_.tasks.size();
      for (const auto& session : work_.sessions) {
        const Lab& lab = session->lab();
        const StudentEntry& submitter = work_.intake.submitter(student, lab);
        if (&submitter != &student) {
          if (says_notes && has_submission(student, lab)) {
            fmt::print(stderr, "note: {} {}: the group's submission by {} counts\n",
                       one_line(student.student), lab.id, one_line(submitter.student));
          }
          continue;  // gets the group's grade
        }
        if (!is_due(student, lab)) {
          const bool is_excused =
              work_.record.course.decisions.current(DecisionKind::excuse, student.student, lab.id);
          if (!is_excused) ++work_.not_handed_in[lab.id];
          continue;
        }
        Task task;
        task.session = session.get();
        task.attempts = work_.intake.attempts(student, lab);
        task.student = task.attempts.back();
        task.members = work_.intake.other_members(student, lab);
        if (says_notes && task.student != &student && has_submission(student, lab)) {
          fmt::print(stderr, "note: {} {}: attempt {} counts, the last of {} allowed\n",
                     one_line(student.student), lab.id, task.student->attempt,
                     work_.intake.course.attempts_that_count(lab.id));
        }
        work_.tasks.push_back(std::move(task));
      }
      if (work_.tasks.size() == before) say_why_no_grade(student);
    }
  }

  /// Whether a missing file is a grade of 0: for the lab that was requested, and, for a student who
  /// submitted nothing at all, for the class's labs whose due date is not to come. Files that
  /// belong to no lab are not nothing: they are listed, and somebody decides.
  [[nodiscard]] bool is_due(const StudentEntry& student, const Lab& lab) const {
    if (!options_.lab.empty() || has_submission(student, lab)) return true;
    // What could not be read may be for any lab of the class.
    if (!student.fault.empty()) return true;
    const auto is_for = [&](const auto& session) {
      return has_submission(student, session->lab());
    };
    const auto is_any_program = [](const auto& entry) { return is_program(entry.first); };
    const auto& files = student.tree.entries();
    // What was rejected as a whole may be for any lab that is due.
    const bool has_work = student.problem.empty() &&
                          (std::any_of(work_.sessions.begin(), work_.sessions.end(), is_for) ||
                           std::any_of(files.begin(), files.end(), is_any_program));
    const std::optional<Instant> due = work_.intake.course.due(lab.id, student.student);
    return !has_work && (!due || *due < now_utc());
  }

  /// A student whose work cannot be graded, and who has no grade that says so.
  void say_why_no_grade(const StudentEntry& student) {
    std::string why = student.problem;
    std::size_t programs = 0;
    std::size_t built = 0;
    for (const auto& [path, file] : student.tree.entries()) {
      programs += is_program(path) ? 1 : 0;
      built += is_program(path) && is_in_build_folder(path) ? 1 : 0;
    }
    if (why.empty() && programs > 0 && built == programs) {
      why = "no program was submitted but those in build folders";
    }
    if (why.empty()) return;  // it is for no lab that is graded
    work_.intake.unclear.push_back(
        {.what = fmt::format("{}: {}", one_line(student.student), one_line(why)),
         .say = "ask for the work again before the labs are due: it has no grade yet"});
  }

  void open_sessions(const ClassListing& listing) {
    if (!run_.compiler) run_.compiler = work_.intake.course.compiler;
    for (Lab& lab : labs_) {
      const bool handed_in =
          !options_.lab.empty() ||
          std::any_of(listing.students.begin(), listing.students.end(),
                      [&](const StudentEntry& s) { return has_submission(s, lab); });
      if (handed_in) {
        work_.sessions.push_back(open_session(installation_, std::move(lab), run_));
      }
    }
    if (work_.sessions.empty()) {
      throw UsageError(
          fmt::format("nobody in {} submitted a file for any of the labs ({}); expected "
                      "<student>/<lab>.cu",
                      options_.submissions.string(), join_and(find_labs(installation_.root))));
    }
  }

  const ClassOptions& options_;
  const Installation& installation_;
  RunOptions run_;
  std::vector<Lab> labs_;  // of the class
  ClassWork work_;
};

}  // namespace

std::vector<const Lab*> ClassWork::labs() const {
  std::vector<const Lab*> all;
  for (const auto& session : sessions) all.push_back(&session->lab());
  return all;
}

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

ClassIntake take_in_class(const ClassOptions& options, const Installation& installation) {
  return LabSearch(options, installation).run();
}

ClassWork open_class(const ClassOptions& options, const Installation& installation,
                     const RunOptions& run, bool says_notes) {
  return Opening(options, installation, run).open(says_notes);
}

}  // namespace warpgrade
