#include "grader/submit/submission/attempt_folders.h"

#include <fmt/core.h>

#include <charconv>
#include <system_error>

#include "grader/core/csv.h"
#include "grader/core/error.h"
#include "grader/core/files.h"
#include "grader/core/text.h"
#include "grader/submit/course/student_name.h"
#include "grader/submit/course/table_file.h"
#include "grader/submit/submission/uploads.h"
#include "harness/core/lab_error.h"

namespace warpgrade {
namespace fs = std::filesystem;
namespace {

/// Unlike csv_field(), which is for spreadsheets, exactly the text.
std::string quoted(const std::string& text) {
  return '"' + replace_all(text, "\"", "\"\"") + '"';
}

int attempt_in(const TableFile& table, const TableFile::Row& row) {
  const std::string& word = row.at("attempt");
  int attempt = 0;
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), attempt);
  if (error != std::errc() || end != word.data() + word.size() || attempt < 1) {
    table.fail(row.line,
               fmt::format("column 'attempt' is '{}'; it must be 1 or more", printable(word)));
  }
  return attempt;
}

/// One attempt, from its line and its folder.
StudentEntry entry_of(const fs::path& folder, const TableFile& table, const TableFile::Row& row) {
  StudentEntry entry;
  entry.student = row.at("student");
  entry.attempt = attempt_in(table, row);
  if (const std::string why = student_name_problem(entry.student); !why.empty()) {
    table.fail(row.line,
               fmt::format("the student '{}' {}; correct it", printable(entry.student), why));
  }
  std::string problem;
  entry.platform_time = parse_instant(row.at("submitted"), problem);
  if (!entry.platform_time) {
    table.fail(row.line, fmt::format("column 'submitted': {}", printable(problem)));
  }
  entry.came_as = fmt::format("{}/{}", entry.student, entry.attempt);
  std::error_code error;
  if (!fs::is_directory(folder / entry.came_as, error)) {
    table.fail(row.line, fmt::format("there is no folder {}; write the submissions again",
                                     printable(entry.came_as)));
  }
  add_tree(tree_of_work(folder / entry.came_as), entry);
  return entry;
}

}  // namespace

void write_attempts(const fs::path& folder, const std::vector<AttemptFiles>& attempts) {
  std::string table = csv_line({"student", "attempt", "submitted"});
  for (const AttemptFiles& one : attempts) {
    const std::string number = std::to_string(one.attempt);
    for (const auto& [name, content] : one.files) {
      write_file_atomically(folder / one.student / number / name, content);
    }
    table += csv_line({quoted(one.student), number, instant_text(one.submitted)});
  }
  write_file_atomically(folder / kAttemptsTable, table);
}

ClassListing list_attempts(const ListRequest& request) try {
  const TableFile table(read_course_file(request.folder / kAttemptsTable, kAttemptsTable),
                        kAttemptsTable, {"student", "attempt", "submitted"}, 3);
  std::map<std::string, std::map<int, StudentEntry>> students;
  for (const TableFile::Row& row : table.rows()) {
    StudentEntry entry = entry_of(request.folder, table, row);
    const int attempt = entry.attempt;
    if (!students[entry.student].emplace(attempt, std::move(entry)).second) {
      table.fail(row.line, "this attempt has a line already; remove one");
    }
  }
  ClassListing listing;
  for (auto& [student, attempts] : students) {
    StudentEntry last = std::move(attempts.rbegin()->second);
    attempts.erase(std::prev(attempts.end()));
    for (auto& [number, entry] : attempts) last.earlier.push_back(std::move(entry));
    listing.students.push_back(std::move(last));
  }
  return listing;
} catch (const LabError& e) {
  throw UsageError(e.what());
}

}  // namespace warpgrade
