#include <unistd.h>

#include <cstdlib>
#include <string_view>

#include "grader/process/process.h"

namespace warpgrade {
namespace fs = std::filesystem;

std::vector<std::pair<std::string, std::string>> base_environment() {
  std::vector<std::pair<std::string, std::string>> environment = {{"LC_ALL", "C.UTF-8"}};
  for (const char* name : {"PATH", "TMPDIR", "HOME"}) {
    if (const char* value = std::getenv(name)) {
      environment.emplace_back(name, value);
    }
  }
  return environment;
}

fs::path find_in_path(const std::string& program) {
  const char* variable = std::getenv("PATH");
  std::string_view rest = variable != nullptr ? variable : "/usr/local/bin:/usr/bin:/bin";
  while (!rest.empty()) {
    const std::size_t end = rest.find(':');
    const fs::path candidate = fs::path(rest.substr(0, end)) / program;
    if (::access(candidate.c_str(), X_OK) == 0 && !fs::is_directory(candidate)) {
      return candidate;
    }
    rest.remove_prefix(end == std::string_view::npos ? rest.size() : end + 1);
  }
  return {};
}

}  // namespace warpgrade
