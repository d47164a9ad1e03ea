#include <array>
#include <limits>

#include "emulator/cudart/memory.h"

// Memory pools: the device has its default pool and no other. Memory that is freed goes back at
// once, so the attributes that tune how much a pool keeps are accepted and have no effect.

namespace warpsim::cudart {
namespace {

char default_pool = 0;  // its address is the handle

cudaMemPool_t pool_handle() {
  return reinterpret_cast<cudaMemPool_t>(&default_pool);
}

bool is_pool(cudaMemPool_t pool) {
  return pool == pool_handle();
}

cudaError_t get_pool(cudaMemPool_t* pool, int device) {
  if (pool == nullptr) return cudaErrorInvalidValue;
  if (device != 0) return cudaErrorInvalidDevice;
  *pool = pool_handle();
  return cudaSuccess;
}

/// Policies are ints, the others sizes; index is cudaMemPoolAttr.
std::array<std::uint64_t, 9> attributes = {0, 1, 1, 1, 0, 0, 0, 0, 0};

bool is_policy(cudaMemPoolAttr attribute) {
  return attribute >= cudaMemPoolReuseFollowEventDependencies &&
         attribute <= cudaMemPoolReuseAllowInternalDependencies;
}

bool known(cudaMemPoolAttr attribute) {
  return attribute >= cudaMemPoolReuseFollowEventDependencies &&
         attribute <= cudaMemPoolAttrUsedMemHigh;
}

bool is_current_use(cudaMemPoolAttr attribute) {
  return attribute == cudaMemPoolAttrReservedMemCurrent ||
         attribute == cudaMemPoolAttrUsedMemCurrent;
}

}  // namespace
}  // namespace warpsim::cudart

using namespace warpsim::cudart;

extern "C" {

cudaError_t cudaDeviceGetDefaultMemPool(cudaMemPool_t* pool, int device) {
  return api(__func__, [&](Call&) { return get_pool(pool, device); });
}

cudaError_t cudaDeviceGetMemPool(cudaMemPool_t* pool, int device) {
  return api(__func__, [&](Call&) { return get_pool(pool, device); });
}

cudaError_t cudaDeviceSetMemPool(int device, cudaMemPool_t pool) {
  return api(__func__, [&](Call&) {
    if (device != 0) return cudaErrorInvalidDevice;
    return is_pool(pool) ? cudaSuccess : cudaErrorInvalidValue;
  });
}

cudaError_t cudaMemPoolSetAttribute(cudaMemPool_t pool, cudaMemPoolAttr attribute, void* value) {
  return api(__func__, [&](Call&) {
    const bool settable = known(attribute) && !is_current_use(attribute);
    if (!is_pool(pool) || !settable || value == nullptr) return cudaErrorInvalidValue;
    attributes[static_cast<std::size_t>(attribute)] =
        is_policy(attribute) ? static_cast<std::uint64_t>(*static_cast<const int*>(value))
                             : *static_cast<const std::uint64_t*>(value);
    return cudaSuccess;
  });
}

cudaError_t cudaMemPoolGetAttribute(cudaMemPool_t pool, cudaMemPoolAttr attribute, void* value) {
  return api(__func__, [&](Call& call) {
    if (!is_pool(pool) || !known(attribute) || value == nullptr) return cudaErrorInvalidValue;
    const std::uint64_t kept = attributes[static_cast<std::size_t>(attribute)];
    if (is_policy(attribute)) {
      *static_cast<int*>(value) = static_cast<int>(kept);
    } else {
      *static_cast<std::uint64_t*>(value) =
          is_current_use(attribute) ? call.runtime.memory.bytes_in_use() : kept;
    }
    return cudaSuccess;
  });
}

cudaError_t cudaMemPoolTrimTo(cudaMemPool_t pool, size_t) {
  return api(__func__, [&](Call&) { return is_pool(pool) ? cudaSuccess : cudaErrorInvalidValue; });
}

cudaError_t cudaMallocFromPoolAsync(void** pointer, size_t size, cudaMemPool_t pool,
                                    cudaStream_t stream) {
  return api(__func__, [&](Call& call) {
    if (!is_pool(pool)) return cudaErrorInvalidValue;
    return allocate_ordered(call, pointer, size, stream);
  });
}

}  // extern "C"

WARPSIM_TWIN(cudaMallocFromPoolAsync, _ptsz)
