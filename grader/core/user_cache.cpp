#include "grader/core/user_cache.h"

#include <fmt/core.h>

#include <cstdlib>
#include <system_error>

#include "grader/core/error.h"
#include "grader/core/files.h"

namespace warpgrade {
namespace fs = std::filesystem;

fs::path cache_folder() {
  if (const char* cache = std::getenv("XDG_CACHE_HOME"); cache != nullptr && *cache == '/') {
    return fs::path(cache) / "warpgrade";
  }
  if (const char* home = std::getenv("HOME"); home != nullptr && *home == '/') {
    return fs::path(home) / ".cache" / "warpgrade";
  }
  return {};
}

fs::path cache_file(std::string_view kind, const std::string& name) {
  const fs::path folder = cache_folder();
  return folder.empty() ? fs::path() : folder / kind / name;
}

std::optional<std::string> read_cached(const fs::path& file) {
  std::error_code error;
  if (file.empty() || !fs::exists(file, error)) return std::nullopt;
  try {
    return read_file(file);
  } catch (const UsageError&) {
    return std::nullopt;
  }
}

bool write_cached(const fs::path& file, std::string_view content) {
  if (file.empty()) return false;
  try {
    write_file_atomically(file, content);
    return true;
  } catch (const EnvironmentError&) {
    return false;
  }
}

std::string file_stamp(const fs::path& file) {
  std::error_code error;
  return fmt::format("{}:{}", fs::file_size(file, error),
                     fs::last_write_time(file, error).time_since_epoch().count());
}

}  // namespace warpgrade
