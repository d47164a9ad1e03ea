#include "emulator/cudart/textures.h"

#include <cstddef>
#include <cstring>

#include "emulator/checkers/host_findings.h"
#include "emulator/cudart/api.h"
#include "emulator/cudart/arrays.h"
#include "emulator/cudart/finish.h"
#include "emulator/cudart/layouts.h"

// Texture and surface objects.

namespace warpsim::cudart {
namespace {

constexpr std::uint64_t kTextureAlignment = 512;  // cudaDevAttrTextureAlignment
constexpr std::uint64_t kTexturePitchAlignment = 32;  // cudaDevAttrTexturePitchAlignment
constexpr std::uint64_t kMostLinearTexels = std::uint64_t{1} << 28;

/// The structure ends here in CUDA 12; later fields of CUDA 13 are reserved.
constexpr std::size_t kResourceBytes =
    offsetof(cudaResourceDesc, res) + sizeof(cudaResourceDesc{}.res.pitch2D);

/// Checks the memory of a texture: on the device, and large enough.
cudaError_t check_memory(Call& call, const void* pointer, std::uint64_t bytes) {
  const PointerView view = view_pointer(call.runtime.memory, pointer);
  if (!view.on_device()) {
    call.runtime.report(bad_copy_pointer(call.site(), CopyRole::source, view));
    return cudaErrorInvalidValue;
  }
  if (bytes <= view.allocation->size - (view.address - view.allocation->base)) return cudaSuccess;
  call.runtime.report(out_of_bounds_copy(call.site(), CopyRole::source, view, bytes));
  return cudaErrorInvalidValue;
}

cudaError_t linear_image(Call& call, const cudaResourceDesc& resource, Image& image) {
  const auto& linear = resource.res.linear;
  const auto format = texel_format(linear.desc);
  if (!format) return cudaErrorInvalidChannelDescriptor;
  const std::uint64_t texels = linear.sizeInBytes / format->bytes();
  const auto address = reinterpret_cast<std::uint64_t>(linear.devPtr);
  if (texels == 0 || texels > kMostLinearTexels || address % kTextureAlignment != 0) {
    return cudaErrorInvalidValue;
  }
  image.address = address;
  image.width = static_cast<std::uint32_t>(texels);
  image.row_pitch = image.slice_pitch = linear.sizeInBytes;
  image.format = *format;
  image.linear_memory = true;
  return check_memory(call, linear.devPtr, texels * format->bytes());
}

cudaError_t pitched_image(Call& call, const cudaResourceDesc& resource, Image& image) {
  const auto& pitched = resource.res.pitch2D;
  const auto format = texel_format(pitched.desc);
  if (!format) return cudaErrorInvalidChannelDescriptor;
  const auto address = reinterpret_cast<std::uint64_t>(pitched.devPtr);
  const std::uint64_t row = pitched.width * format->bytes();
  const auto& most = CommonLimits{}.maxTexture2DLinear;
  const bool fits = pitched.width != 0 && pitched.height != 0 &&
                    pitched.width <= static_cast<std::uint64_t>(most[0]) &&
                    pitched.height <= static_cast<std::uint64_t>(most[1]) &&
                    pitched.pitchInBytes <= static_cast<std::uint64_t>(most[2]);
  if (!fits || row > pitched.pitchInBytes || address % kTextureAlignment != 0 ||
      pitched.pitchInBytes % kTexturePitchAlignment != 0) {
    return cudaErrorInvalidValue;
  }
  image.address = address;
  image.width = static_cast<std::uint32_t>(pitched.width);
  image.height = static_cast<std::uint32_t>(pitched.height);
  image.row_pitch = pitched.pitchInBytes;
  image.slice_pitch = pitched.pitchInBytes * pitched.height;
  image.format = *format;
  return check_memory(call, pitched.devPtr, pitched.pitchInBytes * (pitched.height - 1) + row);
}

cudaError_t find_image(Call& call, const cudaResourceDesc& resource, Image& image) {
  switch (resource.resType) {
    case cudaResourceTypeArray: {
      const Array* array = call.runtime.arrays.find(resource.res.array.array);
      if (array == nullptr) return cudaErrorInvalidValue;
      image = array->image;
      return cudaSuccess;
    }
    case cudaResourceTypeLinear:
      return linear_image(call, resource, image);
    case cudaResourceTypePitch2D:
      return pitched_image(call, resource, image);
    default:
      return cudaErrorInvalidValue;
  }
}

cudaError_t make_sampler(const cudaTextureDesc& description, const Image& image, Sampler& sampler) {
  for (std::size_t i = 0; i < 3; ++i) {
    const int mode = description.addressMode[i];
    if (mode < cudaAddressModeWrap || mode > cudaAddressModeBorder) return cudaErrorInvalidValue;
    sampler.outside[i] = static_cast<Sampler::Outside>(mode);
    sampler.border[i] = description.borderColor[i];
  }
  sampler.border[3] = description.borderColor[3];
  sampler.linear = description.filterMode == cudaFilterModeLinear;
  sampler.normalized_coordinates = description.normalizedCoords != 0;
  sampler.normalized_values = description.readMode == cudaReadModeNormalizedFloat;
  sampler.srgb = description.sRGB != 0;
  const bool floats = image.format.kind == TexelFormat::Kind::floating;
  if (sampler.normalized_values && !floats && image.format.channel_bytes == 4) {
    return cudaErrorInvalidNormSetting;
  }
  if (sampler.linear && !floats && !sampler.normalized_values) return cudaErrorInvalidFilterSetting;
  // Linear memory is read by index only.
  if (image.linear_memory && (sampler.linear || sampler.normalized_coordinates)) {
    return cudaErrorInvalidValue;
  }
  return cudaSuccess;
}

cudaError_t create_texture(Call& call, cudaTextureObject_t* handle,
                           const cudaResourceDesc* resource, const cudaTextureDesc* texture,
                           const cudaResourceViewDesc* view) {
  if (handle == nullptr || resource == nullptr || texture == nullptr) return cudaErrorInvalidValue;
  if (view != nullptr && view->format != cudaResViewFormatNone) {
    CallSite site = call.site();
    site.api += " with a resource view";
    report_unsupported(call.runtime, site);
    return cudaErrorNotSupported;
  }
  ImageObject object;
  object.sampler.emplace();
  if (const cudaError_t error = find_image(call, *resource, object.image)) return error;
  if (const cudaError_t error = make_sampler(*texture, object.image, *object.sampler)) return error;
  object.sampler->seamless = texture->seamlessCubemap != 0;
  *handle = call.runtime.machine.images().add(object);
  ImageDescription& kept = call.runtime.images[*handle];
  std::memcpy(&kept.resource, resource, kResourceBytes);
  kept.texture = *texture;
  kept.is_texture = true;
  return cudaSuccess;
}

cudaError_t create_surface(Call& call, cudaSurfaceObject_t* handle,
                           const cudaResourceDesc* resource) {
  if (handle == nullptr || resource == nullptr) return cudaErrorInvalidValue;
  if (resource->resType != cudaResourceTypeArray) return cudaErrorInvalidChannelDescriptor;
  const Array* array = call.runtime.arrays.find(resource->res.array.array);
  if (array == nullptr) return cudaErrorInvalidResourceHandle;
  if ((array->flags & unsigned{cudaArraySurfaceLoadStore}) == 0) return cudaErrorInvalidValue;
  *handle = call.runtime.machine.images().add({.image = array->image, .sampler = std::nullopt});
  std::memcpy(&call.runtime.images[*handle].resource, resource, kResourceBytes);
  return cudaSuccess;
}

/// Destroys either kind of object; zero is ignored.
cudaError_t destroy_object(Call& call, unsigned long long handle, bool is_texture) {
  if (handle == 0) return cudaSuccess;
  const auto found = call.runtime.images.find(handle);
  if (found == call.runtime.images.end() || found->second.is_texture != is_texture) {
    return cudaErrorInvalidValue;
  }
  call.runtime.images.erase(found);
  return call.runtime.machine.images().remove(handle) ? cudaSuccess : cudaErrorInvalidValue;
}

template <class Read>
cudaError_t describe_object(Call& call, unsigned long long handle, bool is_texture, Read read) {
  const auto found = call.runtime.images.find(handle);
  const bool fits = found != call.runtime.images.end() && found->second.is_texture == is_texture;
  if (!fits) return cudaErrorInvalidValue;
  read(found->second);
  return cudaSuccess;
}

}  // namespace
}  // namespace warpsim::cudart

using namespace warpsim::cudart;

extern "C" {

cudaError_t cudaCreateTextureObject(cudaTextureObject_t* object, const cudaResourceDesc* resource,
                                    const cudaTextureDesc* texture,
                                    const cudaResourceViewDesc* view) {
  return api(__func__,
             [&](Call& call) { return create_texture(call, object, resource, texture, view); });
}

cudaError_t cudaDestroyTextureObject(cudaTextureObject_t object) {
  return api(__func__, [&](Call& call) { return destroy_object(call, object, true); });
}

cudaError_t cudaGetTextureObjectResourceDesc(cudaResourceDesc* resource,
                                             cudaTextureObject_t object) {
  return api(__func__, [&](Call& call) {
    if (resource == nullptr) return cudaErrorInvalidValue;
    return describe_object(call, object, true, [&](const ImageDescription& kept) {
      std::memcpy(resource, &kept.resource, kResourceBytes);
    });
  });
}

cudaError_t cudaGetTextureObjectTextureDesc(cudaTextureDesc* texture, cudaTextureObject_t object) {
  return api(__func__, [&](Call& call) {
    if (texture == nullptr) return cudaErrorInvalidValue;
    return describe_object(call, object, true,
                           [&](const ImageDescription& kept) { *texture = kept.texture; });
  });
}

cudaError_t cudaCreateSurfaceObject(cudaSurfaceObject_t* object, const cudaResourceDesc* resource) {
  return api(__func__, [&](Call& call) { return create_surface(call, object, resource); });
}

cudaError_t cudaDestroySurfaceObject(cudaSurfaceObject_t object) {
  return api(__func__, [&](Call& call) { return destroy_object(call, object, false); });
}

cudaError_t cudaGetSurfaceObjectResourceDesc(cudaResourceDesc* resource,
                                             cudaSurfaceObject_t object) {
  return api(__func__, [&](Call& call) {
    if (resource == nullptr) return cudaErrorInvalidValue;
    return describe_object(call, object, false, [&](const ImageDescription& kept) {
      std::memcpy(resource, &kept.resource, kResourceBytes);
    });
  });
}

cudaError_t cudaDeviceGetTexture1DLinearMaxWidth(size_t* texels,
                                                 const cudaChannelFormatDesc* format, int device) {
  return api(__func__, [&](Call& call) {
    if (texels == nullptr || format == nullptr) return cudaErrorInvalidValue;
    if (!call.runtime.has_device(device)) return cudaErrorInvalidDevice;
    if (!texel_format(*format)) return cudaErrorInvalidChannelDescriptor;
    *texels = kMostLinearTexels;
    return cudaSuccess;
  });
}

}  // extern "C"
