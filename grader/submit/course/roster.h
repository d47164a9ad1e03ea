#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace warpgrade {

/// One line of the roster. Only `student` is always there.
struct RosterEntry {
  std::string student;  // identifies grades: the folder's name
  std::vector<std::string> aliases;  // other names for submitted work
  std::string name;
  std::string canvas_id;
  std::string sis_id;
  std::string sis_login;
  std::string section;
  std::string moodle_id;  // Moodle's "ID number"
  std::string moodle_username;
  std::string email;
  double extra_days = 0;  // after every due date
  double time_factor = 1;  // of the time from a lab's opening to its due date

  [[nodiscard]] const std::string& shown_name() const { return name.empty() ? student : name; }
};

struct Roster {
  std::vector<RosterEntry> entries;  // in the file's order

  /// By student, alias, or any id, in another case if only one is so; null if there is none.
  [[nodiscard]] const RosterEntry* find(std::string_view key) const;
  /// Entries with this full name, in either order: "Doe, Jane" equals "Jane Doe", names that differ
  /// in case, spaces, underscores or the composition of letters, and Canvas's "doejane".
  [[nodiscard]] std::vector<const RosterEntry*> find_names(std::string_view name) const;
  /// The students of whom a part of a folder's name, between '_', '-', commas, brackets or spaces,
  /// is an id or a login, or several parts in a row are the name: "Doe_Jane_jdoe_12345" or
  /// "Doe, Jane(jdoe)", as learning platforms write it. Ids of fewer than three letters do not
  /// count, nor do those in a longer match.
  [[nodiscard]] std::vector<const RosterEntry*> find_parts(std::string_view folder) const;

 private:
  [[nodiscard]] std::vector<const RosterEntry*> find_parts(std::string_view folder,
                                                           bool any_case) const;
};

/// The columns that identify a student, one value each: "student", "email", "sis_login", ...
[[nodiscard]] std::vector<std::string> id_columns();
/// @param column  one of id_columns()
[[nodiscard]] const std::string& id_in(const RosterEntry& entry, std::string_view column);

/// Reads a roster: CSV with a header of known columns, in any order (docs/course.md).
///
/// @param shown  what messages call the file
/// @throws LabError  "roster.csv:12: what; what to do"
[[nodiscard]] Roster parse_roster(std::string_view text, const std::string& shown);

/// @throws LabError  if the file cannot be read, too
[[nodiscard]] Roster read_roster(const std::filesystem::path& file, const std::string& shown);

}  // namespace warpgrade
