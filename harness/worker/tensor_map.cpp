#include <cuda.h>
#include <cuda_runtime_api.h>

// The one function of the driver that a submission may call without looking it up, since all it
// does is to describe an array in 128 bytes. Programs are not linked with libcuda, which a machine
// without a GPU lacks: the runtime finds the function, and the emulator's runtime has its own.
extern "C" CUresult cuTensorMapEncodeTiled(
    CUtensorMap* map, CUtensorMapDataType type, cuuint32_t rank, void* address,
    const cuuint64_t* dimensions, const cuuint64_t* strides, const cuuint32_t* box,
    const cuuint32_t* steps, CUtensorMapInterleave interleave, CUtensorMapSwizzle swizzle,
    CUtensorMapL2promotion promotion, CUtensorMapFloatOOBfill fill) {
  constexpr unsigned kSince = 12000;  // of CUDA
  void* found = nullptr;
  cudaDriverEntryPointQueryResult status{};
  if (cudaGetDriverEntryPointByVersion("cuTensorMapEncodeTiled", &found, kSince, cudaEnableDefault,
                                       &status) != cudaSuccess ||
      found == nullptr) {
    return CUDA_ERROR_NOT_SUPPORTED;
  }
  return reinterpret_cast<decltype(&cuTensorMapEncodeTiled)>(found)(
      map, type, rank, address, dimensions, strides, box, steps, interleave, swizzle, promotion,
      fill);
}
