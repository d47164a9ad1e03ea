#include "emulator/driver/contexts.h"

#include <algorithm>
#include <atomic>
#include <functional>
#include <iterator>
#include <map>
#include <memory>
#include <mutex>
#include <vector>

#include "emulator/driver/driver.h"

// An opaque type in CUDA's headers.
struct CUctx_st {
  unsigned flags = 0;
  int device = 0;
  unsigned uses = 1;  // of a created one
};

namespace warpsim::driver {
namespace {

std::atomic<const RuntimeLibrary*> initialized_library = nullptr;

struct Allocation {
  size_t bytes = 0;
  CUcontext owner = nullptr;
  AllocationKind kind = AllocationKind::device;
};

struct Primary {
  CUctx_st context;
  unsigned uses = 0;
};

struct Contexts {
  std::mutex mutex;
  std::map<CUdevice, Primary> primaries;  // made at first use, and never removed
  std::vector<std::unique_ptr<CUctx_st>> created;
  std::map<CUdeviceptr, Allocation> allocations;

  /// Never destroyed: threads may use it until the end.
  static Contexts& get() {
    static auto& contexts = *new Contexts;
    return contexts;
  }
  Primary& primary(CUdevice device) {
    Primary& one = primaries[device];
    one.context.device = device;
    return one;
  }
  [[nodiscard]] bool is_primary(CUcontext context) const {
    return std::any_of(primaries.begin(), primaries.end(),
                       [&](const auto& one) { return &one.second.context == context; });
  }
  [[nodiscard]] bool knows(CUcontext context) const {
    return is_primary(context) || std::any_of(created.begin(), created.end(), [&](const auto& one) {
             return one.get() == context;
           });
  }
  /// Memory of a context that ends.
  std::map<CUdeviceptr, Allocation> take_memory(CUcontext owner) {
    std::map<CUdeviceptr, Allocation> found;
    for (auto it = allocations.begin(); it != allocations.end();) {
      if (it->second.owner == owner) {
        found.insert(*it);
        it = allocations.erase(it);
      } else {
        ++it;
      }
    }
    return found;
  }
};

std::vector<CUcontext>& stack() {
  thread_local std::vector<CUcontext> contexts;
  return contexts;
}

bool has_device(const RuntimeLibrary& runtime, CUdevice device) {
  int count = 0;
  return runtime.cudaGetDeviceCount(&count) == cudaSuccess && device >= 0 && device < count;
}

/// The two APIs have the same current device.
void use_device_of(const RuntimeLibrary& runtime, CUcontext context) {
  if (context != nullptr) (void)runtime.cudaSetDevice(context->device);
}

CUresult create(CUcontext* context, unsigned flags, CUdevice device) {
  return initialized([&](const RuntimeLibrary& runtime) {
    if (context == nullptr || (flags & ~unsigned{CU_CTX_FLAGS_MASK}) != 0) {
      return CUDA_ERROR_INVALID_VALUE;
    }
    if (!has_device(runtime, device)) return CUDA_ERROR_INVALID_DEVICE;
    Contexts& contexts = Contexts::get();
    const std::lock_guard lock(contexts.mutex);
    contexts.created.push_back(
        std::make_unique<CUctx_st>(CUctx_st{.flags = flags, .device = device}));
    *context = contexts.created.back().get();
    stack().push_back(*context);
    use_device_of(runtime, *context);
    return CUDA_SUCCESS;
  });
}

void free_all(const RuntimeLibrary& runtime, const std::map<CUdeviceptr, Allocation>& memory) {
  for (const auto& [pointer, allocation] : memory) {
    void* const start = device_pointer(pointer);
    switch (allocation.kind) {
      case AllocationKind::device:
        (void)runtime.cudaFree(start);
        break;
      case AllocationKind::host:
        (void)runtime.cudaFreeHost(start);
        break;
      case AllocationKind::array:
        (void)runtime.cudaFreeArray(static_cast<cudaArray_t>(start));
        break;
    }
  }
}

CUresult release_primary(CUdevice device) {
  return initialized([&](const RuntimeLibrary& runtime) {
    if (!has_device(runtime, device)) return CUDA_ERROR_INVALID_DEVICE;
    Contexts& contexts = Contexts::get();
    std::map<CUdeviceptr, Allocation> memory;
    {
      const std::lock_guard lock(contexts.mutex);
      Primary& primary = contexts.primary(device);
      if (primary.uses == 0) return CUDA_ERROR_INVALID_CONTEXT;
      if (--primary.uses == 0) memory = contexts.take_memory(&primary.context);
    }
    free_all(runtime, memory);
    return CUDA_SUCCESS;
  });
}

CUresult with_primary(CUdevice device, const std::function<CUresult(Contexts&, Primary&)>& body) {
  return initialized([&](const RuntimeLibrary& runtime) {
    if (!has_device(runtime, device)) return CUDA_ERROR_INVALID_DEVICE;
    Contexts& contexts = Contexts::get();
    const std::lock_guard lock(contexts.mutex);
    return body(contexts, contexts.primary(device));
  });
}

}  // namespace

const RuntimeLibrary* initialized_runtime() {
  const RuntimeLibrary* const runtime = initialized_library;
  if (runtime != nullptr) return runtime;
  const RuntimeLibrary* const found = RuntimeLibrary::get();
  return found != nullptr && found->of_program ? found : nullptr;
}

CUcontext current_context() {
  const RuntimeLibrary* const runtime = initialized_runtime();
  if (runtime == nullptr) return nullptr;
  if (stack().empty() && !runtime->of_program) return nullptr;
  int device = 0;
  (void)runtime->cudaGetDevice(&device);
  // After cudaSetDevice of another device its primary context is current.
  if (!stack().empty() && stack().back()->device == device) return stack().back();
  const std::lock_guard lock(Contexts::get().mutex);
  CUcontext const primary = &Contexts::get().primary(device).context;
  if (!stack().empty()) stack().back() = primary;
  return primary;
}

int device_of(CUcontext context) {
  return context->device;
}

void note_allocation(CUdeviceptr pointer, size_t bytes, AllocationKind kind) {
  CUcontext const owner = current_context();
  Contexts& contexts = Contexts::get();
  const std::lock_guard lock(contexts.mutex);
  contexts.allocations[pointer] = {.bytes = bytes, .owner = owner, .kind = kind};
}

CUcontext owner_of(CUdeviceptr pointer) {
  Contexts& contexts = Contexts::get();
  const std::lock_guard lock(contexts.mutex);
  const auto it = contexts.allocations.upper_bound(pointer);
  return it == contexts.allocations.begin() ? nullptr : std::prev(it)->second.owner;
}

bool knows_context(CUcontext context) {
  const std::lock_guard lock(Contexts::get().mutex);
  return Contexts::get().knows(context);
}

void forget_allocation(CUdeviceptr pointer) {
  Contexts& contexts = Contexts::get();
  const std::lock_guard lock(contexts.mutex);
  contexts.allocations.erase(pointer);
}

bool find_allocation(CUdeviceptr pointer, CUdeviceptr& base, size_t& bytes) {
  Contexts& contexts = Contexts::get();
  const std::lock_guard lock(contexts.mutex);
  auto it = contexts.allocations.upper_bound(pointer);
  if (it == contexts.allocations.begin()) return false;
  --it;
  if (pointer - it->first >= it->second.bytes) return false;
  base = it->first;
  bytes = it->second.bytes;
  return true;
}

}  // namespace warpsim::driver

using namespace warpsim::driver;

extern "C" {

CUresult cuInit(unsigned flags) {
  if (flags != 0) return CUDA_ERROR_INVALID_VALUE;
  const RuntimeLibrary* const runtime = RuntimeLibrary::get();
  if (runtime == nullptr) return CUDA_ERROR_SYSTEM_DRIVER_MISMATCH;
  initialized_library = runtime;
  return CUDA_SUCCESS;
}

CUresult cuCtxCreate_v2(CUcontext* context, unsigned flags, CUdevice device) {
  return create(context, flags, device);
}
CUresult cuCtxCreate_v3(CUcontext* context, void*, int, unsigned flags, CUdevice device) {
  return create(context, flags, device);
}
CUresult cuCtxCreate_v4(CUcontext* context, CUctxCreateParams*, unsigned flags, CUdevice device) {
  return create(context, flags, device);
}

CUresult cuCtxDestroy_v2(CUcontext context) {
  return initialized([&](const RuntimeLibrary& runtime) {
    Contexts& contexts = Contexts::get();
    std::map<CUdeviceptr, Allocation> memory;
    const bool is_current = current_context() == context;
    {
      const std::lock_guard lock(contexts.mutex);
      if (contexts.is_primary(context) || !contexts.knows(context)) {
        return CUDA_ERROR_INVALID_CONTEXT;
      }
      memory = contexts.take_memory(context);
      std::erase_if(contexts.created, [&](const auto& one) { return one.get() == context; });
    }
    if (is_current) stack().pop_back();
    free_all(runtime, memory);
    if (is_current && !stack().empty()) use_device_of(runtime, stack().back());
    return CUDA_SUCCESS;
  });
}

CUresult cuCtxAttach(CUcontext* context, unsigned flags) {
  return in_context([&](const RuntimeLibrary&) {
    if (context == nullptr || flags != 0) return CUDA_ERROR_INVALID_VALUE;
    *context = current_context();
    const std::lock_guard lock(Contexts::get().mutex);
    ++(*context)->uses;
    return CUDA_SUCCESS;
  });
}

CUresult cuCtxDetach(CUcontext context) {
  return initialized([&](const RuntimeLibrary&) {
    if (context == nullptr || context != current_context()) return CUDA_ERROR_INVALID_CONTEXT;
    {
      const std::lock_guard lock(Contexts::get().mutex);
      if (context->uses > 1) {
        --context->uses;
        return CUDA_SUCCESS;
      }
    }
    return cuCtxDestroy_v2(context);
  });
}

CUresult cuCtxPushCurrent_v2(CUcontext context) {
  return initialized([&](const RuntimeLibrary& runtime) {
    if (!knows_context(context)) return CUDA_ERROR_INVALID_CONTEXT;
    stack().push_back(context);
    use_device_of(runtime, context);
    return CUDA_SUCCESS;
  });
}

CUresult cuCtxPopCurrent_v2(CUcontext* context) {
  return initialized([&](const RuntimeLibrary& runtime) {
    if (stack().empty()) return CUDA_ERROR_INVALID_CONTEXT;
    if (context != nullptr) *context = stack().back();
    stack().pop_back();
    if (!stack().empty()) use_device_of(runtime, stack().back());
    return CUDA_SUCCESS;
  });
}

CUresult cuCtxSetCurrent(CUcontext context) {
  return initialized([&](const RuntimeLibrary& runtime) {
    if (context != nullptr && !knows_context(context)) return CUDA_ERROR_INVALID_CONTEXT;
    if (!stack().empty()) stack().pop_back();
    if (context != nullptr) stack().push_back(context);
    use_device_of(runtime, context);
    return CUDA_SUCCESS;
  });
}

CUresult cuCtxGetCurrent(CUcontext* context) {
  return initialized([&](const RuntimeLibrary&) {
    if (context == nullptr) return CUDA_ERROR_INVALID_VALUE;
    *context = current_context();
    return CUDA_SUCCESS;
  });
}

CUresult cuCtxGetDevice(CUdevice* device) {
  return in_context([&](const RuntimeLibrary&) {
    if (device == nullptr) return CUDA_ERROR_INVALID_VALUE;
    *device = current_context()->device;
    return CUDA_SUCCESS;
  });
}

/// Numba 0.56 calls the functions with _v2, which are of CUDA 13, as if they were new forms of
/// those without, so an invalid context stands for the current one.
CUresult cuCtxGetDevice_v2(CUdevice* device, CUcontext context) {
  return in_context([&](const RuntimeLibrary&) {
    if (device == nullptr) return CUDA_ERROR_INVALID_VALUE;
    *device = (knows_context(context) ? context : current_context())->device;
    return CUDA_SUCCESS;
  });
}

CUresult cuCtxGetFlags(unsigned* flags) {
  return in_context([&](const RuntimeLibrary&) {
    if (flags == nullptr) return CUDA_ERROR_INVALID_VALUE;
    *flags = current_context()->flags;
    return CUDA_SUCCESS;
  });
}

CUresult cuCtxGetApiVersion(CUcontext context, unsigned* version) {
  return initialized([&](const RuntimeLibrary&) {
    if (version == nullptr) return CUDA_ERROR_INVALID_VALUE;
    if (context != nullptr && !knows_context(context)) return CUDA_ERROR_INVALID_CONTEXT;
    *version = 3020;  // as drivers have answered since CUDA 3.2
    return CUDA_SUCCESS;
  });
}

CUresult cuDevicePrimaryCtxRetain(CUcontext* context, CUdevice device) {
  return with_primary(device, [&](Contexts&, Primary& primary) {
    if (context == nullptr) return CUDA_ERROR_INVALID_VALUE;
    ++primary.uses;
    *context = &primary.context;
    return CUDA_SUCCESS;
  });
}

CUresult cuDevicePrimaryCtxRelease_v2(CUdevice device) {
  return release_primary(device);
}

CUresult cuDevicePrimaryCtxReset_v2(CUdevice device) {
  const CUresult found = with_primary(device, [](Contexts& contexts, Primary& primary) {
    (void)contexts.take_memory(&primary.context);
    return CUDA_SUCCESS;
  });
  if (found != CUDA_SUCCESS) return found;
  return initialized([&](const RuntimeLibrary& runtime) {
    int current = 0;
    (void)runtime.cudaGetDevice(&current);
    (void)runtime.cudaSetDevice(device);
    const cudaError_t error = runtime.cudaDeviceReset();
    (void)runtime.cudaSetDevice(current);
    return error;
  });
}

CUresult cuDevicePrimaryCtxSetFlags_v2(CUdevice device, unsigned flags) {
  return with_primary(device, [&](Contexts&, Primary& primary) {
    if ((flags & ~unsigned{CU_CTX_FLAGS_MASK}) != 0) return CUDA_ERROR_INVALID_VALUE;
    primary.context.flags = flags;
    return CUDA_SUCCESS;
  });
}

CUresult cuDevicePrimaryCtxGetState(CUdevice device, unsigned* flags, int* active) {
  return with_primary(device, [&](Contexts&, Primary& primary) {
    if (flags == nullptr || active == nullptr) return CUDA_ERROR_INVALID_VALUE;
    *flags = primary.context.flags;
    *active = primary.uses > 0 ? 1 : 0;
    return CUDA_SUCCESS;
  });
}

CUresult cuCtxSynchronize() {
  return in_context([](const RuntimeLibrary& runtime) { return runtime.cudaDeviceSynchronize(); });
}

CUresult cuCtxSynchronize_v2(CUcontext context) {
  return in_context([&](const RuntimeLibrary& runtime) {
    CUcontext const current = current_context();
    if (knows_context(context)) use_device_of(runtime, context);
    const cudaError_t error = runtime.cudaDeviceSynchronize();
    use_device_of(runtime, current);
    return error;
  });
}

CUresult cuCtxSetLimit(CUlimit limit, size_t value) {
  return in_context([&](const RuntimeLibrary& runtime) {
    return runtime.cudaDeviceSetLimit(static_cast<cudaLimit>(limit), value);
  });
}

CUresult cuCtxGetLimit(size_t* value, CUlimit limit) {
  return in_context([&](const RuntimeLibrary& runtime) {
    return runtime.cudaDeviceGetLimit(value, static_cast<cudaLimit>(limit));
  });
}

CUresult cuCtxSetCacheConfig(CUfunc_cache config) {
  return in_context([&](const RuntimeLibrary& runtime) {
    return runtime.cudaDeviceSetCacheConfig(static_cast<cudaFuncCache>(config));
  });
}

CUresult cuCtxGetCacheConfig(CUfunc_cache* config) {
  return in_context([&](const RuntimeLibrary& runtime) {
    return runtime.cudaDeviceGetCacheConfig(reinterpret_cast<cudaFuncCache*>(config));
  });
}

CUresult cuCtxSetSharedMemConfig(CUsharedconfig config) {
  return in_context([&](const RuntimeLibrary& runtime) {
    return runtime.cudaDeviceSetSharedMemConfig(static_cast<cudaSharedMemConfig>(config));
  });
}

CUresult cuCtxGetSharedMemConfig(CUsharedconfig* config) {
  return in_context([&](const RuntimeLibrary& runtime) {
    return runtime.cudaDeviceGetSharedMemConfig(reinterpret_cast<cudaSharedMemConfig*>(config));
  });
}

CUresult cuCtxGetStreamPriorityRange(int* least, int* greatest) {
  return in_context([&](const RuntimeLibrary& runtime) {
    return runtime.cudaDeviceGetStreamPriorityRange(least, greatest);
  });
}

}  // extern "C"
