#pragma once

#include <filesystem>
#include <string>

#include "grader/core/file_lock.h"

namespace warpgrade {

/// The file whose lock stands for a GPU: in /tmp, so that graders of all users of a machine meet;
/// by the GPU's uuid, which is the same whatever CUDA_VISIBLE_DEVICES says.
[[nodiscard]] std::filesystem::path gpu_lock_file(const std::string& uuid);

/// Waits until no other grader runs something on this GPU, so that timed runs never share it.
/// @throws EnvironmentError, Interrupted
[[nodiscard]] FileLock lock_gpu(const std::string& uuid);

}  // namespace warpgrade
