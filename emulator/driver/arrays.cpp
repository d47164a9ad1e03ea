#include <array>

#include "emulator/driver/arrays.h"
#include "emulator/driver/driver.h"

namespace warpsim::driver {
namespace {

struct NamedFormat {
  CUarray_format format;
  cudaChannelFormatKind kind;
  int bits;
};
constexpr std::array kFormats = {
    NamedFormat{CU_AD_FORMAT_UNSIGNED_INT8, cudaChannelFormatKindUnsigned, 8},
    NamedFormat{CU_AD_FORMAT_UNSIGNED_INT16, cudaChannelFormatKindUnsigned, 16},
    NamedFormat{CU_AD_FORMAT_UNSIGNED_INT32, cudaChannelFormatKindUnsigned, 32},
    NamedFormat{CU_AD_FORMAT_SIGNED_INT8, cudaChannelFormatKindSigned, 8},
    NamedFormat{CU_AD_FORMAT_SIGNED_INT16, cudaChannelFormatKindSigned, 16},
    NamedFormat{CU_AD_FORMAT_SIGNED_INT32, cudaChannelFormatKindSigned, 32},
    NamedFormat{CU_AD_FORMAT_HALF, cudaChannelFormatKindFloat, 16},
    NamedFormat{CU_AD_FORMAT_FLOAT, cudaChannelFormatKindFloat, 32},
};

}  // namespace

std::optional<cudaChannelFormatDesc> channels_of(CUarray_format format, unsigned channels) {
  if (channels != 1 && channels != 2 && channels != 4) return std::nullopt;
  for (const NamedFormat& one : kFormats) {
    if (one.format != format) continue;
    return cudaChannelFormatDesc{.x = one.bits,
                                 .y = channels > 1 ? one.bits : 0,
                                 .z = channels > 2 ? one.bits : 0,
                                 .w = channels > 2 ? one.bits : 0,
                                 .f = one.kind};
  }
  return std::nullopt;
}

ArrayFormat format_of(const cudaChannelFormatDesc& channels) {
  ArrayFormat result;
  for (const NamedFormat& one : kFormats) {
    if (one.kind == channels.f && one.bits == channels.x) result.format = one.format;
  }
  result.channels = channels.y == 0 ? 1 : channels.z == 0 ? 2 : 4;
  return result;
}

}  // namespace warpsim::driver

using namespace warpsim::driver;

extern "C" {

CUresult cuArray3DCreate_v2(CUarray* array, const CUDA_ARRAY3D_DESCRIPTOR* descriptor) {
  const CUresult result = in_context([&](const RuntimeLibrary& runtime) {
    if (array == nullptr || descriptor == nullptr) return cudaErrorInvalidValue;
    const auto channels = channels_of(descriptor->Format, descriptor->NumChannels);
    if (!channels) return cudaErrorInvalidValue;
    return runtime.cudaMalloc3DArray(
        reinterpret_cast<cudaArray_t*>(array), &*channels,
        {.width = descriptor->Width, .height = descriptor->Height, .depth = descriptor->Depth},
        descriptor->Flags);
  });
  if (result == CUDA_SUCCESS) {
    note_allocation(reinterpret_cast<CUdeviceptr>(*array), 0, AllocationKind::array);
  }
  return result;
}

CUresult cuArrayCreate_v2(CUarray* array, const CUDA_ARRAY_DESCRIPTOR* descriptor) {
  if (descriptor == nullptr) return CUDA_ERROR_INVALID_VALUE;
  const CUDA_ARRAY3D_DESCRIPTOR all = {.Width = descriptor->Width,
                                       .Height = descriptor->Height,
                                       .Depth = 0,
                                       .Format = descriptor->Format,
                                       .NumChannels = descriptor->NumChannels,
                                       .Flags = 0};
  return cuArray3DCreate_v2(array, &all);
}

CUresult cuArray3DGetDescriptor_v2(CUDA_ARRAY3D_DESCRIPTOR* descriptor, CUarray array) {
  return in_context([&](const RuntimeLibrary& runtime) {
    if (descriptor == nullptr) return CUDA_ERROR_INVALID_VALUE;
    cudaChannelFormatDesc channels = {};
    cudaExtent extent = {};
    unsigned flags = 0;
    if (runtime.cudaArrayGetInfo(&channels, &extent, &flags,
                                 reinterpret_cast<cudaArray_t>(array)) != cudaSuccess) {
      (void)runtime.cudaGetLastError();
      return CUDA_ERROR_INVALID_HANDLE;
    }
    const ArrayFormat format = format_of(channels);
    *descriptor = {.Width = extent.width,
                   .Height = extent.height,
                   .Depth = extent.depth,
                   .Format = format.format,
                   .NumChannels = format.channels,
                   .Flags = flags};
    return CUDA_SUCCESS;
  });
}

CUresult cuArrayGetDescriptor_v2(CUDA_ARRAY_DESCRIPTOR* descriptor, CUarray array) {
  if (descriptor == nullptr) return CUDA_ERROR_INVALID_VALUE;
  CUDA_ARRAY3D_DESCRIPTOR all = {};
  const CUresult result = cuArray3DGetDescriptor_v2(&all, array);
  if (result != CUDA_SUCCESS) return result;
  *descriptor = {.Width = all.Width,
                 .Height = all.Height,
                 .Format = all.Format,
                 .NumChannels = all.NumChannels};
  return CUDA_SUCCESS;
}

CUresult cuArrayDestroy(CUarray array) {
  return initialized([&](const RuntimeLibrary& runtime) {
    if (array == nullptr) return CUDA_ERROR_INVALID_HANDLE;
    if (runtime.cudaFreeArray(reinterpret_cast<cudaArray_t>(array)) != cudaSuccess) {
      (void)runtime.cudaGetLastError();
      return CUDA_ERROR_INVALID_HANDLE;
    }
    forget_allocation(reinterpret_cast<CUdeviceptr>(array));
    return CUDA_SUCCESS;
  });
}

}  // extern "C"
