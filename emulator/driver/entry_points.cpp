#include <dlfcn.h>

#include <algorithm>
#include <array>
#include <string>

#include "emulator/driver/driver.h"
#include "emulator/driver/unsupported.h"

// Names whose parameters changed. Programs that were compiled with CUDA 12, and those that look
// functions up by name, use the earlier ones.

using namespace warpsim::driver;

namespace {

const void* own_function(const std::string& name) {
  Dl_info here = {};
  if (::dladdr(reinterpret_cast<const void*>(&own_function), &here) == 0) return nullptr;
  void* const library = ::dlopen(here.dli_fname, RTLD_NOW | RTLD_NOLOAD);
  return library == nullptr ? nullptr : ::dlsym(library, name.c_str());
}

/// Which version of a function belongs to a version of CUDA: the newest is for CUDA 13.
struct Change {
  const char* name;
  int since;  // 1000 * major + 10 * minor
  const char* newer;
  const char* older;
};
constexpr std::array kChanges = {
    Change{"cuCtxCreate", 13000, "cuCtxCreate_v4", "cuCtxCreate_v2"},
    Change{"cuCtxGetDevice", 13000, "cuCtxGetDevice_v2", "cuCtxGetDevice"},
    Change{"cuCtxSynchronize", 13000, "cuCtxSynchronize_v2", "cuCtxSynchronize"},
    Change{"cuMemAdvise", 13000, "cuMemAdvise_v2", "cuMemAdvise"},
    Change{"cuMemPrefetchAsync", 13000, "cuMemPrefetchAsync_v2", "cuMemPrefetchAsync"},
    Change{"cuEventElapsedTime", 12080, "cuEventElapsedTime_v2", "cuEventElapsedTime"},
    Change{"cuDeviceGetUuid", 11040, "cuDeviceGetUuid_v2", "cuDeviceGetUuid"},
    Change{"cuGetProcAddress", 12000, "cuGetProcAddress_v2", "cuGetProcAddress"},
};

/// With the ending of the form for per-thread default streams, where there is one.
const void* find_form(const std::string& name, bool per_thread) {
  if (per_thread) {
    for (const char* ending : {"_ptsz", "_ptds"}) {
      if (const void* const form = own_function(name + ending)) return form;
    }
  }
  return own_function(name);
}

const void* find_function(const std::string& name, int version, bool per_thread) {
  const auto* const change = std::find_if(kChanges.begin(), kChanges.end(),
                                          [&](const Change& one) { return name == one.name; });
  if (change != kChanges.end()) {
    return find_form(version >= change->since ? change->newer : change->older, per_thread);
  }
  // The plain name of a function with _v2 is that of CUDA 3.1, which is not here. Of forms that are
  // not supported, any reports the call.
  const void* first = nullptr;
  for (const char* ending : {"_v3", "_v2", ""}) {
    const void* const function = find_form(name + ending, per_thread);
    if (function != nullptr && !is_unsupported(function)) return function;
    if (first == nullptr) first = function;
  }
  return first;
}

}  // namespace

#undef cuCtxCreate
#undef cuDeviceGetUuid
#undef cuEventElapsedTime
#undef cuGetProcAddress
#undef cuMemAdvise
#undef cuMemPrefetchAsync
#undef cuStreamBatchMemOp
#undef cuStreamWaitValue32
#undef cuStreamWaitValue64
#undef cuStreamWriteValue32
#undef cuStreamWriteValue64

extern "C" {

CUresult cuGetProcAddress_v2(const char* symbol, void** function, int version, cuuint64_t flags,
                             CUdriverProcAddressQueryResult* status) {
  if (symbol == nullptr || function == nullptr) return CUDA_ERROR_INVALID_VALUE;
  *function = const_cast<void*>(
      find_function(symbol, version, (flags & CU_GET_PROC_ADDRESS_PER_THREAD_DEFAULT_STREAM) != 0));
  if (status != nullptr) {
    *status =
        *function != nullptr ? CU_GET_PROC_ADDRESS_SUCCESS : CU_GET_PROC_ADDRESS_SYMBOL_NOT_FOUND;
  }
  return *function != nullptr || status != nullptr ? CUDA_SUCCESS : CUDA_ERROR_NOT_FOUND;
}

CUresult cuGetProcAddress(const char* symbol, void** function, int version, cuuint64_t flags) {
  return cuGetProcAddress_v2(symbol, function, version, flags, nullptr);
}

CUresult cuEventElapsedTime(float* milliseconds, CUevent start, CUevent end) {
  return cuEventElapsedTime_v2(milliseconds, start, end);
}

CUresult cuDeviceGetUuid(CUuuid* uuid, CUdevice device) {
  return cuDeviceGetUuid_v2(uuid, device);
}

CUresult cuMemPrefetchAsync(CUdeviceptr pointer, size_t bytes, CUdevice to, CUstream stream) {
  const CUmemLocation location = {
      .type = to < 0 ? CU_MEM_LOCATION_TYPE_HOST : CU_MEM_LOCATION_TYPE_DEVICE,
      .id = std::max(to, 0)};
  return cuMemPrefetchAsync_v2(pointer, bytes, location, 0, stream);
}

CUresult cuMemAdvise(CUdeviceptr pointer, size_t bytes, CUmem_advise advice, CUdevice of) {
  const CUmemLocation location = {
      .type = of < 0 ? CU_MEM_LOCATION_TYPE_HOST : CU_MEM_LOCATION_TYPE_DEVICE,
      .id = std::max(of, 0)};
  return cuMemAdvise_v2(pointer, bytes, advice, location);
}

// The first version of these functions needed a setting of the driver, and else did the same.
CUresult cuStreamWaitValue32(CUstream stream, CUdeviceptr at, cuuint32_t value, unsigned flags) {
  return cuStreamWaitValue32_v2(stream, at, value, flags);
}
CUresult cuStreamWaitValue64(CUstream stream, CUdeviceptr at, cuuint64_t value, unsigned flags) {
  return cuStreamWaitValue64_v2(stream, at, value, flags);
}
CUresult cuStreamWriteValue32(CUstream stream, CUdeviceptr to, cuuint32_t value, unsigned flags) {
  return cuStreamWriteValue32_v2(stream, to, value, flags);
}
CUresult cuStreamWriteValue64(CUstream stream, CUdeviceptr to, cuuint64_t value, unsigned flags) {
  return cuStreamWriteValue64_v2(stream, to, value, flags);
}
CUresult cuStreamBatchMemOp(CUstream stream, unsigned count, CUstreamBatchMemOpParams* operations,
                            unsigned flags) {
  return cuStreamBatchMemOp_v2(stream, count, operations, flags);
}

/// The driver's private tables, of which there are none here.
CUresult cuGetExportTable(const void** table, const CUuuid*) {
  if (table != nullptr) *table = nullptr;
  return CUDA_ERROR_NOT_FOUND;
}

}  // extern "C"
