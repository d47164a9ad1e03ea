#include "grader/serve/jobs/worker_rules.h"

#include <set>

#include "grader/core/files.h"
#include "grader/core/installation.h"
#include "grader/core/sha256.h"
#include "grader/core/version.h"
#include "grader/submit/course/course.h"

namespace warpgrade {
namespace {
namespace fs = std::filesystem;

/// Of the names and contents of all files in a folder.
void add_folder(const fs::path& folder, Sha256& sha) {
  std::set<fs::path> files;
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(folder)) {
    if (entry.is_regular_file()) files.insert(entry.path());
  }
  for (const fs::path& file : files) {
    sha.add_field(file.lexically_relative(folder).string());
    sha.add_field(read_file(file));
  }
}

}  // namespace

WorkerRules::WorkerRules(const Installation& installation, fs::path course, fs::path secret)
    : course_(std::move(course)), secret_(std::move(secret)) {
  Sha256 sha;
  sha.add_field(kVersion);
  add_folder(installation.root / "labs", sha);
  labs_ = sha.hex();
}

std::string WorkerRules::checksum() {
  const std::lock_guard lock(mutex_);
  const auto stamped = [this] {
    FileStamps stamps;
    for (const fs::path& file : files_) add_stamp(file, stamps);
    return stamps;
  };
  if (!last_.empty() && stamped() == stamps_) return last_;
  try {
    files_ = {course_, secret_};
    Sha256 sha;
    sha.add_field(labs_);
    if (!course_.empty()) {
      const Course course = load_course(course_, {});
      files_.insert(files_.end(), {course.roster_file, course.groups_file});
      for (const fs::path& file : files_) {
        sha.add_field(file.empty() ? std::string() : read_file(file));
      }
    }
    last_ = sha.hex();
  } catch (const std::exception&) {
    if (last_.empty()) throw;
  }
  stamps_ = stamped();
  return last_;
}

}  // namespace warpgrade
