#pragma once

#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "grader/submit/course/roster.h"

namespace warpgrade {

/// Students who submit together: one grade for all of them.
struct Group {
  std::string name;
  std::string lab;  // empty: every lab without a group of its own
  std::vector<std::string> students;  // the roster's names
};

class Groups {
 public:
  Groups() = default;
  explicit Groups(std::vector<Group> all) : all_(std::move(all)) {}

  /// The group of a student for a lab; null if the student works alone.
  [[nodiscard]] const Group* of(std::string_view student, std::string_view lab) const;
  /// The group whose name a folder or an upload has, possibly followed by more: "Team 3-Jane Doe".
  [[nodiscard]] const Group* named(std::string_view folder) const;
  /// The students of all groups that a student is in, for any lab.
  [[nodiscard]] std::set<std::string> with(std::string_view student) const;
  [[nodiscard]] const std::vector<Group>& all() const { return all_; }

 private:
  std::vector<Group> all_;
};

/// Reads the file that course.toml names as `groups`: CSV with columns group, student and, where
/// groups differ between labs, lab.
/// @throws LabError  "groups.csv:3: what; what to do"
[[nodiscard]] Groups parse_groups(std::string_view text, const std::string& shown,
                                  const Roster& roster);

}  // namespace warpgrade
