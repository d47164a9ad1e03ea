#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "grader/export/export.h"

namespace warpgrade {

/// How a learning platform takes a gradebook as CSV: columns that say who, then one per lab.
struct GradebookFormat {
  struct Column {
    std::string header;
    std::string (*field)(const RosterEntry& entry);
  };
  std::vector<Column> person;
  std::string LabPlan::*lab_header;  // empty: the lab's title
  bool points_possible = false;  // a row of them below the header
  std::vector<std::string RosterEntry::*> ids;  // of which the platform needs one
  std::string_view without_ids;  // the end of a note, after "has" or "have"
};

/// One row per student: the roster's order, then who is not in it. The cell of a lab has the points
/// that count, or nothing: no grade, and an internal error, are not 0.
[[nodiscard]] Exported export_gradebook(const ExportInput& input, const GradebookFormat& format);

}  // namespace warpgrade
