#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "grader/submit/submission/submission.h"

namespace warpgrade {

struct CheckedWork {
  Submission submission;
  std::vector<std::string> notes;  // what was ignored, and why; one line each
};

/// The work that `warpgrade check` gets: a .cu file of any name, or the folder or archive to
/// submit, which is read like by `warpgrade grade --student`.
/// @throws UsageError  if it is none of these, or cannot be read
[[nodiscard]] CheckedWork work_at(const std::filesystem::path& path, const Lab& lab);

}  // namespace warpgrade
