#include "emulator/driver/driver.h"

// Tensor maps: the runtime library has the function that makes them. It needs no context.

using namespace warpsim::driver;

extern "C" {

CUresult cuTensorMapEncodeTiled(CUtensorMap* map, CUtensorMapDataType type, cuuint32_t rank,
                                void* address, const cuuint64_t* dimensions,
                                const cuuint64_t* strides, const cuuint32_t* box,
                                const cuuint32_t* steps, CUtensorMapInterleave interleave,
                                CUtensorMapSwizzle swizzle, CUtensorMapL2promotion promotion,
                                CUtensorMapFloatOOBfill fill) {
  const RuntimeLibrary* const runtime = RuntimeLibrary::get();
  if (runtime == nullptr) return CUDA_ERROR_NOT_INITIALIZED;
  void* found = nullptr;
  cudaDriverEntryPointQueryResult status = {};
  constexpr unsigned kSince = 12000;  // of CUDA
  if (runtime->cudaGetDriverEntryPointByVersion("cuTensorMapEncodeTiled", &found, kSince, 0,
                                                &status) != cudaSuccess ||
      found == nullptr) {
    return CUDA_ERROR_NOT_SUPPORTED;
  }
  const auto encode = reinterpret_cast<decltype(&cuTensorMapEncodeTiled)>(found);
  return encode(map, type, rank, address, dimensions, strides, box, steps, interleave, swizzle,
                promotion, fill);
}

}  // extern "C"
