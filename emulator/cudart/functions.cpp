#include <algorithm>

#include "emulator/cudart/launch.h"

// Queries and attributes of kernels; occupancy.

namespace warpsim::cudart {
namespace {

/// Runs `use(function, kernel info)` for the function behind a host stub, on the current device.
/// @throws LoadError
template <class Use>
cudaError_t with_kernel(Call& call, const void* host_function, Use use) {
  cudaError_t error = cudaSuccess;
  Function* function = function_or_error(host_function, error);
  if (function == nullptr) return error;
  const Kernel* kernel = kernel_or_error(call, *function, error);
  if (kernel == nullptr) return error;
  return use(function->on(current_device()), call.runtime.machine.info(*kernel));
}

std::uint64_t max_threads(const Card& card, const KernelInfo& info) {
  const auto most = static_cast<std::uint64_t>(card.max_threads_per_block);
  const auto product = [](const std::uint32_t(&dims)[3]) {
    return std::uint64_t{dims[0]} * std::max(dims[1], 1u) * std::max(dims[2], 1u);
  };
  if (info.limits.required_threads[0] != 0) return product(info.limits.required_threads);
  if (info.limits.max_threads[0] != 0) return std::min(most, product(info.limits.max_threads));
  return most;
}

cudaError_t fill_attributes(Call& call, cudaFuncAttributes* attributes, const void* function) {
  if (attributes == nullptr) return cudaErrorInvalidValue;
  return with_kernel(call, function, [&](const FunctionOnDevice& f, const KernelInfo& info) {
    const Card& card = call.runtime.card;
    *attributes = {};
    attributes->sharedSizeBytes = info.static_shared_bytes;
    attributes->constSizeBytes = info.constant_bytes;
    attributes->localSizeBytes = info.local_bytes;
    attributes->maxThreadsPerBlock = static_cast<int>(max_threads(card, info));
    attributes->numRegs = static_cast<int>(info.registers);
    attributes->ptxVersion = static_cast<int>(info.ptx_version);
    attributes->binaryVersion = 10 * card.major + card.minor;
    attributes->maxDynamicSharedSizeBytes =
        static_cast<int>(dynamic_shared_limit(call.runtime, f, info));
    attributes->preferredShmemCarveout = f.preferred_carveout;
    return cudaSuccess;
  });
}

cudaError_t set_attribute(Call& call, const void* host_function, cudaFuncAttribute attribute,
                          int value) {
  return with_kernel(call, host_function, [&](FunctionOnDevice& function, const KernelInfo& info) {
    const std::uint64_t most = call.runtime.card.shared_per_block_optin - info.static_shared_bytes;
    switch (attribute) {
      case cudaFuncAttributeMaxDynamicSharedMemorySize:
        if (value < 0 || static_cast<std::uint64_t>(value) > most) return cudaErrorInvalidValue;
        function.dynamic_shared_limit = static_cast<std::uint64_t>(value);
        return cudaSuccess;
      case cudaFuncAttributePreferredSharedMemoryCarveout:
        if (value < -1 || value > 100) return cudaErrorInvalidValue;
        function.preferred_carveout = value;
        return cudaSuccess;
      case cudaFuncAttributeNonPortableClusterSizeAllowed:
        function.non_portable_cluster = value != 0;
        return cudaSuccess;
      default:
        return cudaErrorInvalidValue;
    }
  });
}

Occupancy occupancy_of(Call& call, const KernelInfo& info, int block_size,
                       std::uint64_t dynamic_shared) {
  return occupancy(call.runtime.card, block_size, static_cast<int>(info.registers),
                   info.static_shared_bytes + dynamic_shared);
}

cudaError_t max_active_blocks(Call& call, int* blocks, const void* function, int block_size,
                              size_t dynamic_shared) {
  if (blocks == nullptr || block_size <= 0) return cudaErrorInvalidValue;
  return with_kernel(call, function, [&](const FunctionOnDevice& f, const KernelInfo& info) {
    const bool possible = dynamic_shared <= dynamic_shared_limit(call.runtime, f, info);
    *blocks = possible ? occupancy_of(call, info, block_size, dynamic_shared).blocks_per_sm : 0;
    return cudaSuccess;
  });
}

/// The most dynamic shared memory with which `blocks` blocks fit on a multiprocessor.
cudaError_t available_shared(Call& call, size_t* bytes, const void* function, int blocks,
                             int block_size) {
  if (bytes == nullptr || blocks <= 0 || block_size <= 0) return cudaErrorInvalidValue;
  return with_kernel(call, function, [&](const FunctionOnDevice&, const KernelInfo& info) {
    if (occupancy_of(call, info, block_size, 0).blocks_per_sm < blocks) {
      return cudaErrorInvalidValue;
    }
    const Card& card = call.runtime.card;
    const std::uint64_t share = card.shared_per_sm / static_cast<std::uint64_t>(blocks);
    const std::uint64_t unit = card.major >= 8 ? 128 : 256;
    // The shared memory reserved per block is not subtracted: on an H200, two blocks get half of
    // 228 KiB each (measured).
    *bytes = std::min(share / unit * unit, card.shared_per_block_optin) - info.static_shared_bytes;
    return cudaSuccess;
  });
}

}  // namespace
}  // namespace warpsim::cudart

using namespace warpsim::cudart;
using warpsim::KernelInfo;

extern "C" {

cudaError_t cudaFuncGetAttributes(cudaFuncAttributes* attributes, const void* function) {
  return api(__func__, [&](Call& call) { return fill_attributes(call, attributes, function); });
}

cudaError_t cudaFuncSetAttribute(const void* function, cudaFuncAttribute attribute, int value) {
  return api(__func__, [&](Call& call) { return set_attribute(call, function, attribute, value); });
}

/// Only a preference: counters do not depend on it.
cudaError_t cudaFuncSetCacheConfig(const void* function, cudaFuncCache) {
  return api(__func__, [&](Call&) {
    cudaError_t error = cudaSuccess;
    (void)function_or_error(function, error);
    return error;
  });
}

cudaError_t cudaFuncSetSharedMemConfig(const void* function, cudaSharedMemConfig) {
  return api(__func__, [&](Call&) {
    cudaError_t error = cudaSuccess;
    (void)function_or_error(function, error);
    return error;
  });
}

cudaError_t cudaFuncGetName(const char** name, const void* function) {
  return api(__func__, [&](Call&) {
    if (name == nullptr) return cudaErrorInvalidValue;
    cudaError_t error = cudaSuccess;
    const Function* found = function_or_error(function, error);
    if (found != nullptr) *name = found->name.c_str();
    return error;
  });
}

cudaError_t cudaFuncGetParamInfo(const void* function, size_t index, size_t* offset, size_t* size) {
  return api(__func__, [&](Call& call) {
    if (offset == nullptr) return cudaErrorInvalidValue;
    return with_kernel(call, function, [&](const FunctionOnDevice&, const KernelInfo& info) {
      if (index >= info.parameter_sizes.size()) return cudaErrorInvalidValue;
      *offset = info.parameter_offsets[index];
      if (size != nullptr) *size = info.parameter_sizes[index];
      return cudaSuccess;
    });
  });
}

cudaError_t cudaGetFuncBySymbol(cudaFunction_t* handle, const void* function) {
  return api(__func__, [&](Call&) {
    if (handle == nullptr) return cudaErrorInvalidValue;
    cudaError_t error = cudaSuccess;
    *handle = reinterpret_cast<cudaFunction_t>(function_or_error(function, error));
    return error;
  });
}

cudaError_t cudaGetKernel(cudaKernel_t* handle, const void* function) {
  return api(__func__, [&](Call&) {
    if (handle == nullptr) return cudaErrorInvalidValue;
    cudaError_t error = cudaSuccess;
    *handle = reinterpret_cast<cudaKernel_t>(function_or_error(function, error));
    return error;
  });
}

cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, const void* function,
                                                          int block_size, size_t dynamic_shared) {
  return api(__func__, [&](Call& call) {
    return max_active_blocks(call, blocks, function, block_size, dynamic_shared);
  });
}

cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(
    int* blocks, const void* function, int block_size, size_t dynamic_shared, unsigned flags) {
  return api(__func__, [&](Call& call) {
    if ((flags & ~unsigned{cudaOccupancyDisableCachingOverride}) != 0) {
      return cudaErrorInvalidValue;
    }
    return max_active_blocks(call, blocks, function, block_size, dynamic_shared);
  });
}

cudaError_t cudaOccupancyAvailableDynamicSMemPerBlock(size_t* bytes, const void* function,
                                                      int blocks, int block_size) {
  return api(__func__, [&](Call& call) {
    return available_shared(call, bytes, function, blocks, block_size);
  });
}

}  // extern "C"
