#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "grader/submission/submission.h"

namespace warpgrade {

struct CheckedWork {
  Submission submission;
  std::vector<std::string> notes;  // what was ignored, and why; one line each
};

/// One's own work for a lab, as `warpgrade check` gets it: a .cu file of any name, or the folder or
/// archive that would be handed in, which is read as `warpgrade grade --student` reads it.
/// @throws UsageError  if it is none of these, or cannot be read
[[nodiscard]] CheckedWork work_at(const std::filesystem::path& path, const Lab& lab);

}  // namespace warpgrade
