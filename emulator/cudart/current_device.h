#pragma once

#include <cuda_runtime_api.h>

#include <array>
#include <cstddef>

namespace warpsim::cudart {

/// The device of the calling host thread; 0 until the thread sets another one.
[[nodiscard]] int current_device();
void set_current_device(int device);

using DeviceLimits = std::array<std::size_t, 7>;
/// Read from an H200.
constexpr DeviceLimits kDefaultLimits = {1024, 8650752, 8388608, 0, 2048, 64, 0};

/// Settings of one device.
struct DeviceSettings {
  DeviceLimits limits = kDefaultLimits;  // cudaDeviceSetLimit; index is cudaLimit
  unsigned flags = cudaDeviceMapHost;
  cudaFuncCache cache_config = cudaFuncCachePreferNone;
};

}  // namespace warpsim::cudart
