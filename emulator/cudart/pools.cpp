#include <algorithm>
#include <array>
#include <limits>
#include <memory>
#include <span>
#include <vector>

#include "emulator/cudart/memory.h"

// Memory pools. Freed memory is released at once, so attributes for how much a pool keeps are
// accepted without effect, and it reserves what holds the memory in use: units of 32 MiB, as on an
// H200 (2026-11-30).

namespace warpsim::cudart {
namespace {

struct Pool {
  int device = 0;
  /// The devices that may use its memory, as bits; shared with the allocations.
  std::shared_ptr<std::uint32_t> access = std::make_shared<std::uint32_t>(0);
  /// Policies are ints, the others sizes; index is cudaMemPoolAttr.
  std::array<std::uint64_t, 9> attributes = {0, 1, 1, 1, 0, 0, 0, 0, 0};
  std::uint64_t used = 0;  // bytes
  static constexpr std::uint64_t kUnit = std::uint64_t{32} << 20;

  /// What counts now, for an attribute of memory used or reserved.
  [[nodiscard]] std::uint64_t current(cudaMemPoolAttr which) const {
    const bool of_used =
        which == cudaMemPoolAttrUsedMemCurrent || which == cudaMemPoolAttrUsedMemHigh;
    return of_used ? used : (used + kUnit - 1) / kUnit * kUnit;
  }

  [[nodiscard]] std::uint64_t& attribute(cudaMemPoolAttr which) {
    return attributes[static_cast<std::size_t>(which)];
  }
  void use(std::uint64_t bytes) {
    used = bytes;
    for (const cudaMemPoolAttr high :
         {cudaMemPoolAttrReservedMemHigh, cudaMemPoolAttrUsedMemHigh}) {
      attribute(high) = std::max(attribute(high), current(high));
    }
  }

  [[nodiscard]] cudaMemPool_t handle() { return reinterpret_cast<cudaMemPool_t>(this); }
};

/// The default pools, and those created by the program. Never destroyed, because calls may come
/// after static destructors.
struct Pools {
  std::array<Pool, kMostDevices> standard;  // by device
  std::array<cudaMemPool_t, kMostDevices> current = {};  // by device
  std::vector<std::unique_ptr<Pool>> made;

  Pools() {
    for (std::size_t device = 0; device < standard.size(); ++device) {
      standard[device].device = static_cast<int>(device);
      current[device] = standard[device].handle();
    }
  }
};

Pools& pools() {
  static auto& instance = *new Pools;
  return instance;
}

Pool& standard_pool(int device) {
  return pools().standard[static_cast<std::size_t>(device)];
}
cudaMemPool_t& current_pool_handle(int device) {
  return pools().current[static_cast<std::size_t>(device)];
}

Pool* find_pool(cudaMemPool_t handle) {
  for (Pool& pool : pools().standard) {
    if (pool.handle() == handle) return &pool;
  }
  const auto found = std::find_if(pools().made.begin(), pools().made.end(),
                                  [&](const auto& pool) { return pool->handle() == handle; });
  return found == pools().made.end() ? nullptr : found->get();
}

bool is_pool(cudaMemPool_t pool) {
  return find_pool(pool) != nullptr;
}

/// @param of  the pool of a device
template <class Of>
cudaError_t get_pool(Call& call, cudaMemPool_t* out, int device, Of of) {
  if (out == nullptr) return cudaErrorInvalidValue;
  if (!call.runtime.has_device(device)) return cudaErrorInvalidDevice;
  *out = of(device);
  return cudaSuccess;
}

cudaError_t create_pool(Call& call, cudaMemPool_t* pool, const cudaMemPoolProps* properties) {
  if (pool == nullptr || properties == nullptr) return cudaErrorInvalidValue;
  if (properties->allocType != cudaMemAllocationTypePinned) return cudaErrorInvalidValue;
  if (properties->handleTypes != cudaMemHandleTypeNone) return cudaErrorNotSupported;
  const cudaMemLocation& place = properties->location;
  if (place.type != cudaMemLocationTypeDevice) return cudaErrorNotSupported;
  if (!call.runtime.has_device(place.id)) return cudaErrorInvalidDevice;
  pools().made.push_back(std::make_unique<Pool>());
  pools().made.back()->device = place.id;
  *pool = pools().made.back()->handle();
  return cudaSuccess;
}

cudaError_t destroy_pool(cudaMemPool_t handle) {
  const auto is_this = [&](const auto& pool) { return pool->handle() == handle; };
  if (std::erase_if(pools().made, is_this) == 0) return cudaErrorInvalidValue;
  for (Pool& standard : pools().standard) {
    cudaMemPool_t& current = current_pool_handle(standard.device);
    if (current == handle) current = standard.handle();
  }
  return cudaSuccess;
}

/// A device always has access to its own pools; other devices get it and lose it.
cudaError_t set_access(Call& call, cudaMemPool_t handle, const cudaMemAccessDesc* list,
                       size_t count) {
  const Pool* pool = find_pool(handle);
  if (pool == nullptr || (list == nullptr && count != 0)) return cudaErrorInvalidValue;
  std::uint32_t access = *pool->access;
  for (const cudaMemAccessDesc& wanted : std::span(list, count)) {
    const int device = wanted.location.id;
    if (!call.runtime.has_device(device)) return cudaErrorInvalidDevice;
    const bool none = wanted.flags == cudaMemAccessFlagsProtNone && device != pool->device;
    if (!none && wanted.flags != cudaMemAccessFlagsProtReadWrite) return cudaErrorInvalidValue;
    access = none ? access & ~(1u << device) : access | 1u << device;
  }
  *pool->access = access;
  return cudaSuccess;
}

cudaError_t get_access(Call& call, cudaMemAccessFlags* flags, cudaMemPool_t handle,
                       const cudaMemLocation* location) {
  const Pool* pool = find_pool(handle);
  if (flags == nullptr || location == nullptr || pool == nullptr) return cudaErrorInvalidValue;
  if (!call.runtime.has_device(location->id)) return cudaErrorInvalidDevice;
  const bool has = location->id == pool->device || (*pool->access >> location->id & 1) != 0;
  *flags = has ? cudaMemAccessFlagsProtReadWrite : cudaMemAccessFlagsProtNone;
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
bool is_highest_use(cudaMemPoolAttr attribute) {
  return attribute == cudaMemPoolAttrReservedMemHigh || attribute == cudaMemPoolAttrUsedMemHigh;
}

}  // namespace

void note_pool_use(const GlobalMemory::Allocation& allocation, bool allocated) {
  if (allocation.pool_access == nullptr) return;
  const auto note = [&](Pool& pool) {
    if (pool.access != allocation.pool_access) return;
    pool.use(allocated ? pool.used + allocation.size : pool.used - allocation.size);
  };
  for (Pool& pool : pools().standard) note(pool);
  for (const auto& pool : pools().made) note(*pool);
}

PoolMemory current_pool(int device) {
  const Pool* pool = find_pool(current_pool_handle(device));
  return {.device = pool->device, .access = pool->access};
}

}  // namespace warpsim::cudart

using namespace warpsim::cudart;

extern "C" {

cudaError_t cudaDeviceGetDefaultMemPool(cudaMemPool_t* pool, int device) {
  return api(__func__, [&](Call& call) {
    return get_pool(call, pool, device, [](int of) { return standard_pool(of).handle(); });
  });
}

cudaError_t cudaDeviceGetMemPool(cudaMemPool_t* pool, int device) {
  return api(__func__,
             [&](Call& call) { return get_pool(call, pool, device, current_pool_handle); });
}

cudaError_t cudaDeviceSetMemPool(int device, cudaMemPool_t pool) {
  return api(__func__, [&](Call& call) {
    if (!call.runtime.has_device(device)) return cudaErrorInvalidDevice;
    const Pool* found = find_pool(pool);
    if (found == nullptr || found->device != device) return cudaErrorInvalidValue;
    current_pool_handle(device) = pool;
    return cudaSuccess;
  });
}

cudaError_t cudaMemPoolCreate(cudaMemPool_t* pool, const cudaMemPoolProps* properties) {
  return api(__func__, [&](Call& call) { return create_pool(call, pool, properties); });
}

cudaError_t cudaMemPoolDestroy(cudaMemPool_t pool) {
  return api(__func__, [&](Call&) { return destroy_pool(pool); });
}

cudaError_t cudaMemPoolSetAccess(cudaMemPool_t pool, const cudaMemAccessDesc* list, size_t count) {
  return api(__func__, [&](Call& call) { return set_access(call, pool, list, count); });
}

cudaError_t cudaMemPoolGetAccess(cudaMemAccessFlags* flags, cudaMemPool_t pool,
                                 cudaMemLocation* location) {
  return api(__func__, [&](Call& call) { return get_access(call, flags, pool, location); });
}

cudaError_t cudaMemPoolSetAttribute(cudaMemPool_t pool, cudaMemPoolAttr attribute, void* value) {
  return api(__func__, [&](Call&) {
    const bool settable = known(attribute) && !is_current_use(attribute);
    if (!is_pool(pool) || !settable || value == nullptr) return cudaErrorInvalidValue;
    Pool& changed = *find_pool(pool);
    const std::uint64_t wanted = is_policy(attribute)
                                     ? static_cast<std::uint64_t>(*static_cast<const int*>(value))
                                     : *static_cast<const std::uint64_t*>(value);
    if (is_highest_use(attribute)) {
      if (wanted != 0) return cudaErrorInvalidValue;
      changed.attribute(attribute) = changed.current(attribute);  // counts anew
    } else {
      changed.attribute(attribute) = wanted;
    }
    return cudaSuccess;
  });
}

cudaError_t cudaMemPoolGetAttribute(cudaMemPool_t pool, cudaMemPoolAttr attribute, void* value) {
  return api(__func__, [&](Call&) {
    if (!is_pool(pool) || !known(attribute) || value == nullptr) return cudaErrorInvalidValue;
    Pool& found = *find_pool(pool);
    const std::uint64_t kept = found.attribute(attribute);
    if (is_policy(attribute)) {
      *static_cast<int*>(value) = static_cast<int>(kept);
    } else {
      *static_cast<std::uint64_t*>(value) =
          is_current_use(attribute) ? found.current(attribute) : kept;
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
    const Pool* from = find_pool(pool);
    if (from == nullptr) return cudaErrorInvalidValue;
    return allocate_ordered(call, pointer, size, stream,
                            {.device = from->device, .access = from->access});
  });
}

}  // extern "C"

WARPSIM_TWIN(cudaMallocFromPoolAsync, _ptsz)
