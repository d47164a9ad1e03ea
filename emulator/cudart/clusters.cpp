#include <algorithm>
#include <span>

#include "emulator/cudart/launch.h"

// How many clusters of a launch fit on the card, and how large they may be.

namespace warpsim::cudart {
namespace {

constexpr int kPortableClusterBlocks = 8;
constexpr int kMostClusterBlocks = 16;

/// Blocks per cluster in a configuration; 0 if it has no clusters.
std::uint64_t asked_blocks(const cudaLaunchConfig_t& config) {
  if (config.attrs == nullptr) return 0;
  for (const cudaLaunchAttribute& attribute : std::span(config.attrs, config.numAttrs)) {
    if (attribute.id != cudaLaunchAttributeClusterDimension) continue;
    const auto& cluster = attribute.val.clusterDim;
    return std::uint64_t{cluster.x} * cluster.y * cluster.z;
  }
  return 0;
}

/// Runs `use(blocks that fit on a multiprocessor, function, kernel)`.
template <class Use>
cudaError_t with_fit(Call& call, const void* host_function, const cudaLaunchConfig_t* config,
                     Use use) {
  if (config == nullptr) return cudaErrorInvalidValue;
  cudaError_t error = cudaSuccess;
  Function* function = function_or_error(host_function, error);
  if (function == nullptr) return error;
  const Kernel* kernel = kernel_or_error(call, *function, error);
  if (kernel == nullptr) return error;
  const KernelInfo& info = call.runtime.machine.info(*kernel);
  const dim3 block = config->blockDim;
  const Occupancy fit = occupancy(call.runtime.card, static_cast<int>(block.x * block.y * block.z),
                                  static_cast<int>(info.registers),
                                  info.static_shared_bytes + config->dynamicSmemBytes);
  return use(fit.blocks_per_sm, function->on(current_device()), info);
}

}  // namespace
}  // namespace warpsim::cudart

using namespace warpsim::cudart;
using warpsim::KernelInfo;

extern "C" {

/// A cluster runs in one GPC; here the card is one GPC.
cudaError_t cudaOccupancyMaxActiveClusters(int* clusters, const void* function,
                                           const cudaLaunchConfig_t* config) {
  return api(__func__, [&](Call& call) {
    if (clusters == nullptr) return cudaErrorInvalidValue;
    return with_fit(
        call, function, config, [&](int fit, const FunctionOnDevice&, const KernelInfo& info) {
          std::uint64_t blocks = asked_blocks(*config);
          const auto& declared = info.limits.cluster;
          if (declared[0] != 0) {
            blocks =
                std::uint64_t{declared[0]} * std::max(declared[1], 1u) * std::max(declared[2], 1u);
          }
          if (call.runtime.card.major < 9) return cudaErrorNotSupported;
          if (blocks == 0 || blocks > kMostClusterBlocks) return cudaErrorInvalidClusterSize;
          *clusters = fit * call.runtime.card.multiprocessors / static_cast<int>(blocks);
          return cudaSuccess;
        });
  });
}

cudaError_t cudaOccupancyMaxPotentialClusterSize(int* blocks, const void* function,
                                                 const cudaLaunchConfig_t* config) {
  return api(__func__, [&](Call& call) {
    if (blocks == nullptr) return cudaErrorInvalidValue;
    return with_fit(call, function, config,
                    [&](int fit, const FunctionOnDevice& f, const KernelInfo&) {
                      if (call.runtime.card.major < 9) return cudaErrorNotSupported;
                      *blocks = fit == 0                 ? 0
                                : f.non_portable_cluster ? kMostClusterBlocks
                                                         : kPortableClusterBlocks;
                      return cudaSuccess;
                    });
  });
}

}  // extern "C"
