#include <algorithm>
#include <array>
#include <string_view>

#include "emulator/driver/driver.h"

namespace warpsim::driver {
namespace {

struct NamedResult {
  CUresult result;
  const char* name;
};

#define WARPSIM_RESULT(name) \
  NamedResult {              \
    name, #name              \
  }
constexpr std::array kResults = {
    WARPSIM_RESULT(CUDA_SUCCESS),
    WARPSIM_RESULT(CUDA_ERROR_INVALID_VALUE),
    WARPSIM_RESULT(CUDA_ERROR_OUT_OF_MEMORY),
    WARPSIM_RESULT(CUDA_ERROR_NOT_INITIALIZED),
    WARPSIM_RESULT(CUDA_ERROR_DEINITIALIZED),
    WARPSIM_RESULT(CUDA_ERROR_DEVICE_UNAVAILABLE),
    WARPSIM_RESULT(CUDA_ERROR_NO_DEVICE),
    WARPSIM_RESULT(CUDA_ERROR_INVALID_DEVICE),
    WARPSIM_RESULT(CUDA_ERROR_INVALID_IMAGE),
    WARPSIM_RESULT(CUDA_ERROR_INVALID_CONTEXT),
    WARPSIM_RESULT(CUDA_ERROR_MAP_FAILED),
    WARPSIM_RESULT(CUDA_ERROR_UNMAP_FAILED),
    WARPSIM_RESULT(CUDA_ERROR_NO_BINARY_FOR_GPU),
    WARPSIM_RESULT(CUDA_ERROR_ALREADY_MAPPED),
    WARPSIM_RESULT(CUDA_ERROR_NOT_MAPPED),
    WARPSIM_RESULT(CUDA_ERROR_UNSUPPORTED_LIMIT),
    WARPSIM_RESULT(CUDA_ERROR_PEER_ACCESS_UNSUPPORTED),
    WARPSIM_RESULT(CUDA_ERROR_INVALID_PTX),
    WARPSIM_RESULT(CUDA_ERROR_UNSUPPORTED_PTX_VERSION),
    WARPSIM_RESULT(CUDA_ERROR_INVALID_SOURCE),
    WARPSIM_RESULT(CUDA_ERROR_FILE_NOT_FOUND),
    WARPSIM_RESULT(CUDA_ERROR_SHARED_OBJECT_SYMBOL_NOT_FOUND),
    WARPSIM_RESULT(CUDA_ERROR_OPERATING_SYSTEM),
    WARPSIM_RESULT(CUDA_ERROR_INVALID_HANDLE),
    WARPSIM_RESULT(CUDA_ERROR_ILLEGAL_STATE),
    WARPSIM_RESULT(CUDA_ERROR_NOT_FOUND),
    WARPSIM_RESULT(CUDA_ERROR_NOT_READY),
    WARPSIM_RESULT(CUDA_ERROR_ILLEGAL_ADDRESS),
    WARPSIM_RESULT(CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES),
    WARPSIM_RESULT(CUDA_ERROR_LAUNCH_TIMEOUT),
    WARPSIM_RESULT(CUDA_ERROR_PEER_ACCESS_ALREADY_ENABLED),
    WARPSIM_RESULT(CUDA_ERROR_PEER_ACCESS_NOT_ENABLED),
    WARPSIM_RESULT(CUDA_ERROR_CONTEXT_IS_DESTROYED),
    WARPSIM_RESULT(CUDA_ERROR_ASSERT),
    WARPSIM_RESULT(CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED),
    WARPSIM_RESULT(CUDA_ERROR_HOST_MEMORY_NOT_REGISTERED),
    WARPSIM_RESULT(CUDA_ERROR_HARDWARE_STACK_ERROR),
    WARPSIM_RESULT(CUDA_ERROR_ILLEGAL_INSTRUCTION),
    WARPSIM_RESULT(CUDA_ERROR_MISALIGNED_ADDRESS),
    WARPSIM_RESULT(CUDA_ERROR_INVALID_ADDRESS_SPACE),
    WARPSIM_RESULT(CUDA_ERROR_INVALID_PC),
    WARPSIM_RESULT(CUDA_ERROR_LAUNCH_FAILED),
    WARPSIM_RESULT(CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE),
    WARPSIM_RESULT(CUDA_ERROR_NOT_PERMITTED),
    WARPSIM_RESULT(CUDA_ERROR_NOT_SUPPORTED),
    WARPSIM_RESULT(CUDA_ERROR_SYSTEM_NOT_READY),
    WARPSIM_RESULT(CUDA_ERROR_SYSTEM_DRIVER_MISMATCH),
    WARPSIM_RESULT(CUDA_ERROR_UNKNOWN),
};
#undef WARPSIM_RESULT

const NamedResult* find_result(CUresult result) {
  const auto* const found =
      std::find_if(kResults.begin(), kResults.end(),
                   [&](const NamedResult& one) { return one.result == result; });
  return found == kResults.end() ? nullptr : found;
}

}  // namespace

CUresult result_of(cudaError_t error) {
  // The numbers are the same, but for the runtime's own errors, which are below 100.
  switch (error) {
    case cudaErrorInvalidSymbol:
      return CUDA_ERROR_NOT_FOUND;
    case cudaErrorInvalidDeviceFunction:
      return CUDA_ERROR_INVALID_HANDLE;
    default:
      break;
  }
  const auto result = static_cast<CUresult>(error);
  if (find_result(result) != nullptr) return result;
  return static_cast<int>(error) < 100 ? CUDA_ERROR_INVALID_VALUE : CUDA_ERROR_UNKNOWN;
}

}  // namespace warpsim::driver

using namespace warpsim::driver;

extern "C" {

CUresult cuGetErrorName(CUresult error, const char** name) {
  if (name == nullptr) return CUDA_ERROR_INVALID_VALUE;
  const NamedResult* const found = find_result(error);
  *name = found == nullptr ? nullptr : found->name;
  return found == nullptr ? CUDA_ERROR_INVALID_VALUE : CUDA_SUCCESS;
}

CUresult cuGetErrorString(CUresult error, const char** text) {
  if (text == nullptr) return CUDA_ERROR_INVALID_VALUE;
  *text = nullptr;
  const RuntimeLibrary* const runtime = RuntimeLibrary::get();
  if (runtime == nullptr || find_result(error) == nullptr) return CUDA_ERROR_INVALID_VALUE;
  *text = runtime->cudaGetErrorString(static_cast<cudaError_t>(error));
  return CUDA_SUCCESS;
}

}  // extern "C"
