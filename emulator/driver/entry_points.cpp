#include <dlfcn.h>

#include <algorithm>
#include <array>
#include <string>

#include "emulator/driver/driver.h"

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
    Change{"cuMemAdvise", 13000, "cuMemAdvise_v2", "cuMemAdvise"},
    Change{"cuMemPrefetchAsync", 13000, "cuMemPrefetchAsync_v2", "cuMemPrefetchAsync"},
    Change{"cuEventElapsedTime", 12080, "cuEventElapsedTime_v2", "cuEventElapsedTime"},
    Change{"cuDeviceGetUuid", 11040, "cuDeviceGetUuid_v2", "cuDeviceGetUuid"},
    Change{"cuGetProcAddress", 12000, "cuGetProcAddress_v2", "cuGetProcAddress"},
};

const void* find_function(const std::string& name, int version) {
  const auto* const change = std::find_if(kChanges.begin(), kChanges.end(),
                                          [&](const Change& one) { return name == one.name; });
  if (change != kChanges.end()) {
    return own_function(version >= change->since ? change->newer : change->older);
  }
  // The plain name of a function with _v2 is that of CUDA 3.1, which is not here.
  const void* const second = own_function(name + "_v2");
  return second != nullptr ? second : own_function(name);
}

}  // namespace

#undef cuCtxCreate
#undef cuDeviceGetUuid
#undef cuEventElapsedTime
#undef cuGetProcAddress
#undef cuMemAdvise
#undef cuMemPrefetchAsync

extern "C" {

CUresult cuGetProcAddress_v2(const char* symbol, void** function, int version, cuuint64_t,
                             CUdriverProcAddressQueryResult* status) {
  if (symbol == nullptr || function == nullptr) return CUDA_ERROR_INVALID_VALUE;
  *function = const_cast<void*>(find_function(symbol, version));
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

/// The driver's private tables, of which there are none here.
CUresult cuGetExportTable(const void** table, const CUuuid*) {
  if (table != nullptr) *table = nullptr;
  return CUDA_ERROR_NOT_FOUND;
}

}  // extern "C"
