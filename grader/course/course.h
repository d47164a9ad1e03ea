#pragma once

#include <chrono>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "grader/core/instant.h"
#include "grader/course/roster.h"

namespace warpgrade {

/// What a late submission loses. Every started day beyond the due date costs `per_day` percent of
/// the score, at most `cap` percent; up to `grace` late costs nothing.
struct LatePolicy {
  std::chrono::minutes grace{0};
  double per_day = 0;  // percent
  double cap = 100;  // percent
  bool file_times =
      true;  // a file's own time tells when it was submitted, where nothing better does
};

/// One lab in this course.
struct LabPlan {
  std::optional<Instant> opens;
  std::optional<Instant> due;
  double weight = 1;
  std::string canvas;  // the assignment's column in Canvas: "Lab 1 (1234)"; empty: its title
  std::string moodle;  // the grade item's in Moodle
  std::optional<double> pass;  // percent of the lab's points; none: the course's
};

enum class Attempts : std::uint8_t { last, best };

/// When students may see what hidden cases say.
struct Release {
  bool at_due = false;  // with the lab's due date, each student's own
  std::optional<Instant> at;  // neither: never
};

/// course.toml: the rules of one course. Without a file: no due dates, no roster, no release.
struct Course {
  std::filesystem::path file;  // empty without one
  std::string title;
  Roster roster;
  std::filesystem::path roster_file;  // empty without one
  std::filesystem::path submitted_file;  // times of submission, from a learning platform
  Attempts attempts = Attempts::last;
  LatePolicy late;
  Release release;
  std::optional<double> pass;  // percent of a lab's points that pass it; none: nobody said
  std::map<std::string, LabPlan> labs;  // by id

  [[nodiscard]] LabPlan plan(const std::string& lab) const;
  /// The percentage of a lab's points, after penalties, that passes it; nothing if there is none.
  [[nodiscard]] std::optional<double> pass_mark(const std::string& lab) const;
  /// A lab's due date for one student, with extensions; nothing if it has none.
  [[nodiscard]] std::optional<Instant> due(const std::string& lab,
                                           const std::string& student) const;
  /// Whether students may see hidden cases of this lab at this moment.
  [[nodiscard]] bool released(const std::string& lab, const std::string& student,
                              Instant now) const;
  /// "their results are shown from 2026-12-01T00:00:00Z", or that no date is set.
  [[nodiscard]] std::string release_text(const std::string& lab, const std::string& student) const;
};

/// Reads a course file and the roster that it names, and checks all of it.
/// @param known_labs  ids that may be planned; empty: any
/// @throws LabError   "course.toml:12: what; what to do"
[[nodiscard]] Course load_course(const std::filesystem::path& file,
                                 const std::vector<std::string>& known_labs);

}  // namespace warpgrade
