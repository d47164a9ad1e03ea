#include <fmt/core.h>

#include "grader/core/csv.h"
#include "grader/core/text.h"
#include "grader/export/columns.h"

namespace warpgrade {

/// Moodle's grade import from CSV: a header, columns to find a student by (the person who imports
/// says which), and one a grade item. No feedback column: importing feedback without its grade
/// makes Moodle lose grades that are there.
///
/// @source MoodleDocs, "Grade import"
Exported export_moodle(const ExportInput& input) {
  const ClassColumns columns = class_columns(input);
  std::vector<std::string> header = {"Full name", "ID number", "Username", "Email address"};
  for (const LabColumn& column : columns.labs) {
    const std::string title = input.record.course.plan(column.lab).moodle;
    header.push_back(csv_field(title.empty() ? column.title : title));
  }
  std::string csv = csv_line(header);
  std::size_t without_ids = 0;
  for (const StudentLine& line : columns.students) {
    const RosterEntry& e = line.entry;
    std::vector<std::string> fields = {csv_field(e.shown_name()), csv_field(e.moodle_id),
                                       csv_field(e.moodle_username), csv_field(e.email)};
    without_ids += e.moodle_id.empty() && e.moodle_username.empty() && e.email.empty() ? 1 : 0;
    for (const LabColumn& column : columns.labs) {
      fields.push_back(score_cell(line, column.lab));
    }
    csv += csv_line(fields);
  }
  Exported exported{.files = {{"", csv}}, .notes = columns.notes};
  if (without_ids > 0) {
    exported.notes.push_back(fmt::format(
        "{} student{} no moodle_id, moodle_username or email in the roster: Moodle cannot find "
        "them",
        without_ids, without_ids == 1 ? " has" : "s have"));
  }
  return exported;
}

}  // namespace warpgrade
