#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "grader/class/export/export.h"

namespace warpgrade {

/// A learning platform's CSV gradebook: columns that identify the student, then one per lab.
struct GradebookFormat {
  struct Column {
    std::string header;
    std::string (*field)(const RosterEntry& entry);
  };
  std::vector<Column> person;
  std::string LabPlan::*lab_header;  // empty: the lab's title
  bool points_possible = false;  // a row of them below the header
  std::string_view excused = "";  // the cell of an excused lab
  std::vector<std::string RosterEntry::*> ids;  // the platform needs at least one
  std::string_view without_ids;  // the end of a note, after "has" or "have"
};

/// One row per student: in the roster's order, then students not in it. A lab's cell has the points
/// that count, or is empty: a missing grade or an internal error is not 0.
[[nodiscard]] Exported export_gradebook(const ExportInput& input, const GradebookFormat& format);

}  // namespace warpgrade
