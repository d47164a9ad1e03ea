#include <cuda_profiler_api.h>

#include <bit>
#include <cstdio>
#include <cstring>
#include <span>
#include <string>

#include "emulator/cudart/abi.h"
#include "emulator/cudart/api.h"
#include "emulator/cudart/device_attributes.h"
#include "emulator/cudart/finish.h"

// The devices themselves, numbered from 0.

namespace warpsim::cudart {
namespace {

// Names that not every toolkit of CUDA 12 has.
constexpr unsigned kSyncMemops = 0x80;  // cudaDeviceSyncMemops

constexpr unsigned kDeviceFlags =
    cudaDeviceScheduleMask | cudaDeviceMapHost | cudaDeviceLmemResizeToMax | kSyncMemops;

constexpr size_t kMaxStackBytes = 512 * 1024;

bool known_limit(cudaLimit limit) {
  // The depth of nested synchronisation no longer exists on cards of compute capability 9.
  return limit >= cudaLimitStackSize && limit <= cudaLimitPersistingL2CacheSize &&
         limit != cudaLimitDevRuntimeSyncDepth;
}

cudaError_t valid_device(const Call& call, int device) {
  return call.runtime.has_device(device) ? cudaSuccess : cudaErrorInvalidDevice;
}

template <class T>
cudaError_t store(T* out, T value) {
  if (out == nullptr) return cudaErrorInvalidValue;
  *out = value;
  return cudaSuccess;
}

cudaError_t set_flags(DeviceSettings& device, unsigned flags) {
  const bool one_schedule = std::popcount(flags & unsigned{cudaDeviceScheduleMask}) <= 1;
  if ((flags & ~kDeviceFlags) != 0 || !one_schedule) return cudaErrorInvalidValue;
  device.flags = flags | cudaDeviceMapHost;
  return cudaSuccess;
}

/// All work of the current device is done already; records that the host knows it. Fails while a
/// stream is being captured.
cudaError_t synchronize(Call& call) {
  if (const cudaError_t error = call.runtime.streams.refuse_while_capturing()) return error;
  call.runtime.waited(call.name, current_device());
  return cudaSuccess;
}

std::string bus_id(const Call& call, int device) {
  const auto part = [&](int number) {
    return static_cast<unsigned>(device_attribute(call.runtime.card, number, device).value_or(0));
  };
  char text[16] = {};
  std::snprintf(text, sizeof text, "%04x:%02x:%02x.0", part(cudaDevAttrPciDomainId) & 0xffff,
                part(cudaDevAttrPciBusId) & 0xff, part(cudaDevAttrPciDeviceId) & 0xff);
  return text;
}

}  // namespace
}  // namespace warpsim::cudart

using namespace warpsim::cudart;

extern "C" {

cudaError_t cudaGetDeviceCount(int* count) {
  return query(__func__, [&](Call& call) { return store(count, call.runtime.settings.devices); });
}

cudaError_t cudaGetDevice(int* device) {
  return query(__func__, [&](Call&) { return store(device, current_device()); });
}

cudaError_t cudaSetDevice(int device) {
  return query(__func__, [&](Call& call) {
    if (const cudaError_t error = valid_device(call, device)) return error;
    set_current_device(device);
    return cudaSuccess;
  });
}

cudaError_t cudaInitDevice(int device, unsigned wanted, unsigned flags) {
  return query(__func__, [&](Call& call) {
    if (const cudaError_t error = valid_device(call, device)) return error;
    if ((flags & ~unsigned{cudaInitDeviceFlagsAreValid}) != 0) return cudaErrorInvalidValue;
    if (flags == 0) return cudaSuccess;
    return set_flags(call.runtime.devices[static_cast<std::size_t>(device)], wanted);
  });
}

cudaError_t cudaSetValidDevices(int* devices, int count) {
  return query(__func__, [&](Call& call) {
    if (count == 0) return cudaSuccess;  // back to all of them
    if (devices == nullptr || count < 0 || count > call.runtime.settings.devices) {
      return cudaErrorInvalidValue;
    }
    for (const int device : std::span(devices, static_cast<std::size_t>(count))) {
      if (const cudaError_t error = valid_device(call, device)) return error;
    }
    return cudaSuccess;
  });
}

cudaError_t cudaGetDeviceFlags(unsigned* flags) {
  return query(__func__, [&](Call& call) { return store(flags, call.runtime.device().flags); });
}

cudaError_t cudaSetDeviceFlags(unsigned flags) {
  return query(__func__, [&](Call& call) { return set_flags(call.runtime.device(), flags); });
}

cudaError_t cudaDeviceGetAttribute(int* value, cudaDeviceAttr attribute, int device) {
  return query(__func__, [&](Call& call) {
    if (const cudaError_t error = valid_device(call, device)) return error;
    const auto found = device_attribute(call.runtime.card, attribute, device);
    return found ? store(value, *found) : cudaErrorInvalidValue;
  });
}

cudaError_t cudaDeviceSynchronize() {
  return api(__func__, [&](Call& call) { return synchronize(call); });
}

cudaError_t cudaDeviceReset() {
  return query(__func__, [&](Call& call) {
    find_leaks(call.runtime, current_device());
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
    return store(value, call.runtime.device().limits[static_cast<std::size_t>(limit)]);
  });
}

cudaError_t cudaDeviceSetLimit(cudaLimit limit, size_t value) {
  return api(__func__, [&](Call& call) {
    if (!known_limit(limit)) return cudaErrorUnsupportedLimit;
    if (limit == cudaLimitStackSize && value > kMaxStackBytes) return cudaErrorInvalidValue;
    call.runtime.device().limits[static_cast<std::size_t>(limit)] = value;
    return cudaSuccess;
  });
}

cudaError_t cudaDeviceGetCacheConfig(cudaFuncCache* config) {
  return api(__func__,
             [&](Call& call) { return store(config, call.runtime.device().cache_config); });
}

/// Only a preference: counters do not depend on it.
cudaError_t cudaDeviceSetCacheConfig(cudaFuncCache config) {
  return api(__func__, [&](Call& call) {
    const bool valid = config >= cudaFuncCachePreferNone && config <= cudaFuncCachePreferEqual;
    if (!valid) return cudaErrorInvalidValue;
    call.runtime.device().cache_config = config;
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
    if (const cudaError_t error = valid_device(call, device)) return error;
    const std::string text = bus_id(call, device);
    if (id == nullptr || length <= static_cast<int>(text.size())) return cudaErrorInvalidValue;
    std::strcpy(id, text.c_str());
    return cudaSuccess;
  });
}

cudaError_t cudaDeviceGetByPCIBusId(int* device, const char* id) {
  return api(__func__, [&](Call& call) {
    if (id == nullptr) return cudaErrorInvalidValue;
    for (int one = 0; call.runtime.has_device(one); ++one) {
      if (bus_id(call, one) == id) return store(device, one);
    }
    return cudaErrorInvalidDevice;
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
