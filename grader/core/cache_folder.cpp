#include "grader/core/cache_folder.h"

#include <cstdlib>

namespace warpgrade {
namespace fs = std::filesystem;

fs::path cache_file(const std::string& kind, const std::string& key) {
  fs::path folder;
  if (const char* cache = std::getenv("XDG_CACHE_HOME"); cache != nullptr && *cache == '/') {
    folder = cache;
  } else if (const char* home = std::getenv("HOME"); home != nullptr && *home == '/') {
    folder = fs::path(home) / ".cache";
  } else {
    return {};
  }
  return folder / "warpgrade" / kind / (key + ".json");
}

}  // namespace warpgrade
