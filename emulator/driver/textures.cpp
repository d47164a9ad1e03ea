#include <algorithm>

#include "emulator/driver/arrays.h"
#include "emulator/driver/driver.h"

// Texture and surface objects are the runtime's. Texture references (cuTexRef...) are not there:
// CUDA 12 has removed them from device code.

using namespace warpsim::driver;

namespace {

/// @returns an error for a resource that is not there
cudaError_t runtime_resource(const CUDA_RESOURCE_DESC& resource, cudaResourceDesc& result) {
  result = {};
  switch (resource.resType) {
    case CU_RESOURCE_TYPE_ARRAY:
      result.resType = cudaResourceTypeArray;
      result.res.array.array = reinterpret_cast<cudaArray_t>(resource.res.array.hArray);
      return cudaSuccess;
    case CU_RESOURCE_TYPE_LINEAR: {
      const auto& linear = resource.res.linear;
      const auto channels = channels_of(linear.format, linear.numChannels);
      if (!channels) return cudaErrorInvalidValue;
      result.resType = cudaResourceTypeLinear;
      result.res.linear = {.devPtr = device_pointer(linear.devPtr),
                           .desc = *channels,
                           .sizeInBytes = linear.sizeInBytes};
      return cudaSuccess;
    }
    case CU_RESOURCE_TYPE_PITCH2D: {
      const auto& pitched = resource.res.pitch2D;
      const auto channels = channels_of(pitched.format, pitched.numChannels);
      if (!channels) return cudaErrorInvalidValue;
      result.resType = cudaResourceTypePitch2D;
      result.res.pitch2D = {.devPtr = device_pointer(pitched.devPtr),
                            .desc = *channels,
                            .width = pitched.width,
                            .height = pitched.height,
                            .pitchInBytes = pitched.pitchInBytes};
      return cudaSuccess;
    }
    default:
      return cudaErrorInvalidValue;
  }
}

CUDA_RESOURCE_DESC driver_resource(const cudaResourceDesc& resource) {
  CUDA_RESOURCE_DESC result = {};
  switch (resource.resType) {
    case cudaResourceTypeLinear: {
      const auto& linear = resource.res.linear;
      const ArrayFormat format = format_of(linear.desc);
      result.resType = CU_RESOURCE_TYPE_LINEAR;
      result.res.linear = {.devPtr = reinterpret_cast<CUdeviceptr>(linear.devPtr),
                           .format = format.format,
                           .numChannels = format.channels,
                           .sizeInBytes = linear.sizeInBytes};
      break;
    }
    case cudaResourceTypePitch2D: {
      const auto& pitched = resource.res.pitch2D;
      const ArrayFormat format = format_of(pitched.desc);
      result.resType = CU_RESOURCE_TYPE_PITCH2D;
      result.res.pitch2D = {.devPtr = reinterpret_cast<CUdeviceptr>(pitched.devPtr),
                            .format = format.format,
                            .numChannels = format.channels,
                            .width = pitched.width,
                            .height = pitched.height,
                            .pitchInBytes = pitched.pitchInBytes};
      break;
    }
    default:
      result.resType = CU_RESOURCE_TYPE_ARRAY;
      result.res.array.hArray = reinterpret_cast<CUarray>(resource.res.array.array);
  }
  return result;
}

/// Whether values of the format are read as fractions unless the texture says otherwise.
bool reads_fractions(const RuntimeLibrary& runtime, const cudaResourceDesc& resource) {
  cudaChannelFormatDesc format = {};
  switch (resource.resType) {
    case cudaResourceTypeLinear:
      format = resource.res.linear.desc;
      break;
    case cudaResourceTypePitch2D:
      format = resource.res.pitch2D.desc;
      break;
    default:
      (void)runtime.cudaArrayGetInfo(&format, nullptr, nullptr, resource.res.array.array);
  }
  return format.f != cudaChannelFormatKindFloat && format.x < 32;
}

cudaTextureDesc runtime_texture(const CUDA_TEXTURE_DESC& texture, bool has_fractions) {
  cudaTextureDesc result = {};
  for (int i = 0; i < 3; ++i) {
    result.addressMode[i] = static_cast<cudaTextureAddressMode>(texture.addressMode[i]);
  }
  std::copy_n(texture.borderColor, 4, result.borderColor);
  result.filterMode = static_cast<cudaTextureFilterMode>(texture.filterMode);
  const bool as_integer = (texture.flags & CU_TRSF_READ_AS_INTEGER) != 0;
  result.readMode =
      has_fractions && !as_integer ? cudaReadModeNormalizedFloat : cudaReadModeElementType;
  result.normalizedCoords = (texture.flags & CU_TRSF_NORMALIZED_COORDINATES) != 0 ? 1 : 0;
  result.sRGB = (texture.flags & CU_TRSF_SRGB) != 0 ? 1 : 0;
  result.disableTrilinearOptimization =
      (texture.flags & CU_TRSF_DISABLE_TRILINEAR_OPTIMIZATION) != 0 ? 1 : 0;
  result.seamlessCubemap = (texture.flags & CU_TRSF_SEAMLESS_CUBEMAP) != 0 ? 1 : 0;
  result.maxAnisotropy = texture.maxAnisotropy;
  result.mipmapFilterMode = static_cast<cudaTextureFilterMode>(texture.mipmapFilterMode);
  result.mipmapLevelBias = texture.mipmapLevelBias;
  result.minMipmapLevelClamp = texture.minMipmapLevelClamp;
  result.maxMipmapLevelClamp = texture.maxMipmapLevelClamp;
  return result;
}

/// The flag for integers is left out where it has no effect.
CUDA_TEXTURE_DESC driver_texture(const cudaTextureDesc& texture, bool has_fractions) {
  CUDA_TEXTURE_DESC result = {};
  for (int i = 0; i < 3; ++i) {
    result.addressMode[i] = static_cast<CUaddress_mode>(texture.addressMode[i]);
  }
  std::copy_n(texture.borderColor, 4, result.borderColor);
  result.filterMode = static_cast<CUfilter_mode>(texture.filterMode);
  if (has_fractions && texture.readMode == cudaReadModeElementType) {
    result.flags |= CU_TRSF_READ_AS_INTEGER;
  }
  if (texture.normalizedCoords != 0) result.flags |= CU_TRSF_NORMALIZED_COORDINATES;
  if (texture.sRGB != 0) result.flags |= CU_TRSF_SRGB;
  if (texture.disableTrilinearOptimization != 0) {
    result.flags |= CU_TRSF_DISABLE_TRILINEAR_OPTIMIZATION;
  }
  if (texture.seamlessCubemap != 0) result.flags |= CU_TRSF_SEAMLESS_CUBEMAP;
  result.maxAnisotropy = texture.maxAnisotropy;
  result.mipmapFilterMode = static_cast<CUfilter_mode>(texture.mipmapFilterMode);
  result.mipmapLevelBias = texture.mipmapLevelBias;
  result.minMipmapLevelClamp = texture.minMipmapLevelClamp;
  result.maxMipmapLevelClamp = texture.maxMipmapLevelClamp;
  return result;
}

/// A resource of an object, by the runtime's function for it.
template <class Get>
CUresult get_resource(CUDA_RESOURCE_DESC* resource, Get get) {
  return in_context([&](const RuntimeLibrary& runtime) -> cudaError_t {
    if (resource == nullptr) return cudaErrorInvalidValue;
    cudaResourceDesc kept = {};
    const cudaError_t error = get(runtime, &kept);
    if (error == cudaSuccess) *resource = driver_resource(kept);
    return error;
  });
}

}  // namespace

extern "C" {

CUresult cuTexObjectCreate(CUtexObject* object, const CUDA_RESOURCE_DESC* resource,
                           const CUDA_TEXTURE_DESC* texture, const CUDA_RESOURCE_VIEW_DESC* view) {
  return in_context([&](const RuntimeLibrary& runtime) -> cudaError_t {
    if (object == nullptr || resource == nullptr || texture == nullptr) {
      return cudaErrorInvalidValue;
    }
    cudaResourceDesc same = {};
    if (const cudaError_t error = runtime_resource(*resource, same)) return error;
    const cudaTextureDesc description = runtime_texture(*texture, reads_fractions(runtime, same));
    cudaResourceViewDesc viewed = {};
    // The runtime refuses any view, with a finding.
    if (view != nullptr) viewed.format = static_cast<cudaResourceViewFormat>(view->format);
    return runtime.cudaCreateTextureObject(object, &same, &description,
                                           view == nullptr ? nullptr : &viewed);
  });
}

CUresult cuTexObjectDestroy(CUtexObject object) {
  return in_context(
      [&](const RuntimeLibrary& runtime) { return runtime.cudaDestroyTextureObject(object); });
}

CUresult cuTexObjectGetResourceDesc(CUDA_RESOURCE_DESC* resource, CUtexObject object) {
  return get_resource(resource, [&](const RuntimeLibrary& runtime, cudaResourceDesc* kept) {
    return runtime.cudaGetTextureObjectResourceDesc(kept, object);
  });
}

CUresult cuTexObjectGetTextureDesc(CUDA_TEXTURE_DESC* texture, CUtexObject object) {
  return in_context([&](const RuntimeLibrary& runtime) -> cudaError_t {
    if (texture == nullptr) return cudaErrorInvalidValue;
    cudaTextureDesc kept = {};
    cudaResourceDesc resource = {};
    cudaError_t error = runtime.cudaGetTextureObjectTextureDesc(&kept, object);
    if (error == cudaSuccess) error = runtime.cudaGetTextureObjectResourceDesc(&resource, object);
    if (error == cudaSuccess) *texture = driver_texture(kept, reads_fractions(runtime, resource));
    return error;
  });
}

CUresult cuSurfObjectCreate(CUsurfObject* object, const CUDA_RESOURCE_DESC* resource) {
  return in_context([&](const RuntimeLibrary& runtime) -> cudaError_t {
    if (object == nullptr || resource == nullptr) return cudaErrorInvalidValue;
    cudaResourceDesc same = {};
    if (const cudaError_t error = runtime_resource(*resource, same)) return error;
    return runtime.cudaCreateSurfaceObject(object, &same);
  });
}

CUresult cuSurfObjectDestroy(CUsurfObject object) {
  return in_context(
      [&](const RuntimeLibrary& runtime) { return runtime.cudaDestroySurfaceObject(object); });
}

CUresult cuSurfObjectGetResourceDesc(CUDA_RESOURCE_DESC* resource, CUsurfObject object) {
  return get_resource(resource, [&](const RuntimeLibrary& runtime, cudaResourceDesc* kept) {
    return runtime.cudaGetSurfaceObjectResourceDesc(kept, object);
  });
}

}  // extern "C"
