#include "grader/run/device/gpu_lock.h"

namespace warpgrade {

std::filesystem::path gpu_lock_file(const std::string& uuid) {
  return "/tmp/warpgrade-gpu-" + uuid + ".lock";
}

FileLock lock_gpu(const std::string& uuid) {
  return FileLock::wait(gpu_lock_file(uuid));
}

}  // namespace warpgrade
