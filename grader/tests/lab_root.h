#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "grader/core/files.h"
#include "grader/process/process.h"

namespace warpgrade::testing {

/// A folder for labs outside the source tree, as an instructor has one; the pages of pitfalls are
/// the project's.
struct LabRoot {
  LabRoot();
  [[nodiscard]] ProcessResult run(const std::vector<std::string>& arguments) const;
  [[nodiscard]] std::filesystem::path operator/(std::string_view path) const;
  ScratchFolder folder;
};

/// The files that docs/adding-a-lab.md shows for a lab: its code blocks after lines
/// "`path`...:" whose path has the lab's id, in order, as path and content.
[[nodiscard]] std::vector<std::pair<std::string, std::string>> documented_files(
    const std::string& lab);

}  // namespace warpgrade::testing
