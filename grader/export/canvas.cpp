#include <fmt/core.h>

#include "grader/core/csv.h"
#include "grader/core/text.h"
#include "grader/export/columns.h"

namespace warpgrade {

/// Canvas's gradebook import: five columns that say who, one an assignment, and below the header a
/// row with the points that are possible. Canvas finds a student by ID, SIS User ID or SIS Login
/// ID, in this order, and an assignment by its title, or the number in brackets after it.
///
/// @source Instructure, "How do I import grades in the Gradebook?" and "How do I export grades in
/// the Gradebook?" (community.canvaslms.com)
Exported export_canvas(const ExportInput& input) {
  const ClassColumns columns = class_columns(input);
  std::vector<std::string> header = {"Student", "ID", "SIS User ID", "SIS Login ID", "Section"};
  // Canvas writes the four spaces, and knows the row by them.
  std::vector<std::string> possible = {"    Points Possible", "", "", "", ""};
  for (const LabColumn& column : columns.labs) {
    const std::string title = input.record.course.plan(column.lab).canvas;
    header.push_back(csv_field(title.empty() ? column.title : title));
    possible.push_back(human_points(column.max));
  }
  std::string csv = csv_line(header) + csv_line(possible);
  std::size_t without_ids = 0;
  for (const StudentLine& line : columns.students) {
    const RosterEntry& e = line.entry;
    std::vector<std::string> fields = {csv_field(e.shown_name()), csv_field(e.canvas_id),
                                       csv_field(e.sis_id), csv_field(e.sis_login),
                                       csv_field(e.section)};
    without_ids += e.canvas_id.empty() && e.sis_id.empty() && e.sis_login.empty() ? 1 : 0;
    for (const LabColumn& column : columns.labs) {
      fields.push_back(score_cell(line, column.lab));
    }
    csv += csv_line(fields);
  }
  Exported exported{.files = {{"", csv}}, .notes = columns.notes};
  if (without_ids > 0) {
    exported.notes.push_back(fmt::format(
        "{} student{} no canvas_id, sis_id or sis_login in the roster: Canvas may not find them",
        without_ids, without_ids == 1 ? " has" : "s have"));
  }
  return exported;
}

}  // namespace warpgrade
