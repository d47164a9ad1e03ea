#pragma once

#include <filesystem>
#include <optional>
#include <vector>

#include "harness/lab/lab.h"

namespace warpgrade {

/// The .cu files of a folder, by name; none where there is no such folder.
[[nodiscard]] std::vector<std::filesystem::path> cu_files(const std::filesystem::path& folder);

/// The lab as a stage asks for it in its first lines: "// precision: tf32" (or bf16) is the error
/// model that tensor cores need, and the compute capability that has them. Nothing where the stage
/// asks for nothing.
/// @throws LabError  for a precision that is not known
[[nodiscard]] std::optional<Lab> lab_of_stage(const Lab& lab, const std::filesystem::path& file);

}  // namespace warpgrade
