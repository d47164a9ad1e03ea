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

/// Where the program launches from; named only when there is something to say.
struct LaunchSite {
  const char* api = "<<<>>>";
  Frames frames;
  [[nodiscard]] CallSite resolve() const { return cudart::resolve(api, frames); }
};

/// Checks a launch, reports what is wrong with it, and puts it into its stream.
/// @throws LoadError
[[nodiscard]] cudaError_t launch(Runtime& runtime, Function& function, const LaunchOrder& order,
                                 const LaunchSite& site);

/// Checks a launch and makes it work that owns its arguments, for a graph.
/// @throws LoadError
[[nodiscard]] cudaError_t kernel_work(Runtime& runtime, Function& function,
                                      const LaunchOrder& order, const LaunchSite& site, Work& work);

/// The function behind a host stub or a kernel handle.
/// @param error  what the real runtime returns when there is none
[[nodiscard]] Function* function_or_error(const void* host_function, cudaError_t& error);
/// As above with its kernel; reports when the program carries no code for it. @throws LoadError
[[nodiscard]] const Kernel* kernel_or_error(Call& call, Function& function, cudaError_t& error);
/// Dynamic shared memory that a launch of the kernel may ask for.
[[nodiscard]] std::uint64_t dynamic_shared_limit(const Runtime& runtime, const Function& function,
                                                 const KernelInfo& kernel);

}  // namespace warpsim::cudart
