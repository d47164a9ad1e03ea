#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <map>
#include <mutex>

namespace warpgrade::worker {

/// Keeps the device memory that timed calls allocate and free, for the calls after them.
///
/// What the driver takes for cudaMalloc and cudaFree belongs to the machine and not to the
/// submission: some tenths of a millisecond on a quiet one, ten milliseconds where programs on
/// other GPUs allocate at the same time. A call that frees what it allocated pays for it once, in
/// warm-up. As with the runtime's own functions, freeing waits for the device, and memory holds
/// anything.
class DevicePool {
 public:
  using Allocate = cudaError_t (*)(void**, std::size_t);
  using Release = cudaError_t (*)(void*);

  /// @param malloc, free  the runtime's cudaMalloc and cudaFree
  DevicePool(Allocate malloc, Release free) : allocate_(malloc), release_(free) {}

  /// Calls are served from the pool between `begin` and `end`, and by the runtime otherwise.
  void begin();
  void end();
  [[nodiscard]] bool serves();

  /// Stands in for cudaMalloc: a block of the same size that was freed, or a new one.
  cudaError_t allocate(void** block, std::size_t size);
  /// Stands in for cudaFree.
  cudaError_t release(void* block);

  /// Overwrites free blocks, so that no call finds what another left there.
  void poison();

 private:
  void release_unused();

  Allocate allocate_;
  Release release_;
  std::mutex mutex_;
  bool serves_ = false;
  std::map<void*, std::size_t> used_;  // blocks that a call has, with their sizes
  std::multimap<std::size_t, void*> unused_;  // by size
};

/// The pool behind this program's cudaMalloc and cudaFree. The program must be linked with
/// `--wrap=cudaMalloc --wrap=cudaFree`.
DevicePool& device_pool();

}  // namespace warpgrade::worker
