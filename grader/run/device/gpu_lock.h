#pragma once

#include <filesystem>
#include <string>

#include "grader/core/file_lock.h"

namespace warpgrade {

/// The lock file of a GPU: in /tmp, so that all users' graders share it, and named by the GPU's
/// UUID, which does not depend on CUDA_VISIBLE_DEVICES.
[[nodiscard]] std::filesystem::path gpu_lock_file(const std::string& uuid);

/// Waits until no other grader uses this GPU, so that timed runs never share it.
/// @throws EnvironmentError, Interrupted
[[nodiscard]] FileLock lock_gpu(const std::string& uuid);

}  // namespace warpgrade
