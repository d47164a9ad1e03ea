#include <algorithm>
#include <array>
#include <limits>
#include <memory>
#include <vector>

#include "emulator/cudart/memory.h"

// Memory pools. Freed memory is released at once, so attributes for how much a pool keeps are
// accepted without effect, and all pools share their memory in use.

namespace warpsim::cudart {
namespace {

struct Pool {
  /// Policies are ints, the others sizes; index is cudaMemPoolAttr.
  std::array<std::uint64_t, 9> attributes = {0, 1, 1, 1, 0, 0, 0, 0, 0};

  [[nodiscard]] cudaMemPool_t handle() { return reinterpret_cast<cudaMemPool_t>(this); }
};

/// The default pool, and those created by the program. Never destroyed, because calls may come
/// after static destructors.
struct Pools {
  Pool standard;
  std::vector<std::unique_ptr<Pool>> made;
  cudaMemPool_t current = standard.handle();
};

Pools& pools() {
  static auto& instance = *new Pools;
  return instance;
}

Pool* find_pool(cudaMemPool_t handle) {
  if (handle == pools().standard.handle()) return &pools().standard;
  const auto found = std::find_if(pools().made.begin(), pools().made.end(),
                                  [&](const auto& pool) { return pool->handle() == handle; });
  return found == pools().made.end() ? nullptr : found->get();
}

bool is_pool(cudaMemPool_t pool) {
  return find_pool(pool) != nullptr;
}

cudaError_t get_pool(cudaMemPool_t* out, int device, cudaMemPool_t pool) {
  if (out == nullptr) return cudaErrorInvalidValue;
  if (device != 0) return cudaErrorInvalidDevice;
  *out = pool;
  return cudaSuccess;
}

cudaError_t create_pool(cudaMemPool_t* pool, const cudaMemPoolProps* properties) {
  if (pool == nullptr || properties == nullptr) return cudaErrorInvalidValue;
  if (properties->allocType != cudaMemAllocationTypePinned) return cudaErrorInvalidValue;
  if (properties->handleTypes != cudaMemHandleTypeNone) return cudaErrorNotSupported;
  const cudaMemLocation& place = properties->location;
  if (place.type != cudaMemLocationTypeDevice) return cudaErrorNotSupported;
  if (place.id != 0) return cudaErrorInvalidDevice;
  pools().made.push_back(std::make_unique<Pool>());
  *pool = pools().made.back()->handle();
  return cudaSuccess;
}

cudaError_t destroy_pool(cudaMemPool_t handle) {
  const auto is_this = [&](const auto& pool) { return pool->handle() == handle; };
  if (std::erase_if(pools().made, is_this) == 0) return cudaErrorInvalidValue;
  if (pools().current == handle) pools().current = pools().standard.handle();
  return cudaSuccess;
}

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
  return api(__func__, [&](Call&) { return get_pool(pool, device, pools().standard.handle()); });
}

cudaError_t cudaDeviceGetMemPool(cudaMemPool_t* pool, int device) {
  return api(__func__, [&](Call&) { return get_pool(pool, device, pools().current); });
}

cudaError_t cudaDeviceSetMemPool(int device, cudaMemPool_t pool) {
  return api(__func__, [&](Call&) {
    if (device != 0) return cudaErrorInvalidDevice;
    if (!is_pool(pool)) return cudaErrorInvalidValue;
    pools().current = pool;
    return cudaSuccess;
  });
}

cudaError_t cudaMemPoolCreate(cudaMemPool_t* pool, const cudaMemPoolProps* properties) {
  return api(__func__, [&](Call&) { return create_pool(pool, properties); });
}

cudaError_t cudaMemPoolDestroy(cudaMemPool_t pool) {
  return api(__func__, [&](Call&) { return destroy_pool(pool); });
}

/// A device always has access to its own pools, and there is no other device.
cudaError_t cudaMemPoolSetAccess(cudaMemPool_t pool, const cudaMemAccessDesc* list, size_t count) {
  return api(__func__, [&](Call&) {
    if (!is_pool(pool) || (list == nullptr && count != 0)) return cudaErrorInvalidValue;
    for (size_t i = 0; i < count; ++i) {
      if (list[i].location.id != 0) return cudaErrorInvalidDevice;
      if (list[i].flags != cudaMemAccessFlagsProtReadWrite) return cudaErrorInvalidValue;
    }
    return cudaSuccess;
  });
}

cudaError_t cudaMemPoolGetAccess(cudaMemAccessFlags* flags, cudaMemPool_t pool,
                                 cudaMemLocation* location) {
  return api(__func__, [&](Call&) {
    if (flags == nullptr || location == nullptr || !is_pool(pool)) return cudaErrorInvalidValue;
    if (location->id != 0) return cudaErrorInvalidDevice;
    *flags = cudaMemAccessFlagsProtReadWrite;
    return cudaSuccess;
  });
}

cudaError_t cudaMemPoolSetAttribute(cudaMemPool_t pool, cudaMemPoolAttr attribute, void* value) {
  return api(__func__, [&](Call&) {
    const bool settable = known(attribute) && !is_current_use(attribute);
    if (!is_pool(pool) || !settable || value == nullptr) return cudaErrorInvalidValue;
    find_pool(pool)->attributes[static_cast<std::size_t>(attribute)] =
        is_policy(attribute) ? static_cast<std::uint64_t>(*static_cast<const int*>(value))
                             : *static_cast<const std::uint64_t*>(value);
    return cudaSuccess;
  });
}

cudaError_t cudaMemPoolGetAttribute(cudaMemPool_t pool, cudaMemPoolAttr attribute, void* value) {
  return api(__func__, [&](Call& call) {
    if (!is_pool(pool) || !known(attribute) || value == nullptr) return cudaErrorInvalidValue;
    const std::uint64_t kept = find_pool(pool)->attributes[static_cast<std::size_t>(attribute)];
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
