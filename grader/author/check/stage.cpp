#include "grader/author/check/stage.h"

#include <fmt/core.h>

#include <algorithm>
#include <map>
#include <string>

#include "grader/author/check/mutant.h"
#include "grader/core/files.h"

namespace warpgrade {
namespace fs = std::filesystem;

std::vector<fs::path> files_ending_in(const fs::path& folder, std::string_view extension) {
  std::vector<fs::path> files;
  std::error_code error;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder, error)) {
    if (entry.path().extension() == extension) {
      files.push_back(entry.path());
    }
  }
  std::sort(files.begin(), files.end());
  return files;
}

std::vector<fs::path> cu_files(const fs::path& folder) {
  return files_ending_in(folder, ".cu");
}

bool needs_nvcc(const std::string& text) {
  const std::map<std::string, std::string> header = read_header(text);
  const auto compiler = header.find("compiler");
  if (compiler == header.end()) return false;
  if (compiler->second == "nvcc") return true;
  throw LabError(
      fmt::format("'// compiler: {}' is not known; write '// compiler: nvcc' where clang cannot "
                  "compile a program, or leave the line out",
                  compiler->second));
}

std::optional<Lab> lab_of_stage(const Lab& lab, const fs::path& file) {
  const std::map<std::string, std::string> header = read_header(read_file(file));
  const auto precision = header.find("precision");
  if (precision == header.end()) {
    return std::nullopt;
  }
  constexpr int kTensorCoresForFloats = 80;
  Lab variant = lab;
  variant.architecture = std::max(lab.architecture, kTensorCoresForFloats);
  if (precision->second == "tf32") {
    variant.tolerance.precision = Precision::tf32;
  } else if (precision->second == "bf16") {
    variant.tolerance.precision = Precision::bf16;
  } else if (precision->second == "f16") {
    variant.tolerance.precision = Precision::f16;
  } else {
    throw LabError(fmt::format("{}: precision '{}' is none of tf32, bf16 and f16",
                               file.filename().string(), precision->second));
  }
  // It is not the stage's mistake that tf32 cannot represent large integers.
  for (Case& spec : variant.cases) {
    spec.exact = false;
  }
  return variant;
}

}  // namespace warpgrade
