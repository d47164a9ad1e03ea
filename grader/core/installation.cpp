#include "grader/core/installation.h"

#include <fmt/core.h>

#include <cstdlib>
#include <string>
#include <system_error>
#include <vector>

#include "grader/core/error.h"
#include "grader/core/source_root.h"

namespace warpgrade {
namespace fs = std::filesystem;

fs::path Installation::worker_library() const {
  return library / "libwarpgrade_worker.a";
}

fs::path Installation::emulator_folder() const {
  return library / "warpsim";
}

fs::path Installation::pitfalls() const {
  return root / "docs" / "pitfalls";
}

Installation find_installation() {
  std::error_code error;
  const fs::path program = fs::read_symlink("/proc/self/exe", error);
  const fs::path prefix = program.parent_path().parent_path();  // of bin/warpgrade

  std::vector<fs::path> roots;
  if (const char* variable = std::getenv("WARPGRADE_ROOT")) {
    roots.emplace_back(variable);  // and nowhere else: it was said on purpose
  } else {
    roots = {prefix.parent_path(), prefix / "share" / "warpgrade", kSourceRoot};
  }
  std::string tried;
  for (const fs::path& root : roots) {
    if (fs::is_directory(root / "labs", error)) {
      const fs::path installed = prefix / "lib" / "warpgrade";
      const bool is_installed = fs::is_directory(installed, error);
      return {.root = fs::canonical(root), .library = is_installed ? installed : prefix / "lib"};
    }
    tried += fmt::format("{}{}", tried.empty() ? "" : ", ", (root / "labs").string());
  }
  throw EnvironmentError(
      fmt::format("the labs were not found (looked for {}); set WARPGRADE_ROOT to the folder that "
                  "contains labs/",
                  tried));
}

}  // namespace warpgrade
