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

namespace {

/// The project's pages: beside the labs, else the program's own, as a folder of labs elsewhere has
/// none.
fs::path pages(const fs::path& root) {
  std::error_code error;
  const fs::path prefix =
      fs::read_symlink("/proc/self/exe", error).parent_path().parent_path();  // of bin/warpgrade
  for (const fs::path& folder : {root, prefix / "share" / "warpgrade", fs::path(kSourceRoot)}) {
    if (fs::is_directory(folder / "docs" / "pitfalls", error)) return folder / "docs";
  }
  return root / "docs";
}

}  // namespace

fs::path Installation::pitfalls() const {
  return pages(root) / "pitfalls";
}

fs::path Installation::machine_page() const {
  return pages(root) / "machine.md";
}

namespace {

fs::path find_cuda_headers(const fs::path& root, const fs::path& prefix) {
  std::vector<fs::path> folders = {root / "emulator" / "include", root / "cuda",
                                   prefix / "share" / "warpgrade" / "cuda",
                                   fs::path(kSourceRoot) / "emulator" / "include"};
  if (const char* variable = std::getenv("WARPGRADE_CUDA_INCLUDE");
      variable != nullptr && *variable != '\0') {
    folders = {variable};
  }
  std::error_code error;
  for (const fs::path& folder : folders) {
    if (fs::exists(folder / "cuda_runtime.h", error)) return fs::canonical(folder, error);
  }
  return {};
}

fs::path find_wb_header(const fs::path& root, const fs::path& prefix) {
  std::error_code error;
  for (const fs::path& folder : {root, prefix / "share" / "warpgrade", fs::path(kSourceRoot)}) {
    const fs::path libwb = folder / "harness" / "libwb";
    if (fs::exists(libwb / "wb.h", error)) return fs::canonical(libwb, error);
  }
  return {};
}

}  // namespace

Installation find_installation() {
  std::error_code error;
  const fs::path program = fs::read_symlink("/proc/self/exe", error);
  const fs::path prefix = program.parent_path().parent_path();  // of bin/warpgrade

  std::vector<fs::path> roots;
  if (const char* variable = std::getenv("WARPGRADE_ROOT")) {
    roots.emplace_back(variable);  // and nowhere else: it was set deliberately
  } else {
    roots = {prefix.parent_path(), prefix / "share" / "warpgrade", kSourceRoot};
  }
  std::string tried;
  for (const fs::path& root : roots) {
    if (fs::is_directory(root / "labs", error)) {
      const fs::path installed = prefix / "lib" / "warpgrade";
      const bool is_installed = fs::is_directory(installed, error);
      return {.root = fs::canonical(root),
              .library = is_installed ? installed : prefix / "lib",
              .cuda_headers = find_cuda_headers(fs::canonical(root), prefix),
              .wb_header = find_wb_header(fs::canonical(root), prefix)};
    }
    tried += fmt::format("{}{}", tried.empty() ? "" : ", ", (root / "labs").string());
  }
  throw EnvironmentError(
      fmt::format("the labs were not found (looked for {}); set WARPGRADE_ROOT to the folder that "
                  "contains labs/",
                  tried));
}

}  // namespace warpgrade
