#pragma once

#include <chrono>
#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "grader/build/toolchain/compiler.h"
#include "grader/core/instant.h"
#include "grader/submit/course/groups.h"
#include "grader/submit/course/roster.h"
#include "grader/submit/decisions/decisions.h"
#include "harness/core/names.h"
#include "harness/lab/lab.h"

namespace warpgrade {

/// The penalty for late submissions. Every started day after the due date costs `per_day` percent
/// of the score, at most `cap` percent; within `grace` of the due date nothing is lost.
struct LatePolicy {
  std::chrono::minutes grace{0};
  double per_day = 0;  // percent
  double cap = 100;  // percent
  bool file_times = true;  // use a file's modification time if there is no better source
  int free_days = 0;  // late days per term without a penalty, used up in the order of due dates
  std::optional<std::chrono::minutes> zone;  // of times that a platform records without one
};

/// Percentages reached and the percentages that they count as, ascending, with straight lines in
/// between; empty: as they are.
using Curve = std::vector<std::pair<double, double>>;
[[nodiscard]] double on_curve(const Curve& curve, double percent);

/// An item that a person grades, in addition to those of lab.toml.
struct HandItem {
  std::string id;
  std::string title;
  double points = 0;
};

/// One lab in this course.
struct LabPlan {
  std::optional<Instant> opens;
  std::optional<Instant> due;
  double weight = 1;
  std::string canvas;  // the assignment's column in Canvas: "Lab 1 (1234)"; empty: its title
  std::string moodle;  // the grade item's in Moodle
  std::optional<double> pass;  // percent of the lab's points; none: the course's mark
  std::vector<HandItem> by_hand;
  Curve curve;
  bool bonus = false;  // adds to the course's total, and costs nothing if it is missing
  int attempt_limit = 0;  // later ones do not count; 0: the course's
  std::set<Language> languages;  // of submissions; empty: the course's
};

enum class Attempts : std::uint8_t { last, best };

/// What a person of the staff may do in `warpgrade serve`: assistants see the work of all students
/// and decide about grades; instructors also export, release and give links for signing in.
enum class StaffRole : std::uint8_t { assistant, instructor };
constexpr auto names_of(StaffRole) {
  return names_up_to<StaffRole::instructor>("assistant", "instructor");
}

/// When students may see the results of hidden cases.
struct Release {
  bool at_due = false;  // at each student's own due date
  std::optional<Instant> at;  // if neither is set: never
};

/// course.toml: the rules of one course. Without a file: no due dates, no roster, no release.
struct Course {
  std::filesystem::path file;  // empty without one
  std::string title;
  Roster roster;
  std::filesystem::path roster_file;  // empty without one
  std::map<std::string, StaffRole> staff;  // by the names that sign decisions
  std::map<std::string, std::string>
      staff_accounts;  // by the same names: at a provider of accounts
  std::filesystem::path submitted_file;  // times of submission, from a learning platform
  Attempts attempts = Attempts::last;
  std::optional<CompilerRequest> compiler;  // of submissions
  std::set<Language> languages;  // of submissions; empty: all that a lab supports
  LatePolicy late;
  Release release;
  std::optional<double> pass;  // pass mark in percent of a lab's points; none: not set
  std::map<std::string, LabPlan> labs;  // by id
  int attempt_limit = 0;  // of each lab; 0: none
  int drop_lowest = 0;  // labs with the lowest percentages that do not count in the total
  Curve curve;  // of the total
  std::filesystem::path groups_file;  // empty without one
  Groups groups;
  std::filesystem::path decisions_folder;  // may not exist
  Decisions decisions;

  [[nodiscard]] LabPlan plan(const std::string& lab) const;
  /// The pass mark of a lab, in percent of its points after penalties: the course's for this lab,
  /// for all labs, or the lab's own; nothing if there is none.
  /// @param own  from lab.toml
  [[nodiscard]] std::optional<double> pass_mark(const std::string& lab,
                                                std::optional<double> own) const;
  /// The only language in which this lab is taken: the one that the course names for it, or, if the
  /// lab has a form in it, for all labs; nothing: each that the lab has a form in.
  /// @throws LabError  the course takes this lab in Python only, and it has no form in Python
  [[nodiscard]] std::optional<Language> only_language(const Lab& lab) const;
  /// How many attempts at a lab count; 0: all.
  [[nodiscard]] int attempts_that_count(const std::string& lab) const;
  /// A lab's due date for one student, with extensions; nothing if it has none.
  [[nodiscard]] std::optional<Instant> due(const std::string& lab,
                                           const std::string& student) const;
  /// Whether students may see hidden cases of this lab at this moment.
  [[nodiscard]] bool released(const std::string& lab, const std::string& student,
                              Instant now) const;
  /// Whether students may see right answers to questions of this lab: after their own due date.
  [[nodiscard]] bool answers_released(const std::string& lab, const std::string& student,
                                      Instant now) const;
  /// "their results are shown from 2026-12-01T00:00:00Z", or that no date is set.
  [[nodiscard]] std::string release_text(const std::string& lab, const std::string& student) const;
};

/// Reads and checks a course file and the roster that it names.
/// @param known_labs  ids that may be planned; empty: any
/// @throws LabError   "course.toml:12: what; what to do"
[[nodiscard]] Course load_course(const std::filesystem::path& file,
                                 const std::vector<std::string>& known_labs);

}  // namespace warpgrade
