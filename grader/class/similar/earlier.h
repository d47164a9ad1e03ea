#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "grader/record/grade/grade.h"

namespace warpgrade {

/// A program that a class is compared with.
struct EarlierProgram {
  std::string name;  // the folder's name and the path in it: "2025/ada.zip/reduction.cu"
  SourceFile file;
};

/// Every source file in a folder, at any depth, and in the archives there, by name. An archive that
/// cannot be read is a note.
/// @param notes  gets one line for each file that is left out
/// @throws UsageError  if `folder` is not a folder, or has no source file
[[nodiscard]] std::vector<EarlierProgram> earlier_programs(const std::filesystem::path& folder,
                                                           std::vector<std::string>& notes);

}  // namespace warpgrade
