#include "grader/submit/course/aliases.h"

#include <fmt/core.h>

#include <random>
#include <system_error>

#include "grader/core/csv.h"
#include "grader/core/files.h"
#include "grader/submit/course/table_file.h"

namespace warpgrade {

Aliases Aliases::read(const std::filesystem::path& file) {
  Aliases aliases;
  std::error_code error;
  if (!std::filesystem::exists(file, error)) return aliases;
  const std::string shown = file.filename().string();
  const TableFile table(read_course_file(file, shown), shown, {"alias", "student"}, 2);
  for (const TableFile::Row& row : table.rows()) {
    const std::string& alias = row.at("alias");
    const std::string& student = row.at("student");
    const bool fresh = aliases.students_.emplace(alias, student).second &&
                       aliases.aliases_.emplace(student, alias).second;
    if (!fresh) {
      table.fail(row.line, "the alias or the student is in another line, too; delete one of them");
    }
  }
  return aliases;
}

std::string Aliases::of(const std::string& student) {
  if (const auto known = aliases_.find(student); known != aliases_.end()) return known->second;
  std::random_device random;
  std::uniform_int_distribution<int> number(10'000, 99'999);
  std::string alias;
  do {
    alias = fmt::format("student-{}", number(random));
  } while (students_.contains(alias));
  students_.emplace(alias, student);
  aliases_.emplace(student, alias);
  return alias;
}

std::string Aliases::student(const std::string& name) const {
  const auto known = students_.find(name);
  return known == students_.end() ? name : known->second;
}

void Aliases::write(const std::filesystem::path& file) const {
  std::string text = csv_line({"alias", "student"});
  for (const auto& [alias, student] : students_) {
    text += csv_line({csv_field(alias), csv_field(student)});
  }
  write_file_atomically(file, text);
}

}  // namespace warpgrade
