#pragma once

#include <cuda_runtime_api.h>

#include "emulator/cudart/api.h"
#include "emulator/cudart/modules.h"

namespace warpsim::cudart {

struct LaunchOrder {
  Dim3 grid, block;
  std::uint64_t dynamic_shared_bytes = 0;
  void** arguments = nullptr;
  cudaStream_t stream = nullptr;
  bool cooperative = false;
  Dim3 cluster = {};  // blocks of a cluster; (1,1,1): what the kernel declares
};

/// The location of the launch in the program, resolved only if there is something to report.
struct LaunchSite {
  const char* api = "<<<>>>";
  Frames frames;
  [[nodiscard]] CallSite resolve() const { return cudart::resolve(api, frames); }
};

/// Checks a launch, reports errors, and submits it to its stream.
/// @throws LoadError
[[nodiscard]] cudaError_t launch(Runtime& runtime, Function& function, const LaunchOrder& order,
                                 const LaunchSite& site);

/// Checks a launch and turns it into work of the current device that owns its arguments, for a
/// graph. @throws LoadError
[[nodiscard]] cudaError_t kernel_work(Runtime& runtime, Function& function,
                                      const LaunchOrder& order, const LaunchSite& site, Work& work);

/// The function of a host stub or a kernel handle.
/// @param error  what the real runtime returns when there is none
[[nodiscard]] Function* function_or_error(const void* host_function, cudaError_t& error);
/// The function's kernel for the current device; reports if the program contains no code for it.
/// @throws LoadError
[[nodiscard]] const Kernel* kernel_or_error(Call& call, Function& function, cudaError_t& error);
/// Maximum dynamic shared memory of a launch of the kernel.
[[nodiscard]] std::uint64_t dynamic_shared_limit(const Runtime& runtime,
                                                 const FunctionOnDevice& function,
                                                 const KernelInfo& kernel);

}  // namespace warpsim::cudart
