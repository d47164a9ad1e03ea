#include <cuda_profiler_api.h>

#include <bit>
#include <cstdio>
#include <cstring>

#include "emulator/cudart/abi.h"
#include "emulator/cudart/api.h"
#include "emulator/cudart/device_attributes.h"
#include "emulator/cudart/finish.h"

// The device itself: there is one, number 0.

namespace warpsim::cudart {
namespace {

constexpr int kDeviceCount = 1;
// Names that not every toolkit of CUDA 12 has.
constexpr unsigned kSyncMemops = 0x80;  // cudaDeviceSyncMemops
constexpr int kLastP2PAttribute = 5;  // cudaDevP2PAttrOnlyPartialNativeAtomicSupported

constexpr unsigned kDeviceFlags =
    cudaDeviceScheduleMask | cudaDeviceMapHost | cudaDeviceLmemResizeToMax | kSyncMemops;

unsigned device_flags = cudaDeviceMapHost;
cudaFuncCache cache_config = cudaFuncCachePreferNone;

constexpr size_t kMaxStackBytes = 512 * 1024;

bool known_limit(cudaLimit limit) {
  // The depth of nested synchronisation no longer exists on cards of compute capability 9.
  return limit >= cudaLimitStackSize && limit <= cudaLimitPersistingL2CacheSize &&
         limit != cudaLimitDevRuntimeSyncDepth;
}

cudaError_t valid_device(int device) {
  return device >= 0 && device < kDeviceCount ? cudaSuccess : cudaErrorInvalidDevice;
}

template <class T>
cudaError_t store(T* out, T value) {
  if (out == nullptr) return cudaErrorInvalidValue;
  *out = value;
  return cudaSuccess;
}

cudaError_t set_flags(unsigned flags) {
  const bool one_schedule = std::popcount(flags & unsigned{cudaDeviceScheduleMask}) <= 1;
  if ((flags & ~kDeviceFlags) != 0 || !one_schedule) return cudaErrorInvalidValue;
  device_flags = flags | cudaDeviceMapHost;
  return cudaSuccess;
}

/// All work is done already; records that the host knows it. Fails while a stream is being
/// captured.
cudaError_t synchronize(Call& call) {
  if (const cudaError_t error = call.runtime.streams.refuse_while_capturing()) return error;
  call.runtime.waited(call.name);
  return cudaSuccess;
}

}  // namespace
}  // namespace warpsim::cudart

using namespace warpsim::cudart;

extern "C" {

cudaError_t cudaGetDeviceCount(int* count) {
  return query(__func__, [&](Call&) { return store(count, kDeviceCount); });
}

cudaError_t cudaGetDevice(int* device) {
  return query(__func__, [&](Call&) { return store(device, 0); });
}

cudaError_t cudaSetDevice(int device) {
  return query(__func__, [&](Call&) { return valid_device(device); });
}

cudaError_t cudaInitDevice(int device, unsigned wanted, unsigned flags) {
  return query(__func__, [&](Call&) {
    if (const cudaError_t error = valid_device(device)) return error;
    if ((flags & ~unsigned{cudaInitDeviceFlagsAreValid}) != 0) return cudaErrorInvalidValue;
    return flags != 0 ? set_flags(wanted) : cudaSuccess;
  });
}

cudaError_t cudaSetValidDevices(int* devices, int count) {
  return query(__func__, [&](Call&) {
    if (count == 0) return cudaSuccess;  // back to all of them
    if (devices == nullptr || count < 0 || count > kDeviceCount) return cudaErrorInvalidValue;
    return valid_device(devices[0]);
  });
}

cudaError_t cudaGetDeviceFlags(unsigned* flags) {
  return query(__func__, [&](Call&) { return store(flags, device_flags); });
}

cudaError_t cudaSetDeviceFlags(unsigned flags) {
  return query(__func__, [&](Call&) { return set_flags(flags); });
}

cudaError_t cudaDeviceGetAttribute(int* value, cudaDeviceAttr attribute, int device) {
  return query(__func__, [&](Call& call) {
    if (const cudaError_t error = valid_device(device)) return error;
    const auto found = device_attribute(call.runtime.card, attribute);
    return found ? store(value, *found) : cudaErrorInvalidValue;
  });
}

cudaError_t cudaDeviceSynchronize() {
  return api(__func__, [&](Call& call) { return synchronize(call); });
}

cudaError_t cudaDeviceReset() {
  return query(__func__, [&](Call& call) {
    find_leaks(call.runtime);
    call.runtime.reset();
    return cudaSuccess;
  });
}

cudaError_t cudaRuntimeGetVersion(int* version) {
  return query(__func__, [&](Call&) { return store(version, kRuntimeVersion); });
}

cudaError_t cudaDriverGetVersion(int* version) {
  return query(__func__, [&](Call&) { return store(version, kRuntimeVersion); });
}

cudaError_t cudaDeviceGetLimit(size_t* value, cudaLimit limit) {
  return api(__func__, [&](Call& call) {
    if (!known_limit(limit)) return cudaErrorUnsupportedLimit;
    return store(value, call.runtime.limits[static_cast<std::size_t>(limit)]);
  });
}

cudaError_t cudaDeviceSetLimit(cudaLimit limit, size_t value) {
  return api(__func__, [&](Call& call) {
    if (!known_limit(limit)) return cudaErrorUnsupportedLimit;
    if (limit == cudaLimitStackSize && value > kMaxStackBytes) return cudaErrorInvalidValue;
    call.runtime.limits[static_cast<std::size_t>(limit)] = value;
    return cudaSuccess;
  });
}

cudaError_t cudaDeviceGetCacheConfig(cudaFuncCache* config) {
  return api(__func__, [&](Call&) { return store(config, cache_config); });
}

/// Only a preference: counters do not depend on it.
cudaError_t cudaDeviceSetCacheConfig(cudaFuncCache config) {
  return api(__func__, [&](Call&) {
    const bool valid = config >= cudaFuncCachePreferNone && config <= cudaFuncCachePreferEqual;
    if (!valid) return cudaErrorInvalidValue;
    cache_config = config;
    return cudaSuccess;
  });
}

cudaError_t cudaDeviceGetSharedMemConfig(cudaSharedMemConfig* config) {
  return api(__func__, [&](Call&) { return store(config, cudaSharedMemBankSizeFourByte); });
}

/// Current cards have banks of four bytes and ignore a request for eight.
cudaError_t cudaDeviceSetSharedMemConfig(cudaSharedMemConfig config) {
  return api(__func__, [&](Call&) {
    const bool valid =
        config >= cudaSharedMemBankSizeDefault && config <= cudaSharedMemBankSizeEightByte;
    return valid ? cudaSuccess : cudaErrorInvalidValue;
  });
}

cudaError_t cudaDeviceGetPCIBusId(char* id, int length, int device) {
  return api(__func__, [&](Call& call) {
    if (const cudaError_t error = valid_device(device)) return error;
    const auto part = [&](int number) {
      return static_cast<unsigned>(device_attribute(call.runtime.card, number).value_or(0));
    };
    char text[16] = {};
    std::snprintf(text, sizeof text, "%04x:%02x:%02x.0", part(cudaDevAttrPciDomainId) & 0xffff,
                  part(cudaDevAttrPciBusId) & 0xff, part(cudaDevAttrPciDeviceId) & 0xff);
    if (id == nullptr || length <= static_cast<int>(std::strlen(text))) {
      return cudaErrorInvalidValue;
    }
    std::strcpy(id, text);
    return cudaSuccess;
  });
}

cudaError_t cudaDeviceGetByPCIBusId(int* device, const char* id) {
  return api(__func__, [&](Call&) {
    if (id == nullptr) return cudaErrorInvalidValue;
    if (std::strcmp(id, "0000:01:00.0") != 0) return cudaErrorInvalidDevice;
    return store(device, 0);
  });
}

// A single device has no peers; results are those of a machine with one card.

cudaError_t cudaDeviceCanAccessPeer(int* can, int device, int peer) {
  return api(__func__, [&](Call&) {
    if (const cudaError_t error = valid_device(device)) return error;
    if (const cudaError_t error = valid_device(peer)) return error;
    return store(can, 0);
  });
}

cudaError_t cudaDeviceGetP2PAttribute(int* value, cudaDeviceP2PAttr attribute, int source,
                                      int destination) {
  return api(__func__, [&](Call&) {
    const bool known = attribute >= cudaDevP2PAttrPerformanceRank && attribute <= kLastP2PAttribute;
    if (value == nullptr || !known) return cudaErrorInvalidValue;
    if (const cudaError_t error = valid_device(source)) return error;
    if (const cudaError_t error = valid_device(destination)) return error;
    return cudaErrorInvalidDevice;  // the devices must differ
  });
}

cudaError_t cudaDeviceEnablePeerAccess(int peer, unsigned flags) {
  return api(__func__, [&](Call&) {
    if (flags != 0) return cudaErrorInvalidValue;
    const cudaError_t error = valid_device(peer);
    return error != cudaSuccess ? error : cudaErrorPeerAccessUnsupported;
  });
}

cudaError_t cudaDeviceDisablePeerAccess(int peer) {
  return api(__func__, [&](Call&) {
    const cudaError_t error = valid_device(peer);
    return error != cudaSuccess ? error : cudaErrorPeerAccessNotEnabled;
  });
}

cudaError_t cudaProfilerStart() {
  return api(__func__, [&](Call&) { return cudaSuccess; });
}

cudaError_t cudaProfilerStop() {
  return api(__func__, [&](Call&) { return cudaSuccess; });
}

cudaChannelFormatDesc cudaCreateChannelDesc(int x, int y, int z, int w,
                                            cudaChannelFormatKind kind) {
  return {x, y, z, w, kind};
}

cudaError_t cudaCtxResetPersistingL2Cache() {
  return api(__func__, [&](Call&) { return cudaSuccess; });
}

}  // extern "C"
