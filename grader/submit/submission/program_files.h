#pragma once

#include <filesystem>

#include "grader/submit/submission/submission.h"

namespace warpgrade {

/// The files of a program that belongs to no lab: a .cu file, or all of those in a folder or an
/// archive, and the headers that they include.
/// @throws UsageError  if there is no .cu file, or one cannot be read
[[nodiscard]] Submission program_at(const std::filesystem::path& path);

}  // namespace warpgrade
