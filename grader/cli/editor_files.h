#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "grader/core/installation.h"
#include "harness/lab/lab.h"

namespace warpgrade {

/// A file for an editor, and what it is for; the purpose may be empty.
struct EditorFile {
  std::string name;
  std::string content;
  std::string purpose;
};

/// What `warpgrade start` writes for editors: VS Code's tasks and debugger, and the command line by
/// which clangd understands CUDA.
/// @param folder  the student's, which need not exist yet
[[nodiscard]] std::vector<EditorFile> editor_files(const Installation& installation, const Lab& lab,
                                                   const std::filesystem::path& folder);

}  // namespace warpgrade
