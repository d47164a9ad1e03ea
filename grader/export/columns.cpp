#include "grader/export/columns.h"

#include <fmt/core.h>

#include <algorithm>

#include "grader/core/text.h"

namespace warpgrade {
namespace {

std::string some_of(const std::vector<std::string>& names) {
  constexpr std::size_t kShown = 5;
  std::vector<std::string> shown(names.begin(),
                                 names.begin() + static_cast<long>(std::min(names.size(), kShown)));
  if (names.size() > kShown) {
    shown.push_back(fmt::format("{} more", names.size() - kShown));
  }
  return printable(join_and(shown));
}

}  // namespace

ClassColumns class_columns(const ExportInput& input) {
  ClassColumns columns;
  std::map<std::string, std::size_t> line_of;
  const auto add_line = [&](const RosterEntry& entry) {
    line_of.emplace(entry.student, columns.students.size());
    columns.students.push_back({.entry = entry, .standings = {}});
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
      column = {.lab = row.lab, .title = input.grade(row).lab_title, .max = row.max_score};
    }
    const Standing standing = input.record.standing(row);
    if (!standing.counts()) {
      columns.notes.push_back(withheld_note(row, standing));
    }
    columns.students[line_of.at(row.student)].standings[row.lab] = standing;
  }
  for (auto& [id, column] : labs) {
    columns.labs.push_back(std::move(column));
    std::vector<std::string> without;
    for (const StudentLine& line : columns.students) {
      if (!line.standings.contains(id)) without.push_back(line.entry.student);
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

std::string score_cell(const StudentLine& line, const std::string& lab) {
  const auto it = line.standings.find(lab);
  return it == line.standings.end() || !it->second.counts() ? ""
                                                            : human_points(it->second.adjusted);
}

}  // namespace warpgrade
