#pragma once

#include <string>

#include "harness/lab/lab.h"

namespace warpgrade {

/// What a student's numbers depend on.
struct DrawKey {
  std::string course = {};  // public id of the course
  std::string student = {};

  /// Without both, everybody gets the first of the values.
  [[nodiscard]] bool is_personal() const { return !course.empty() && !student.empty(); }
  bool operator==(const DrawKey&) const = default;
};

/// The numbers of one question. The same name with the same number of values has the same place in
/// every question of a lab, so that questions can build on each other.
[[nodiscard]] Draw draw_numbers(const Lab& lab, const LabQuestion& question, const DrawKey& key);

/// Whether a question of the lab has numbers that differ between students.
[[nodiscard]] bool has_drawn_numbers(const Lab& lab);

}  // namespace warpgrade
