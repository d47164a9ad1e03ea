#include <cstddef>
#include <cstring>
#include <map>
#include <mutex>
#include <vector>

#include "emulator/driver/driver.h"

// Launches as before CUDA 4: a function keeps its block, its shared memory and its arguments.

using namespace warpsim::driver;

namespace {

struct KeptLaunch {
  int block_x = 1, block_y = 1, block_z = 1;
  unsigned shared_bytes = 0;
  std::vector<std::byte> arguments;  // as they lie in the kernel's parameters
};

struct KeptLaunches {
  std::mutex mutex;
  std::map<CUfunction, KeptLaunch> all;

  /// Never destroyed: threads may use it until the end.
  static KeptLaunches& get() {
    static auto& launches = *new KeptLaunches;
    return launches;
  }
};

/// A call on what a function keeps.
template <class Body>
CUresult on_kept(CUfunction function, Body body) {
  return in_context([&](const RuntimeLibrary& runtime) -> CUresult {
    const char* name = nullptr;
    if (runtime.cudaFuncGetName(&name, reinterpret_cast<const void*>(function)) != cudaSuccess) {
      (void)runtime.cudaGetLastError();
      return CUDA_ERROR_INVALID_HANDLE;
    }
    KeptLaunches& launches = KeptLaunches::get();
    const std::lock_guard lock(launches.mutex);
    return body(launches.all[function]);
  });
}

CUresult set_arguments(CUfunction function, int offset, const void* value, size_t bytes) {
  return on_kept(function, [&](KeptLaunch& kept) {
    constexpr size_t kMostBytes = 32764;  // of all parameters, the largest of any card
    if (offset < 0 || value == nullptr || bytes > kMostBytes ||
        static_cast<size_t>(offset) > kMostBytes - bytes) {
      return CUDA_ERROR_INVALID_VALUE;
    }
    const size_t begin = static_cast<size_t>(offset);
    if (kept.arguments.size() < begin + bytes) kept.arguments.resize(begin + bytes);
    std::memcpy(kept.arguments.data() + begin, value, bytes);
    return CUDA_SUCCESS;
  });
}

CUresult launch_kept(CUfunction function, int width, int height, CUstream stream) {
  KeptLaunch launch;
  const CUresult found = on_kept(function, [&](const KeptLaunch& kept) {
    launch = kept;
    return width < 1 || height < 1 ? CUDA_ERROR_INVALID_VALUE : CUDA_SUCCESS;
  });
  if (found != CUDA_SUCCESS) return found;
  size_t bytes = launch.arguments.size();
  void* extra[] = {CU_LAUNCH_PARAM_BUFFER_POINTER, launch.arguments.data(),
                   CU_LAUNCH_PARAM_BUFFER_SIZE, &bytes, CU_LAUNCH_PARAM_END};
  return cuLaunchKernel(
      function, static_cast<unsigned>(width), static_cast<unsigned>(height), 1,
      static_cast<unsigned>(launch.block_x), static_cast<unsigned>(launch.block_y),
      static_cast<unsigned>(launch.block_z), launch.shared_bytes, stream, nullptr, extra);
}

}  // namespace

extern "C" {

CUresult cuFuncSetBlockShape(CUfunction function, int x, int y, int z) {
  return on_kept(function, [&](KeptLaunch& kept) {
    if (x < 1 || y < 1 || z < 1) return CUDA_ERROR_INVALID_VALUE;
    kept.block_x = x;
    kept.block_y = y;
    kept.block_z = z;
    return CUDA_SUCCESS;
  });
}

CUresult cuFuncSetSharedSize(CUfunction function, unsigned bytes) {
  return on_kept(function, [&](KeptLaunch& kept) {
    kept.shared_bytes = bytes;
    return CUDA_SUCCESS;
  });
}

CUresult cuParamSetSize(CUfunction function, unsigned bytes) {
  return on_kept(function, [&](KeptLaunch& kept) {
    kept.arguments.resize(bytes);
    return CUDA_SUCCESS;
  });
}

CUresult cuParamSeti(CUfunction function, int offset, unsigned value) {
  return set_arguments(function, offset, &value, sizeof value);
}
CUresult cuParamSetf(CUfunction function, int offset, float value) {
  return set_arguments(function, offset, &value, sizeof value);
}
CUresult cuParamSetv(CUfunction function, int offset, void* value, unsigned bytes) {
  return set_arguments(function, offset, value, bytes);
}

CUresult cuLaunch(CUfunction function) {
  return launch_kept(function, 1, 1, nullptr);
}
CUresult cuLaunchGrid(CUfunction function, int width, int height) {
  return launch_kept(function, width, height, nullptr);
}
CUresult cuLaunchGridAsync(CUfunction function, int width, int height, CUstream stream) {
  return launch_kept(function, width, height, stream);
}

}  // extern "C"
