#include "grader/class/grading/results_lock.h"

#include <fmt/core.h>

#include <optional>
#include <string>
#include <system_error>
#include <utility>

#include "grader/core/error.h"
#include "grader/core/scratch_sweep.h"

namespace warpgrade {
namespace fs = std::filesystem;
namespace {

/// "grade.json.4711-12.tmp", as write_file_atomically() names incomplete files.
bool is_temporary(const std::string& name) {
  const std::size_t dash = name.rfind('-');
  const std::size_t dot = dash == std::string::npos ? dash : name.rfind('.', dash);
  return dot != std::string::npos && name.ends_with(".tmp") &&
         name.find_first_not_of("0123456789-", dot + 1) == name.size() - 4;
}

/// Removes temporary files of write_file_atomically() left by a killed grader.
void sweep_temporaries(const fs::path& folder) {
  std::error_code error;
  for (auto it = fs::recursive_directory_iterator(folder, error);
       !error && it != fs::recursive_directory_iterator(); it.increment(error)) {
    if (is_temporary(it->path().filename().string())) {
      std::error_code ignored;
      fs::remove(it->path(), ignored);
    }
  }
}

}  // namespace

FileLock lock_results(const fs::path& out, bool wait) {
  fs::create_directories(out / ".warpgrade");
  const fs::path file = out / ".warpgrade" / "lock";
  std::optional<FileLock> lock;
  if (wait) {
    lock.emplace(FileLock::wait(file));
  } else if (std::optional<FileLock> got = FileLock::try_lock(file)) {
    lock.emplace(*std::move(got));
  }
  if (!lock) {
    throw UsageError(
        fmt::format("another warpgrade is grading into {}; wait for it, or choose another --out",
                    out.string()));
  }
  sweep_temporaries(out);
  sweep_scratch_folders();
  return *std::move(lock);
}

}  // namespace warpgrade
