#include "grader/submit/course/course.h"
#include "grader/submit/course/student_name.h"

#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <string>

#include "fuzz/input.h"
#include "grader/submit/course/student_name.h"
#include "harness/lab/lab.h"

// A course.toml and the roster beside it. The input is both, with a zero byte in between.

namespace {

namespace fs = std::filesystem;

/// A folder for the files, for the life of the process.
class Folder {
 public:
  Folder() : path_(fs::temp_directory_path() / ("fuzz-course-" + std::to_string(::getpid()))) {
    fs::create_directories(path_);
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  ~Folder() { fs::remove_all(path_); }

  [[nodiscard]] const fs::path& path() const { return path_; }

 private:
  fs::path path_;
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const Folder folder;
  const std::string_view text = fuzz::text_of(data, size);
  const std::size_t border = std::min(text.find('\0'), text.size());
  std::ofstream(folder.path() / "course.toml", std::ios::binary) << text.substr(0, border);
  std::ofstream(folder.path() / "roster.csv", std::ios::binary)
      << text.substr(std::min(border + 1, text.size()));
  try {
    const warpgrade::Course course =
        warpgrade::load_course(folder.path() / "course.toml", {"vecadd", "scan"});
    for (const warpgrade::RosterEntry& entry : course.roster.entries) {
      fuzz::require(warpgrade::student_name_problem(entry.student).empty());
      (void)course.due("vecadd", entry.student);
    }
  } catch (const warpgrade::LabError&) {
  }
  return 0;
}
