#include <optional>

#include "emulator/cudart/arrays.h"
#include "emulator/cudart/change_size.h"
#include "emulator/cudart/transfer.h"

// cudaMemcpy and cudaMemset in one, two and three dimensions. Asynchronous forms run at once, in
// call order, like all work here.

namespace warpsim::cudart {
namespace {

cudaError_t copy_linear(Call& call, void* destination, const void* source, size_t bytes,
                        cudaMemcpyKind kind, cudaStream_t stream) {
  const std::uint64_t width =
      changed_size(call.runtime, Change::Kind::more_copied, bytes, {destination, source});
  return copy(call, Side::linear(destination), Side::linear(source), {.width = width}, kind,
              stream);
}

cudaError_t fill_linear(Call& call, void* pointer, int value, size_t bytes, cudaStream_t stream) {
  const std::uint64_t width = changed_size(call.runtime, Change::Kind::more_set, bytes, {pointer});
  return fill(call, Side::linear(pointer), value, {.width = width}, stream);
}

Side rows(const void* pointer, size_t pitch) {
  return {reinterpret_cast<std::uint64_t>(pointer), pitch, 0};
}

cudaError_t copy_rows(Call& call, void* destination, size_t destination_pitch, const void* source,
                      size_t source_pitch, size_t width, size_t height, cudaMemcpyKind kind,
                      cudaStream_t stream) {
  if (width == 0 || height == 0) return cudaSuccess;
  if (width > destination_pitch || width > source_pitch) return cudaErrorInvalidPitchValue;
  return copy(call, rows(destination, destination_pitch), rows(source, source_pitch),
              {.width = width, .height = height}, kind, stream);
}

/// The box's corner inside a pitched allocation; x is in bytes.
Side corner(const cudaPitchedPtr& pitched, const cudaPos& position) {
  const std::uint64_t slice = pitched.pitch * pitched.ysize;
  return {reinterpret_cast<std::uint64_t>(pitched.ptr) + position.z * slice +
              position.y * pitched.pitch + position.x,
          pitched.pitch, slice};
}

/// One end of a three-dimensional copy: exactly one of an array and pitched memory.
struct End {
  cudaArray_const_t array;
  const cudaPitchedPtr& pitched;
  const cudaPos& position;
};

std::optional<Side> side_of(Call& call, CopyRole role, const End& end, const Box& box,
                            cudaError_t& error) {
  error = cudaErrorInvalidValue;
  if ((end.array != nullptr) == (end.pitched.ptr != nullptr)) return std::nullopt;
  if (end.array != nullptr) {
    const Array* array = call.runtime.arrays.find(end.array);
    if (array == nullptr) return std::nullopt;
    return array_side(call, role, *array, end.position, box, PositionUnit::elements);
  }
  error = cudaErrorInvalidPitchValue;
  if (box.width > end.pitched.pitch) return std::nullopt;
  return corner(end.pitched, end.position);
}

/// The box of a copy in bytes. With an array on either side the extent's width counts its elements.
Box box_of(Call& call, cudaArray_const_t to, cudaArray_const_t from, const cudaExtent& extent) {
  const Array* to_array = call.runtime.arrays.find(to);
  const Array* from_array = call.runtime.arrays.find(from);
  const Array* array = to_array != nullptr ? to_array : from_array;
  const std::uint64_t unit = array != nullptr ? array->image.format.bytes() : 1;
  return {extent.width * unit, extent.height, extent.depth};
}

/// Resolves the sides of a three-dimensional copy and calls `use(to, from, box)`.
template <class Use>
cudaError_t with_sides(Call& call, const cudaMemcpy3DParms& p, Use use) {
  const Box box = box_of(call, p.dstArray, p.srcArray, p.extent);
  if (box.empty()) return cudaSuccess;
  cudaError_t error = cudaSuccess;
  const auto to =
      side_of(call, CopyRole::destination, {p.dstArray, p.dstPtr, p.dstPos}, box, error);
  if (!to) return error;
  const auto from = side_of(call, CopyRole::source, {p.srcArray, p.srcPtr, p.srcPos}, box, error);
  return from ? use(*to, *from, box) : error;
}

cudaError_t copy_box(Call& call, const cudaMemcpy3DParms* parameters, cudaStream_t stream) {
  if (parameters == nullptr) return cudaErrorInvalidValue;
  return with_sides(call, *parameters, [&](const Side& to, const Side& from, const Box& box) {
    return copy(call, to, from, box, parameters->kind, stream);
  });
}

cudaError_t copy_peer_box(Call& call, const cudaMemcpy3DPeerParms* parameters,
                          cudaStream_t stream) {
  if (parameters == nullptr) return cudaErrorInvalidValue;
  if (!call.runtime.has_device(parameters->srcDevice)) return cudaErrorInvalidDevice;
  if (!call.runtime.has_device(parameters->dstDevice)) return cudaErrorInvalidDevice;
  const cudaMemcpy3DParms same = {.srcArray = parameters->srcArray,
                                  .srcPos = parameters->srcPos,
                                  .srcPtr = parameters->srcPtr,
                                  .dstArray = parameters->dstArray,
                                  .dstPos = parameters->dstPos,
                                  .dstPtr = parameters->dstPtr,
                                  .extent = parameters->extent,
                                  .kind = cudaMemcpyDeviceToDevice};
  return copy_box(call, &same, stream);
}

cudaError_t fill_box(Call& call, const cudaPitchedPtr& pitched, int value, const cudaExtent& extent,
                     cudaStream_t stream) {
  const Box box = {extent.width, extent.height, extent.depth};
  if (!box.empty() && box.width > pitched.pitch) return cudaErrorInvalidPitchValue;
  return fill(call, corner(pitched, {}), value, box, stream);
}

cudaError_t fill_rows(Call& call, void* pointer, size_t pitch, int value, size_t width,
                      size_t height, cudaStream_t stream) {
  if (width != 0 && height > 1 && width > pitch) return cudaErrorInvalidPitchValue;
  return fill(call, rows(pointer, pitch), value, {.width = width, .height = height}, stream);
}

/// The pointers alone decide which memory is copied: wrong device numbers of existing devices work
/// on a card, too (measured on two H100), and so does pinned memory.
cudaError_t copy_peer(Call& call, void* destination, int destination_device, const void* source,
                      int source_device, size_t bytes, cudaStream_t stream) {
  if (!call.runtime.has_device(destination_device)) return cudaErrorInvalidDevice;
  if (!call.runtime.has_device(source_device)) return cudaErrorInvalidDevice;
  return copy_linear(call, destination, source, bytes, cudaMemcpyDeviceToDevice, stream);
}

}  // namespace

cudaError_t box_copy_work(Call& call, const cudaMemcpy3DParms& parameters, Work& work) {
  return with_sides(call, parameters, [&](const Side& to, const Side& from, const Box& box) {
    const cudaError_t error = copy_work(call, to, from, box, parameters.kind, work);
    work.parameters = parameters;
    return error;
  });
}

}  // namespace warpsim::cudart

using namespace warpsim::cudart;

extern "C" {

cudaError_t cudaMemcpy(void* destination, const void* source, size_t bytes, cudaMemcpyKind kind) {
  return api(__func__, [&](Call& call) {
    return copy_linear(call, destination, source, bytes, kind, nullptr);
  });
}

cudaError_t cudaMemcpyAsync(void* destination, const void* source, size_t bytes,
                            cudaMemcpyKind kind, cudaStream_t stream) {
  return api(__func__, [&](Call& call) {
    return copy_linear(call, destination, source, bytes, kind, stream);
  });
}

cudaError_t cudaMemcpy2D(void* destination, size_t destination_pitch, const void* source,
                         size_t source_pitch, size_t width, size_t height, cudaMemcpyKind kind) {
  return api(__func__, [&](Call& call) {
    return copy_rows(call, destination, destination_pitch, source, source_pitch, width, height,
                     kind, nullptr);
  });
}

cudaError_t cudaMemcpy2DAsync(void* destination, size_t destination_pitch, const void* source,
                              size_t source_pitch, size_t width, size_t height, cudaMemcpyKind kind,
                              cudaStream_t stream) {
  return api(__func__, [&](Call& call) {
    return copy_rows(call, destination, destination_pitch, source, source_pitch, width, height,
                     kind, stream);
  });
}

cudaError_t cudaMemcpy3D(const cudaMemcpy3DParms* parameters) {
  return api(__func__, [&](Call& call) { return copy_box(call, parameters, nullptr); });
}

cudaError_t cudaMemcpy3DAsync(const cudaMemcpy3DParms* parameters, cudaStream_t stream) {
  return api(__func__, [&](Call& call) { return copy_box(call, parameters, stream); });
}

cudaError_t cudaMemcpy3DPeer(const cudaMemcpy3DPeerParms* parameters) {
  return api(__func__, [&](Call& call) { return copy_peer_box(call, parameters, nullptr); });
}

cudaError_t cudaMemcpy3DPeerAsync(const cudaMemcpy3DPeerParms* parameters, cudaStream_t stream) {
  return api(__func__, [&](Call& call) { return copy_peer_box(call, parameters, stream); });
}

cudaError_t cudaMemcpyPeer(void* destination, int destination_device, const void* source,
                           int source_device, size_t bytes) {
  return api(__func__, [&](Call& call) {
    return copy_peer(call, destination, destination_device, source, source_device, bytes, nullptr);
  });
}

cudaError_t cudaMemcpyPeerAsync(void* destination, int destination_device, const void* source,
                                int source_device, size_t bytes, cudaStream_t stream) {
  return api(__func__, [&](Call& call) {
    return copy_peer(call, destination, destination_device, source, source_device, bytes, stream);
  });
}

cudaError_t cudaMemset(void* pointer, int value, size_t bytes) {
  return api(__func__,
             [&](Call& call) { return fill_linear(call, pointer, value, bytes, nullptr); });
}

cudaError_t cudaMemsetAsync(void* pointer, int value, size_t bytes, cudaStream_t stream) {
  return api(__func__,
             [&](Call& call) { return fill_linear(call, pointer, value, bytes, stream); });
}

cudaError_t cudaMemset2D(void* pointer, size_t pitch, int value, size_t width, size_t height) {
  return api(__func__, [&](Call& call) {
    return fill_rows(call, pointer, pitch, value, width, height, nullptr);
  });
}

cudaError_t cudaMemset2DAsync(void* pointer, size_t pitch, int value, size_t width, size_t height,
                              cudaStream_t stream) {
  return api(__func__, [&](Call& call) {
    return fill_rows(call, pointer, pitch, value, width, height, stream);
  });
}

cudaError_t cudaMemset3D(cudaPitchedPtr pitched, int value, cudaExtent extent) {
  return api(__func__, [&](Call& call) { return fill_box(call, pitched, value, extent, nullptr); });
}

cudaError_t cudaMemset3DAsync(cudaPitchedPtr pitched, int value, cudaExtent extent,
                              cudaStream_t stream) {
  return api(__func__, [&](Call& call) { return fill_box(call, pitched, value, extent, stream); });
}

}  // extern "C"

WARPSIM_TWIN(cudaMemcpy, _ptds)
WARPSIM_TWIN(cudaMemcpyAsync, _ptsz)
WARPSIM_TWIN(cudaMemcpy2D, _ptds)
WARPSIM_TWIN(cudaMemcpy2DAsync, _ptsz)
WARPSIM_TWIN(cudaMemcpy3D, _ptds)
WARPSIM_TWIN(cudaMemcpy3DAsync, _ptsz)
WARPSIM_TWIN(cudaMemcpy3DPeer, _ptds)
WARPSIM_TWIN(cudaMemcpy3DPeerAsync, _ptsz)
WARPSIM_TWIN(cudaMemset, _ptds)
WARPSIM_TWIN(cudaMemsetAsync, _ptsz)
WARPSIM_TWIN(cudaMemset2D, _ptds)
WARPSIM_TWIN(cudaMemset2DAsync, _ptsz)
WARPSIM_TWIN(cudaMemset3D, _ptds)
WARPSIM_TWIN(cudaMemset3DAsync, _ptsz)
