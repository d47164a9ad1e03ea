#include "emulator/cudart/arrays.h"

#include <algorithm>

#include "emulator/checkers/host_findings.h"
#include "emulator/cudart/finish.h"
#include "emulator/cudart/transfer.h"

namespace warpsim::cudart {

cudaArray_t ArrayTable::add(Array array) {
  auto owned = std::make_unique<Array>(array);
  auto* handle = reinterpret_cast<cudaArray_t>(owned.get());
  arrays_[handle] = std::move(owned);
  return handle;
}

const Array* ArrayTable::find(cudaArray_const_t handle) const {
  const auto found = arrays_.find(handle);
  return found == arrays_.end() ? nullptr : found->second.get();
}

std::optional<TexelFormat> texel_format(const cudaChannelFormatDesc& format) {
  const int bits[] = {format.x, format.y, format.z, format.w};
  int channels = 0;
  while (channels < 4 && bits[channels] != 0) ++channels;
  for (int i = 0; i < 4; ++i) {
    if (bits[i] != (i < channels ? bits[0] : 0)) return std::nullopt;
  }
  if (channels == 0 || channels == 3) return std::nullopt;
  if (bits[0] != 8 && bits[0] != 16 && bits[0] != 32) return std::nullopt;
  TexelFormat result;
  result.channels = static_cast<std::uint8_t>(channels);
  result.channel_bytes = static_cast<std::uint8_t>(bits[0] / 8);
  switch (format.f) {
    case cudaChannelFormatKindUnsigned:
      result.kind = TexelFormat::Kind::unsigned_integer;
      return result;
    case cudaChannelFormatKindSigned:
      result.kind = TexelFormat::Kind::signed_integer;
      return result;
    case cudaChannelFormatKindFloat:
      result.kind = TexelFormat::Kind::floating;
      return bits[0] == 8 ? std::nullopt : std::optional(result);
    default:
      return std::nullopt;
  }
}

std::optional<Side> array_side(Call& call, CopyRole role, const Array& array,
                               const cudaPos& position, const Box& box, PositionUnit unit) {
  const Image& image = array.image;
  const std::uint64_t x =
      unit == PositionUnit::elements ? position.x * image.format.bytes() : position.x;
  const auto fits = [](std::uint64_t at, std::uint64_t size, std::uint64_t room) {
    return at <= room && size <= room - at;
  };
  if (fits(x, box.width, image.row_pitch) && fits(position.y, box.height, image.height) &&
      fits(position.z, box.depth, image.depth)) {
    return Side{image.address + position.z * image.slice_pitch + position.y * image.row_pitch + x,
                image.row_pitch, image.slice_pitch};
  }
  call.runtime.report(
      out_of_bounds_array_copy(call.site(), role, {image.row_pitch, image.height, image.depth},
                               {x, position.y, position.z}, {box.width, box.height, box.depth}));
  return std::nullopt;
}

namespace {

constexpr unsigned kArrayFlags =
    cudaArrayLayered | cudaArrayCubemap | cudaArraySurfaceLoadStore | cudaArrayTextureGather;

/// Six square faces, or six for each layer.
bool is_cubemap_shape(const cudaExtent& extent, bool layered) {
  const bool whole =
      layered ? extent.depth != 0 && extent.depth % kCubeFaces == 0 : extent.depth == kCubeFaces;
  return whole && extent.width == extent.height;
}

cudaError_t allocate_array(Call& call, cudaArray_t* handle, const cudaChannelFormatDesc* format,
                           const cudaExtent& extent, unsigned flags) {
  if (handle == nullptr || format == nullptr) return cudaErrorInvalidValue;
  const auto texel = texel_format(*format);
  if (!texel) return cudaErrorInvalidChannelDescriptor;
  const bool layered = (flags & unsigned{cudaArrayLayered}) != 0;
  const bool cubemap = (flags & unsigned{cudaArrayCubemap}) != 0;
  const bool shape_fits = cubemap   ? is_cubemap_shape(extent, layered)
                          : layered ? extent.depth != 0
                                    : extent.depth == 0 || extent.height != 0;
  if ((flags & ~kArrayFlags) != 0 || extent.width == 0 || !shape_fits) return cudaErrorInvalidValue;
  constexpr std::size_t kMostTexels = 131072;  // in any dimension, as in the device's limits
  if (extent.width > kMostTexels || extent.height > kMostTexels || extent.depth > kMostTexels) {
    return cudaErrorInvalidValue;
  }
  Array array;
  array.format = *format;
  array.extent = extent;
  array.flags = flags;
  Image& image = array.image;
  image.format = *texel;
  image.width = static_cast<std::uint32_t>(extent.width);
  image.height = static_cast<std::uint32_t>(std::max<std::size_t>(extent.height, 1));
  image.depth = static_cast<std::uint32_t>(std::max<std::size_t>(extent.depth, 1));
  image.row_pitch = std::uint64_t{image.width} * texel->bytes();
  image.slice_pitch = image.row_pitch * image.height;
  const auto* allocation = call.runtime.allocations.allocate(
      call.runtime.memory, image.slice_pitch * image.depth, GlobalMemory::Kind::device,
      current_device(), call.name, call.frames());
  if (allocation == nullptr) return cudaErrorMemoryAllocation;
  image.address = allocation->base;
  *handle = call.runtime.arrays.add(array);
  return cudaSuccess;
}

cudaError_t free_array(Call& call, cudaArray_t handle) {
  if (handle == nullptr) return cudaSuccess;
  const Array* array = call.runtime.arrays.find(handle);
  if (array == nullptr) return cudaErrorInvalidValue;
  call.runtime.allocations.forget(array->image.address);
  (void)call.runtime.memory.free(array->image.address, [name = call.name, frames = call.frames()] {
    return describe(resolve(name, frames));
  });
  call.runtime.arrays.destroy(handle);
  return cudaSuccess;
}

/// The linear side of a copy to or from an array.
struct Rows {
  const void* pointer;
  size_t pitch;
  Side side() const { return {reinterpret_cast<std::uint64_t>(pointer), pitch, 0}; }
};

cudaError_t copy_to_array(Call& call, cudaArray_t handle, size_t x, size_t y, const Rows& from,
                          size_t width, size_t height, cudaMemcpyKind kind, cudaStream_t stream) {
  const Array* array = call.runtime.arrays.find(handle);
  if (array == nullptr) return cudaErrorInvalidValue;
  if (width == 0 || height == 0) return cudaSuccess;
  if (width > from.pitch) return cudaErrorInvalidPitchValue;
  const Box box = {.width = width, .height = height};
  const auto to =
      array_side(call, CopyRole::destination, *array, {x, y, 0}, box, PositionUnit::bytes);
  return to ? copy(call, *to, from.side(), box, kind, stream) : cudaErrorInvalidValue;
}

cudaError_t copy_from_array(Call& call, const Rows& to, cudaArray_const_t handle, size_t x,
                            size_t y, size_t width, size_t height, cudaMemcpyKind kind,
                            cudaStream_t stream) {
  const Array* array = call.runtime.arrays.find(handle);
  if (array == nullptr) return cudaErrorInvalidValue;
  if (width == 0 || height == 0) return cudaSuccess;
  if (width > to.pitch) return cudaErrorInvalidPitchValue;
  const Box box = {.width = width, .height = height};
  const auto from = array_side(call, CopyRole::source, *array, {x, y, 0}, box, PositionUnit::bytes);
  return from ? copy(call, to.side(), *from, box, kind, stream) : cudaErrorInvalidValue;
}

cudaError_t copy_between_arrays(Call& call, cudaArray_t to_handle, size_t to_x, size_t to_y,
                                cudaArray_const_t from_handle, size_t from_x, size_t from_y,
                                size_t width, size_t height, cudaMemcpyKind kind) {
  const Array* to = call.runtime.arrays.find(to_handle);
  const Array* from = call.runtime.arrays.find(from_handle);
  if (to == nullptr || from == nullptr) return cudaErrorInvalidValue;
  const Box box = {.width = width, .height = height};
  if (box.empty()) return cudaSuccess;
  const auto to_side =
      array_side(call, CopyRole::destination, *to, {to_x, to_y, 0}, box, PositionUnit::bytes);
  const auto from_side =
      array_side(call, CopyRole::source, *from, {from_x, from_y, 0}, box, PositionUnit::bytes);
  if (!to_side || !from_side) return cudaErrorInvalidValue;
  return copy(call, *to_side, *from_side, box, kind, nullptr);
}

/// The deprecated forms without rows: `bytes` that continue from row to row.
template <class Copy>
cudaError_t copy_run(const Array* array, size_t x, size_t y, size_t bytes, Copy copy_part) {
  if (array == nullptr) return cudaErrorInvalidValue;
  const std::uint64_t row = array->image.row_pitch;
  if (x >= row && bytes != 0) return cudaErrorInvalidValue;
  for (std::uint64_t done = 0; done < bytes; x = 0, ++y) {
    const std::uint64_t part = std::min<std::uint64_t>(bytes - done, row - x);
    if (const cudaError_t error = copy_part(x, y, done, part)) return error;
    done += part;
  }
  return cudaSuccess;
}

cudaError_t run_to_array(Call& call, cudaArray_t handle, size_t x, size_t y, const void* source,
                         size_t bytes, cudaMemcpyKind kind, cudaStream_t stream) {
  return copy_run(call.runtime.arrays.find(handle), x, y, bytes,
                  [&](size_t at_x, size_t at_y, std::uint64_t done, std::uint64_t part) {
                    const Rows from = {static_cast<const std::byte*>(source) + done, part};
                    return copy_to_array(call, handle, at_x, at_y, from, part, 1, kind, stream);
                  });
}

cudaError_t run_from_array(Call& call, void* destination, cudaArray_const_t handle, size_t x,
                           size_t y, size_t bytes, cudaMemcpyKind kind, cudaStream_t stream) {
  return copy_run(call.runtime.arrays.find(handle), x, y, bytes,
                  [&](size_t at_x, size_t at_y, std::uint64_t done, std::uint64_t part) {
                    const Rows to = {static_cast<std::byte*>(destination) + done, part};
                    return copy_from_array(call, to, handle, at_x, at_y, part, 1, kind, stream);
                  });
}

}  // namespace
}  // namespace warpsim::cudart

using namespace warpsim::cudart;
using warpsim::cudart::Array;

extern "C" {

cudaError_t cudaMallocArray(cudaArray_t* array, const cudaChannelFormatDesc* format, size_t width,
                            size_t height, unsigned flags) {
  return api(__func__, [&](Call& call) {
    return allocate_array(call, array, format, {width, height, 0}, flags);
  });
}

cudaError_t cudaMalloc3DArray(cudaArray_t* array, const cudaChannelFormatDesc* format,
                              cudaExtent extent, unsigned flags) {
  return api(__func__,
             [&](Call& call) { return allocate_array(call, array, format, extent, flags); });
}

cudaError_t cudaFreeArray(cudaArray_t array) {
  return api(__func__, [&](Call& call) { return free_array(call, array); });
}

cudaError_t cudaArrayGetInfo(cudaChannelFormatDesc* format, cudaExtent* extent, unsigned* flags,
                             cudaArray_t handle) {
  return api(__func__, [&](Call& call) {
    const Array* array = call.runtime.arrays.find(handle);
    if (array == nullptr) return cudaErrorInvalidValue;
    if (format != nullptr) *format = array->format;
    if (extent != nullptr) *extent = array->extent;
    if (flags != nullptr) *flags = array->flags;
    return cudaSuccess;
  });
}

cudaError_t cudaGetChannelDesc(cudaChannelFormatDesc* format, cudaArray_const_t handle) {
  return api(__func__, [&](Call& call) {
    const Array* array = call.runtime.arrays.find(handle);
    if (array == nullptr || format == nullptr) return cudaErrorInvalidValue;
    *format = array->format;
    return cudaSuccess;
  });
}

cudaError_t cudaMemcpy2DToArray(cudaArray_t array, size_t x, size_t y, const void* source,
                                size_t pitch, size_t width, size_t height, cudaMemcpyKind kind) {
  return api(__func__, [&](Call& call) {
    return copy_to_array(call, array, x, y, {source, pitch}, width, height, kind, nullptr);
  });
}

cudaError_t cudaMemcpy2DToArrayAsync(cudaArray_t array, size_t x, size_t y, const void* source,
                                     size_t pitch, size_t width, size_t height, cudaMemcpyKind kind,
                                     cudaStream_t stream) {
  return api(__func__, [&](Call& call) {
    return copy_to_array(call, array, x, y, {source, pitch}, width, height, kind, stream);
  });
}

cudaError_t cudaMemcpy2DFromArray(void* destination, size_t pitch, cudaArray_const_t array,
                                  size_t x, size_t y, size_t width, size_t height,
                                  cudaMemcpyKind kind) {
  return api(__func__, [&](Call& call) {
    return copy_from_array(call, {destination, pitch}, array, x, y, width, height, kind, nullptr);
  });
}

cudaError_t cudaMemcpy2DFromArrayAsync(void* destination, size_t pitch, cudaArray_const_t array,
                                       size_t x, size_t y, size_t width, size_t height,
                                       cudaMemcpyKind kind, cudaStream_t stream) {
  return api(__func__, [&](Call& call) {
    return copy_from_array(call, {destination, pitch}, array, x, y, width, height, kind, stream);
  });
}

cudaError_t cudaMemcpy2DArrayToArray(cudaArray_t to, size_t to_x, size_t to_y,
                                     cudaArray_const_t from, size_t from_x, size_t from_y,
                                     size_t width, size_t height, cudaMemcpyKind kind) {
  return api(__func__, [&](Call& call) {
    return copy_between_arrays(call, to, to_x, to_y, from, from_x, from_y, width, height, kind);
  });
}

cudaError_t cudaMemcpyToArray(cudaArray_t array, size_t x, size_t y, const void* source,
                              size_t bytes, cudaMemcpyKind kind) {
  return api(__func__, [&](Call& call) {
    return run_to_array(call, array, x, y, source, bytes, kind, nullptr);
  });
}

cudaError_t cudaMemcpyToArrayAsync(cudaArray_t array, size_t x, size_t y, const void* source,
                                   size_t bytes, cudaMemcpyKind kind, cudaStream_t stream) {
  return api(__func__, [&](Call& call) {
    return run_to_array(call, array, x, y, source, bytes, kind, stream);
  });
}

cudaError_t cudaMemcpyFromArray(void* destination, cudaArray_const_t array, size_t x, size_t y,
                                size_t bytes, cudaMemcpyKind kind) {
  return api(__func__, [&](Call& call) {
    return run_from_array(call, destination, array, x, y, bytes, kind, nullptr);
  });
}

cudaError_t cudaMemcpyFromArrayAsync(void* destination, cudaArray_const_t array, size_t x, size_t y,
                                     size_t bytes, cudaMemcpyKind kind, cudaStream_t stream) {
  return api(__func__, [&](Call& call) {
    return run_from_array(call, destination, array, x, y, bytes, kind, stream);
  });
}

}  // extern "C"

WARPSIM_TWIN(cudaMemcpy2DToArray, _ptds)
WARPSIM_TWIN(cudaMemcpy2DToArrayAsync, _ptsz)
WARPSIM_TWIN(cudaMemcpy2DFromArray, _ptds)
WARPSIM_TWIN(cudaMemcpy2DFromArrayAsync, _ptsz)
WARPSIM_TWIN(cudaMemcpy2DArrayToArray, _ptds)
WARPSIM_TWIN(cudaMemcpyToArray, _ptds)
WARPSIM_TWIN(cudaMemcpyToArrayAsync, _ptsz)
WARPSIM_TWIN(cudaMemcpyFromArray, _ptds)
WARPSIM_TWIN(cudaMemcpyFromArrayAsync, _ptsz)
