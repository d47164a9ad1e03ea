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

void ClassFiles::read_grades() {
  refresh();
  Stamp now;
  for (const fs::path& folder : graded_folders(results_)) add(folder / "grade.json", now);
  std::map<fs::path, Graded> graded;
  for (const auto& [file, when] : now) {
    const auto known = graded_.find(file);
    const auto before = grades_.find(file);
    if (known != graded_.end() && before != grades_.end() && before->second == when) {
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
  grades_ = std::move(now);
}

Gradebook ClassFiles::book() {
  const std::lock_guard lock(mutex_);
  read_grades();
  Gradebook book;
  for (const auto& [file, one] : graded_) book.rows.push_back(one.row);
  book.sort();
  return record_->with_hand_grades(std::move(book));
}

std::map<std::pair<std::string, std::string>, std::vector<MadeAttempt>> ClassFiles::attempts() {
  const std::lock_guard lock(mutex_);
  read_grades();
  std::map<std::pair<std::string, std::string>, std::vector<MadeAttempt>> all;
  for (const auto& [file, one] : graded_) {
    std::vector<MadeAttempt>& own = all[{one.row.student, one.row.lab}];
    own = one.attempts;
    set_submitted(own, record_->log, one.row.student, one.row.lab);
  }
  return all;
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
