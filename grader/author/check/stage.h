#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "harness/lab/lab.h"

namespace warpgrade {

/// The files of a folder with this extension, ".cu", by name; none if there is no such folder.
[[nodiscard]] std::vector<std::filesystem::path> files_ending_in(
    const std::filesystem::path& folder, std::string_view extension);
/// Those that end in ".cu".
[[nodiscard]] std::vector<std::filesystem::path> cu_files(const std::filesystem::path& folder);

/// The lab with a stage's precision: "// precision: tf32" (or bf16, f16) in its first lines selects
/// the error model for tensor cores, and a compute capability that has them. Nothing without such a
/// line.
/// @throws LabError  if the precision is unknown
[[nodiscard]] std::optional<Lab> lab_of_stage(const Lab& lab, const std::filesystem::path& file);

/// Whether a program of a lab says "// compiler: nvcc" in its first lines: it has what clang cannot
/// compile.
/// @throws LabError  if the line names another compiler
[[nodiscard]] bool needs_nvcc(const std::string& text);

}  // namespace warpgrade
