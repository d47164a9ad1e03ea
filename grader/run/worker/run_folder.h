#pragma once

#include <filesystem>

namespace warpgrade {

/// A folder for a run of a submission, which does not exist yet. The submission sees its path: a
/// random name does not say what the run is for, so that no program behaves well only where it is
/// checked.
///
/// @param scratch  the submission's
[[nodiscard]] std::filesystem::path new_run_folder(const std::filesystem::path& scratch);

}  // namespace warpgrade
