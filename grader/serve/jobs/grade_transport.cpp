#include "grader/serve/jobs/grade_transport.h"

#include <fmt/core.h>

#include <algorithm>

#include "grader/core/error.h"
#include "grader/core/files.h"
#include "grader/core/text.h"

namespace warpgrade {
namespace fs = std::filesystem;

FileSet files_in(const fs::path& folder) {
  FileSet files;
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(folder)) {
    if (!entry.is_regular_file() || entry.is_symlink()) continue;
    files.emplace(entry.path().lexically_relative(folder).string(), read_file(entry.path()));
  }
  return files;
}

void write_files(const fs::path& folder, const FileSet& files) {
  for (const auto& [name, content] : files) {
    const fs::path path = name;
    const bool leaves =
        std::any_of(path.begin(), path.end(), [](const fs::path& part) { return part == ".."; });
    if (name.empty() || path.is_absolute() || leaves) {
      throw UsageError(fmt::format("the name {} leads out of its folder", printable(name)));
    }
  }
  for (const auto& [name, content] : files) write_file_atomically(folder / name, content);
}

}  // namespace warpgrade
