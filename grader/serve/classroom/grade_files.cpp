#include "grader/serve/classroom/grade_files.h"

#include <fmt/core.h>

#include <cstdio>
#include <system_error>

#include "grader/core/error.h"
#include "grader/record/grade/grade_json.h"

namespace warpgrade {
namespace fs = std::filesystem;

void add_stamp(const fs::path& file, FileStamps& stamps) {
  std::error_code error;
  if (file.empty() || !fs::is_regular_file(file, error)) return;
  const fs::file_time_type time = fs::last_write_time(file, error);
  if (!error) stamps[file] = {time, fs::file_size(file, error)};
}

const std::map<fs::path, GradeFiles::Graded>& GradeFiles::read() {
  FileStamps now;
  for (const fs::path& folder : graded_folders(folder_)) add_stamp(folder / "grade.json", now);
  std::map<fs::path, Graded> graded;
  for (const auto& [file, when] : now) {
    const auto known = graded_.find(file);
    const auto before = stamps_.find(file);
    if (known != graded_.end() && before != stamps_.end() && before->second == when) {
      graded[file] = std::move(known->second);
      continue;
    }
    try {
      const Grade grade = read_grade(file);
      graded[file] = {.row = row_of(grade), .attempts = graded_attempts(grade, file.parent_path())};
    } catch (const UsageError& e) {
      fmt::print(stderr, "warpgrade serve: {}\n", e.what());
    }
  }
  graded_ = std::move(graded);
  stamps_ = std::move(now);
  return graded_;
}

Gradebook GradeFiles::book() {
  Gradebook book;
  for (const auto& [file, one] : read()) book.rows.push_back(one.row);
  book.sort();
  return book;
}

}  // namespace warpgrade
