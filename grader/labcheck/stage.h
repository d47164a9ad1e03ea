#pragma once

#include <filesystem>
#include <optional>
#include <vector>

#include "harness/lab/lab.h"

namespace warpgrade {

/// The .cu files of a folder, by name; none if there is no such folder.
[[nodiscard]] std::vector<std::filesystem::path> cu_files(const std::filesystem::path& folder);

/// The lab with a stage's precision: "// precision: tf32" (or bf16, f16) in its first lines selects
/// the error model for tensor cores, and a compute capability that has them. Nothing without such a
/// line.
/// @throws LabError  if the precision is unknown
[[nodiscard]] std::optional<Lab> lab_of_stage(const Lab& lab, const std::filesystem::path& file);

}  // namespace warpgrade
