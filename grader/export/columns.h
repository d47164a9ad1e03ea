#pragma once

#include <map>
#include <string>
#include <vector>

#include "grader/export/export.h"

namespace warpgrade {

/// A class as gradebooks of learning platforms want it: a row per student, a column per lab.
struct LabColumn {
  std::string lab;
  std::string title;  // of the lab
  double max = 0;
};

struct StudentLine {
  RosterEntry entry;  // with the student's name only, when they are not in the roster
  std::map<std::string, Standing> standings;  // by lab; what is not there was not graded
};

struct ClassColumns {
  std::vector<LabColumn> labs;
  std::vector<StudentLine> students;  // the roster's order, then who is not in it
  std::vector<std::string> notes;
};

[[nodiscard]] ClassColumns class_columns(const ExportInput& input);

/// The points that count, or nothing: a missing grade and an internal error are not 0.
[[nodiscard]] std::string score_cell(const StudentLine& line, const std::string& lab);

}  // namespace warpgrade
