#pragma once

#include <cuda_runtime_api.h>

namespace warpgrade::worker {

/// A kernel of the harness, from PTX text and not from CUDA, so that the program has only the
/// student's kernels, for tools that list or count them. Launched by the driver, which is found at
/// run time.
class DriverKernel {
 public:
  /// For the current device, with the driver loaded by the runtime. The module is never unloaded.
  /// @throws std::runtime_error
  DriverKernel(const char* ptx, const char* name);

  /// On the default stream.
  /// @param what  for the message of an error
  /// @throws std::runtime_error
  void launch(unsigned blocks, unsigned threads, void** arguments, const char* what) const;

 private:
  /// The driver's cuLaunchKernel.
  using Launch = int (*)(cudaFunction_t kernel, unsigned grid_x, unsigned grid_y, unsigned grid_z,
                         unsigned block_x, unsigned block_y, unsigned block_z,
                         unsigned shared_bytes, cudaStream_t stream, void** arguments,
                         void** extra);

  cudaFunction_t kernel_ = nullptr;  // CUfunction is the same type
  Launch launch_ = nullptr;
};

}  // namespace warpgrade::worker
