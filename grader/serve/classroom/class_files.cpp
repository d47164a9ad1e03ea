#include "grader/serve/classroom/class_files.h"

#include <fmt/core.h>

#include <cstdio>
#include <system_error>

#include "grader/core/error.h"
#include "grader/record/grade/grade_json.h"
#include "harness/core/lab_error.h"

namespace warpgrade {
namespace fs = std::filesystem;
namespace {

void add(const fs::path& file,
         std::map<fs::path, std::pair<fs::file_time_type, std::uintmax_t>>& stamp) {
  std::error_code error;
  if (file.empty() || !fs::is_regular_file(file, error)) return;
  const fs::file_time_type time = fs::last_write_time(file, error);
  if (!error) stamp[file] = {time, fs::file_size(file, error)};
}

}  // namespace

ClassFiles::ClassFiles(fs::path course, fs::path results, std::vector<std::string> known_labs)
    : course_(fs::absolute(course).lexically_normal()),
      results_(fs::absolute(results).lexically_normal()),
      known_labs_(std::move(known_labs)) {
  const Course checked = load_course(course_, known_labs_);
  if (checked.roster.entries.empty()) {
    throw UsageError(fmt::format(
        "{} names no roster with students, who could sign in; write roster = \"roster.csv\" "
        "(docs/course.md has an example)",
        course_.string()));
  }
  record_ = std::make_shared<ClassRecord>(load_class_record(results_, course_));
  read_ = stamp();
}

ClassFiles::Stamp ClassFiles::stamp() const {
  Stamp stamp;
  const Course& course = record_->course;
  for (const fs::path& file :
       {course_, course.roster_file, course.groups_file, results_ / "submissions.json"}) {
    add(file, stamp);
  }
  std::error_code error;
  add(course.decisions_folder, stamp);  // which may be one file
  for (const fs::directory_entry& entry : fs::directory_iterator(course.decisions_folder, error)) {
    add(entry.path(), stamp);
  }
  return stamp;
}

void ClassFiles::refresh() {
  Stamp now = stamp();
  if (now == read_) return;
  try {
    static_cast<void>(load_course(course_, known_labs_));
    record_ = std::make_shared<ClassRecord>(load_class_record(results_, course_));
    problem_.clear();
    // It may name other files than before.
    now = stamp();
  } catch (const std::exception& e) {
    problem_ = e.what();
    fmt::print(stderr, "warpgrade serve: {}; the rules stay as they were\n", problem_);
  }
  read_ = std::move(now);
}

std::shared_ptr<const ClassRecord> ClassFiles::record() {
  const std::lock_guard lock(mutex_);
  refresh();
  return record_;
}

std::string ClassFiles::problem() {
  const std::lock_guard lock(mutex_);
  refresh();
  return problem_;
}

Gradebook ClassFiles::book() {
  const std::lock_guard lock(mutex_);
  refresh();
  Stamp now;
  for (const fs::path& folder : graded_folders(results_)) add(folder / "grade.json", now);
  std::map<fs::path, GradeRow> rows;
  Gradebook book;
  for (const auto& [file, when] : now) {
    const auto known = rows_.find(file);
    const auto before = grades_.find(file);
    const bool same = known != rows_.end() && before != grades_.end() && before->second == when;
    try {
      GradeRow& row = rows[file];
      row = same ? std::move(known->second) : row_of(read_grade(file));
      book.rows.push_back(row);
    } catch (const UsageError& e) {
      rows.erase(file);
      fmt::print(stderr, "warpgrade serve: {}\n", e.what());
    }
  }
  rows_ = std::move(rows);
  grades_ = std::move(now);
  book.sort();
  return record_->with_hand_grades(std::move(book));
}

void ClassFiles::decide(const Decision& decision) {
  const std::lock_guard lock(mutex_);
  const fs::path& folder = record_->course.decisions_folder;
  std::error_code error;
  // The key `decisions` may name one file.
  const bool one_file = fs::is_regular_file(folder, error);
  append_decision(one_file ? folder : folder / "serve.toml", decision);
  read_.clear();  // its time may have the same resolution as the one before
  refresh();
}

}  // namespace warpgrade
