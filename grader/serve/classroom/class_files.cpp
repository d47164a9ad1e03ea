#include "grader/serve/classroom/class_files.h"

#include <fmt/core.h>

#include <cstdio>
#include <system_error>

#include "grader/core/error.h"
#include "harness/core/lab_error.h"

namespace warpgrade {
namespace fs = std::filesystem;
ClassFiles::ClassFiles(fs::path course, fs::path results, std::vector<std::string> known_labs)
    : course_(fs::absolute(course).lexically_normal()),
      results_(fs::absolute(results).lexically_normal()),
      known_labs_(std::move(known_labs)),
      grades_(results_) {
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

FileStamps ClassFiles::stamp() const {
  FileStamps stamp;
  const Course& course = record_->course;
  for (const fs::path& file :
       {course_, course.roster_file, course.groups_file, results_ / "submissions.json"}) {
    add_stamp(file, stamp);
  }
  std::error_code error;
  add_stamp(course.decisions_folder, stamp);  // which may be one file
  for (const fs::directory_entry& entry : fs::directory_iterator(course.decisions_folder, error)) {
    add_stamp(entry.path(), stamp);
  }
  return stamp;
}

void ClassFiles::refresh() {
  FileStamps now = stamp();
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
  return record_->with_hand_grades(grades_.book());
}

std::map<std::pair<std::string, std::string>, std::vector<MadeAttempt>> ClassFiles::attempts() {
  const std::lock_guard lock(mutex_);
  refresh();
  std::map<std::pair<std::string, std::string>, std::vector<MadeAttempt>> all;
  for (const auto& [file, one] : grades_.read()) {
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
