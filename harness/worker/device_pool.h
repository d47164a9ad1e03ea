#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <map>
#include <mutex>

namespace warpgrade::worker {

/// Keeps the device memory that timed calls allocate and free, for later calls.
///
/// The driver's time for cudaMalloc and cudaFree depends on the machine and not on the submission:
/// some tenths of a millisecond on a quiet machine, ten milliseconds if programs on other GPUs
/// allocate at the same time. A call that frees its memory pays for it once, in warm-up. As with
/// the runtime's functions, freeing waits for the device, and memory is uninitialized.
class DevicePool {
 public:
  using Allocate = cudaError_t (*)(void**, std::size_t);
  using Release = cudaError_t (*)(void*);

  /// @param malloc, free  the runtime's cudaMalloc and cudaFree
  DevicePool(Allocate malloc, Release free) : allocate_(malloc), release_(free) {}

  /// Between `begin` and `end` the pool serves allocations, otherwise the runtime.
  void begin();
  void end();
  [[nodiscard]] bool serves();

  /// Replaces cudaMalloc: a freed block of the same size, or a new one.
  cudaError_t allocate(void** block, std::size_t size);
  /// Replaces cudaFree.
  cudaError_t release(void* block);

  /// Overwrites free blocks, so that no call finds another call's data.
  void poison();

 private:
  void release_unused();

  Allocate allocate_;
  Release release_;
  std::mutex mutex_;
  bool serves_ = false;
  std::map<void*, std::size_t> used_;  // blocks in use, with their sizes
  std::multimap<std::size_t, void*> unused_;  // by size
};

/// The pool behind this program's cudaMalloc and cudaFree. The program must be linked with
/// `--wrap=cudaMalloc --wrap=cudaFree`.
DevicePool& device_pool();

}  // namespace warpgrade::worker
