#include "grader/class/export/columns.h"

#include <fmt/core.h>

#include <algorithm>
#include <map>
#include <set>

#include "grader/core/csv.h"
#include "grader/core/text.h"
#include "harness/core/plural.h"

namespace warpgrade {
namespace {

/// A class as a table: a row per student, a column per lab.
struct LabColumn {
  std::string lab;
  std::string title;  // of the lab
  double max = 0;
};

struct StudentLine {
  RosterEntry entry;  // with the student's name only, when they are not in the roster
  std::map<std::string, Standing> standings;  // by lab; a missing lab was not graded
  std::set<std::string> excused;  // labs
};

struct ClassColumns {
  std::vector<LabColumn> labs;
  std::vector<StudentLine> students;
  std::vector<std::string> notes;
};

std::string some_of(const std::vector<std::string>& names) {
  constexpr std::size_t kShown = 5;
  std::vector<std::string> shown(names.begin(),
                                 names.begin() + static_cast<long>(std::min(names.size(), kShown)));
  if (names.size() > kShown) {
    shown.push_back(fmt::format("{} more", names.size() - kShown));
  }
  return printable(join_and(shown));
}

ClassColumns class_columns(const ExportInput& input) {
  ClassColumns columns;
  std::map<std::string, std::size_t> line_of;
  const auto add_line = [&](const RosterEntry& entry) {
    line_of.emplace(entry.student, columns.students.size());
    columns.students.push_back({.entry = entry, .standings = {}, .excused = {}});
  };
  for (const RosterEntry& entry : input.record.course.roster.entries) {
    add_line(entry);
  }
  std::map<std::string, LabColumn> labs;
  std::vector<std::string> unknown;
  for (const GradeRow& row : input.book.rows) {
    if (!line_of.contains(row.student)) {
      RosterEntry entry;
      entry.student = row.student;
      add_line(entry);
      unknown.push_back(row.student);
    }
    LabColumn& column = labs[row.lab];
    if (column.lab.empty()) {
      column = {.lab = row.lab,
                .title = row.lab_title.empty() ? row.lab : row.lab_title,
                .max = input.record.standing(row).max};
    }
    const Standing standing = input.record.standing(row);
    if (!standing.counts()) {
      columns.notes.push_back(withheld_note(row, standing));
    }
    columns.students[line_of.at(row.student)].standings[row.lab] = standing;
  }
  for (StudentLine& line : columns.students) {
    for (const auto& [id, column] : labs) {
      if (input.record.course.decisions.current(DecisionKind::excuse, line.entry.student, id)) {
        line.excused.insert(id);
      }
    }
  }
  for (auto& [id, column] : labs) {
    columns.labs.push_back(std::move(column));
    std::vector<std::string> without;
    for (const StudentLine& line : columns.students) {
      const bool is_excused = line.excused.contains(id);
      if (!is_excused && !line.standings.contains(id)) without.push_back(line.entry.student);
    }
    if (!without.empty()) {
      columns.notes.push_back(
          fmt::format("{}: no grade, hence an empty cell, for {}", id, some_of(without)));
    }
  }
  if (!unknown.empty() && !input.record.course.roster.entries.empty()) {
    columns.notes.push_back(
        fmt::format("not in the roster, hence without ids: {}", some_of(unknown)));
  }
  return columns;
}

/// The points that count, or nothing.
std::string score_cell(const StudentLine& line, const std::string& lab, std::string_view excused) {
  if (line.excused.contains(lab)) return std::string(excused);
  const auto it = line.standings.find(lab);
  return it == line.standings.end() || !it->second.counts() ? ""
                                                            : human_points(it->second.adjusted);
}

}  // namespace

Exported export_gradebook(const ExportInput& input, const GradebookFormat& format) {
  const ClassColumns columns = class_columns(input);
  std::vector<std::string> header;
  for (const GradebookFormat::Column& column : format.person) header.push_back(column.header);
  // Canvas recognizes the row by the four spaces.
  std::vector<std::string> possible(header.size());
  possible.front() = "    Points Possible";
  for (const LabColumn& column : columns.labs) {
    const std::string title = input.record.course.plan(column.lab).*format.lab_header;
    header.push_back(csv_field(title.empty() ? column.title : title));
    possible.push_back(human_points(column.max));
  }
  std::string csv = csv_line(header);
  if (format.points_possible) csv += csv_line(possible);
  std::size_t without_ids = 0;
  for (const StudentLine& line : columns.students) {
    std::vector<std::string> fields;
    for (const GradebookFormat::Column& column : format.person) {
      fields.push_back(csv_field(column.field(line.entry)));
    }
    for (const LabColumn& column : columns.labs)
      fields.push_back(score_cell(line, column.lab, format.excused));
    csv += csv_line(fields);
    without_ids += std::all_of(format.ids.begin(), format.ids.end(),
                               [&](const auto id) { return (line.entry.*id).empty(); })
                       ? 1
                       : 0;
  }
  Exported exported{.files = {{"", csv}}, .notes = columns.notes};
  if (without_ids > 0) {
    exported.notes.push_back(fmt::format("{} {} {}", plural(without_ids, "student"),
                                         without_ids == 1 ? "has" : "have", format.without_ids));
  }
  return exported;
}

}  // namespace warpgrade
