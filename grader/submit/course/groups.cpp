#include "grader/submit/course/groups.h"

#include <fmt/core.h>

#include <algorithm>

#include "grader/core/text.h"
#include "grader/submit/course/table_file.h"

namespace warpgrade {

const Group* Groups::of(std::string_view student, std::string_view lab) const {
  const Group* general = nullptr;
  for (const Group& group : all_) {
    const auto& students = group.students;
    if (std::find(students.begin(), students.end(), student) == students.end()) continue;
    if (group.lab == lab) return &group;
    if (group.lab.empty()) general = &group;
  }
  return general;
}

std::set<std::string> Groups::with(std::string_view student) const {
  std::set<std::string> found;
  for (const Group& group : all_) {
    const auto& students = group.students;
    if (std::find(students.begin(), students.end(), student) == students.end()) continue;
    found.insert(students.begin(), students.end());
  }
  return found;
}

const Group* Groups::named(std::string_view folder) const {
  const std::string name = lower(folder);
  const Group* longest = nullptr;
  for (const Group& group : all_) {
    const std::string own = lower(group.name);
    const bool begins = name.starts_with(own) &&
                        (name.size() == own.size() ||
                         std::string_view("-_ ").find(name[own.size()]) != std::string_view::npos);
    const bool fits = begins || name == replace_all(own, " ", "");  // as Canvas writes it
    if (fits && (longest == nullptr || own.size() > longest->name.size())) longest = &group;
  }
  return longest;
}

Groups parse_groups(std::string_view text, const std::string& shown, const Roster& roster) {
  const TableFile table(text, shown, {"group", "student", "lab"}, 2);
  std::vector<Group> all;
  for (const TableFile::Row& row : table.rows()) {
    const std::string& name = row.at("group");
    const std::string& student = row.at("student");
    const std::string& lab = row.at("lab");
    if (name.empty() || student.empty()) {
      table.fail(row.line, "a line needs a group and a student; add them or delete the line");
    }
    const RosterEntry* entry = roster.find(student);
    if (entry == nullptr && !roster.entries.empty()) {
      table.fail(row.line, fmt::format("there is no student '{}' in the roster; correct the name",
                                       printable(student)));
    }
    const std::string known = entry == nullptr ? student : entry->student;
    for (const Group& other : all) {
      const auto& students = other.students;
      if (other.lab == lab &&
          std::find(students.begin(), students.end(), known) != students.end()) {
        table.fail(row.line,
                   fmt::format("{} is also in group {}; a student is in one group per lab",
                               printable(known), printable(other.name)));
      }
    }
    const auto same = std::find_if(all.begin(), all.end(), [&](const Group& group) {
      return group.name == name && group.lab == lab;
    });
    if (same == all.end()) {
      all.push_back({.name = name, .lab = lab, .students = {known}});
    } else {
      same->students.push_back(known);
    }
  }
  return Groups(std::move(all));
}

}  // namespace warpgrade
