#include <cstddef>
#include <optional>
#include <type_traits>

#include "emulator/driver/driver.h"
#include "emulator/driver/per_thread.h"

// Copies of two and three dimensions, of which each end is memory with a pitch or an array.

using namespace warpsim::driver;

namespace {

/// One end of a copy.
struct BoxEnd {
  CUmemorytype type = {};
  const void* host = nullptr;
  CUdeviceptr device = 0;
  CUarray array = nullptr;
  size_t x = 0;  // bytes
  size_t y = 0, z = 0;
  size_t pitch = 0;  // bytes; 0: the rows follow one another
  size_t height = 0;  // rows of a slice
};
struct BoxCopy {
  BoxEnd from = {}, to = {};
  size_t width = 0;  // bytes
  size_t height = 1, depth = 1;
};

/// @tparam Copy  CUDA_MEMCPY2D, CUDA_MEMCPY3D or CUDA_MEMCPY3D_PEER
/// @returns nothing for a level of a mipmapped array
template <class Copy>
std::optional<BoxCopy> box_of(const Copy& copy) {
  BoxCopy box = {.width = copy.WidthInBytes, .height = copy.Height};
  box.from = {.type = copy.srcMemoryType,
              .host = copy.srcHost,
              .device = copy.srcDevice,
              .array = copy.srcArray,
              .x = copy.srcXInBytes,
              .y = copy.srcY,
              .pitch = copy.srcPitch};
  box.to = {.type = copy.dstMemoryType,
            .host = copy.dstHost,
            .device = copy.dstDevice,
            .array = copy.dstArray,
            .x = copy.dstXInBytes,
            .y = copy.dstY,
            .pitch = copy.dstPitch};
  if constexpr (!std::is_same_v<Copy, CUDA_MEMCPY2D>) {
    if (copy.srcLOD != 0 || copy.dstLOD != 0) return std::nullopt;
    box.depth = copy.Depth;
    box.from.z = copy.srcZ;
    box.from.height = copy.srcHeight;
    box.to.z = copy.dstZ;
    box.to.height = copy.dstHeight;
  }
  return box;
}

bool is_array(const BoxEnd& end) {
  return end.type == CU_MEMORYTYPE_ARRAY;
}
size_t pitch_of(const BoxEnd& end, const BoxCopy& box) {
  return end.pitch == 0 ? box.width : end.pitch;
}
size_t slice_rows(const BoxEnd& end, const BoxCopy& box) {
  return end.height == 0 ? box.height : end.height;
}
std::byte* start_of(const BoxEnd& end, const BoxCopy& box) {
  auto* const base = static_cast<std::byte*>(
      end.type == CU_MEMORYTYPE_HOST ? const_cast<void*>(end.host) : device_pointer(end.device));
  return base + (end.z * slice_rows(end, box) + end.y) * pitch_of(end, box) + end.x;
}

cudaMemcpyKind kind_of(const BoxCopy& box) {
  const CUmemorytype from = box.from.type;
  const CUmemorytype to = box.to.type;
  if (from == CU_MEMORYTYPE_UNIFIED || to == CU_MEMORYTYPE_UNIFIED) return cudaMemcpyDefault;
  if (from == CU_MEMORYTYPE_HOST) {
    return to == CU_MEMORYTYPE_HOST ? cudaMemcpyHostToHost : cudaMemcpyHostToDevice;
  }
  return to == CU_MEMORYTYPE_HOST ? cudaMemcpyDeviceToHost : cudaMemcpyDeviceToDevice;
}

/// Bytes of an array's element; 0 for a bad handle.
size_t element_bytes(const RuntimeLibrary& runtime, CUarray array) {
  cudaChannelFormatDesc format = {};
  if (runtime.cudaArrayGetInfo(&format, nullptr, nullptr, reinterpret_cast<cudaArray_t>(array)) !=
      cudaSuccess) {
    return 0;
  }
  return static_cast<size_t>(format.x + format.y + format.z + format.w) / 8;
}

/// Of the runtime's description of a copy one end.
struct RuntimeEnd {
  cudaArray_t array = nullptr;
  cudaPos position = {};  // of an array, in elements
  cudaPitchedPtr memory = {};
};

std::optional<RuntimeEnd> runtime_end(const BoxEnd& end, const BoxCopy& box, size_t element) {
  if (!is_array(end)) {
    RuntimeEnd result;
    result.memory = {.ptr = start_of(end, box),
                     .pitch = pitch_of(end, box),
                     .xsize = box.width,
                     .ysize = slice_rows(end, box)};
    return result;
  }
  if (end.x % element != 0) return std::nullopt;
  return RuntimeEnd{.array = reinterpret_cast<cudaArray_t>(end.array),
                    .position = {.x = end.x / element, .y = end.y, .z = end.z}};
}

/// The description of a copy with the runtime's functions, which count an array's elements.
/// @returns an error where the bytes are not whole elements, or for a bad array
cudaError_t describe(const RuntimeLibrary& runtime, const BoxCopy& box,
                     cudaMemcpy3DParms& parameters) {
  size_t element = 1;
  for (const BoxEnd* end : {&box.from, &box.to}) {
    if (is_array(*end)) element = element_bytes(runtime, end->array);
    if (element == 0) return cudaErrorInvalidResourceHandle;
  }
  const auto from = runtime_end(box.from, box, element);
  const auto to = runtime_end(box.to, box, element);
  if (!from || !to || box.width % element != 0) return cudaErrorInvalidValue;
  parameters = {.srcArray = from->array,
                .srcPos = from->position,
                .srcPtr = from->memory,
                .dstArray = to->array,
                .dstPos = to->position,
                .dstPtr = to->memory,
                .extent = {.width = box.width / element, .height = box.height, .depth = box.depth},
                .kind = kind_of(box)};
  return cudaSuccess;
}

CUresult copy_box(const BoxCopy& box, const CUstream* stream) {
  return in_context([&](const RuntimeLibrary& runtime) -> cudaError_t {
    const bool per_thread = take_per_thread();
    if (!is_array(box.from) && !is_array(box.to) && box.depth == 1) {
      std::byte* const to = start_of(box.to, box);
      const std::byte* const from = start_of(box.from, box);
      if (stream != nullptr) {
        return runtime.cudaMemcpy2DAsync(to, pitch_of(box.to, box), from, pitch_of(box.from, box),
                                         box.width, box.height, kind_of(box), *stream);
      }
      const auto copy_now = per_thread ? runtime.cudaMemcpy2D_ptds : runtime.cudaMemcpy2D;
      return copy_now(to, pitch_of(box.to, box), from, pitch_of(box.from, box), box.width,
                      box.height, kind_of(box));
    }
    cudaMemcpy3DParms parameters = {};
    if (const cudaError_t error = describe(runtime, box, parameters)) return error;
    if (stream != nullptr) return runtime.cudaMemcpy3DAsync(&parameters, *stream);
    return (per_thread ? runtime.cudaMemcpy3D_ptds : runtime.cudaMemcpy3D)(&parameters);
  });
}

template <class Copy>
CUresult copy_box(const Copy* copy, const CUstream* stream) {
  if (copy == nullptr) return CUDA_ERROR_INVALID_VALUE;
  const std::optional<BoxCopy> box = box_of(*copy);
  return box ? copy_box(*box, stream) : CUDA_ERROR_INVALID_VALUE;
}

CUresult copy_peer_box(const CUDA_MEMCPY3D_PEER* copy, const CUstream* stream) {
  return in_context([&](const RuntimeLibrary& runtime) -> CUresult {
    const bool per_thread = take_per_thread();
    const std::optional<BoxCopy> box = copy == nullptr ? std::nullopt : box_of(*copy);
    if (!box) return CUDA_ERROR_INVALID_VALUE;
    cudaMemcpy3DPeerParms peers = {};
    for (const bool is_source : {true, false}) {
      const BoxEnd& end = is_source ? box->from : box->to;
      const CUcontext context = is_source ? copy->srcContext : copy->dstContext;
      // An array's context is its own; here it may be any, because the pointers say where to copy.
      if (!is_array(end) && !knows_context(context)) return CUDA_ERROR_INVALID_CONTEXT;
      (is_source ? peers.srcDevice : peers.dstDevice) =
          device_of(is_array(end) ? current_context() : context);
    }
    cudaMemcpy3DParms same = {};
    if (const cudaError_t error = describe(runtime, *box, same)) return result_of(error);
    peers.srcArray = same.srcArray;
    peers.srcPos = same.srcPos;
    peers.srcPtr = same.srcPtr;
    peers.dstArray = same.dstArray;
    peers.dstPos = same.dstPos;
    peers.dstPtr = same.dstPtr;
    peers.extent = same.extent;
    if (stream != nullptr) return result_of(runtime.cudaMemcpy3DPeerAsync(&peers, *stream));
    const auto copy_now = per_thread ? runtime.cudaMemcpy3DPeer_ptds : runtime.cudaMemcpy3DPeer;
    return result_of(copy_now(&peers));
  });
}

cudaArray_t runtime_array(CUarray array) {
  return reinterpret_cast<cudaArray_t>(array);
}

/// A part of a one-dimensional array.
struct ArrayPart {
  CUarray array = nullptr;
  size_t offset = 0, bytes = 0;
};

CUresult copy_to(const ArrayPart& to, const void* from, cudaMemcpyKind kind,
                 const CUstream* stream = nullptr) {
  return in_context([&](const RuntimeLibrary& runtime) {
    cudaArray_t const array = runtime_array(to.array);
    if (stream != nullptr) {
      return runtime.cudaMemcpy2DToArrayAsync(array, to.offset, 0, from, to.bytes, to.bytes, 1,
                                              kind, *stream);
    }
    const auto copy_now =
        take_per_thread() ? runtime.cudaMemcpy2DToArray_ptds : runtime.cudaMemcpy2DToArray;
    return copy_now(array, to.offset, 0, from, to.bytes, to.bytes, 1, kind);
  });
}

CUresult copy_from(const ArrayPart& from, void* to, cudaMemcpyKind kind,
                   const CUstream* stream = nullptr) {
  return in_context([&](const RuntimeLibrary& runtime) {
    cudaArray_t const array = runtime_array(from.array);
    if (stream != nullptr) {
      return runtime.cudaMemcpy2DFromArrayAsync(to, from.bytes, array, from.offset, 0, from.bytes,
                                                1, kind, *stream);
    }
    const auto copy_now =
        take_per_thread() ? runtime.cudaMemcpy2DFromArray_ptds : runtime.cudaMemcpy2DFromArray;
    return copy_now(to, from.bytes, array, from.offset, 0, from.bytes, 1, kind);
  });
}

}  // namespace

extern "C" {

CUresult cuMemcpy2D_v2(const CUDA_MEMCPY2D* copy) {
  return copy_box(copy, nullptr);
}
CUresult cuMemcpy2DUnaligned_v2(const CUDA_MEMCPY2D* copy) {
  return copy_box(copy, nullptr);
}
CUresult cuMemcpy2DAsync_v2(const CUDA_MEMCPY2D* copy, CUstream stream) {
  return copy_box(copy, &stream);
}
CUresult cuMemcpy3D_v2(const CUDA_MEMCPY3D* copy) {
  return copy_box(copy, nullptr);
}
CUresult cuMemcpy3DAsync_v2(const CUDA_MEMCPY3D* copy, CUstream stream) {
  return copy_box(copy, &stream);
}
CUresult cuMemcpy3DPeer(const CUDA_MEMCPY3D_PEER* copy) {
  return copy_peer_box(copy, nullptr);
}
CUresult cuMemcpy3DPeerAsync(const CUDA_MEMCPY3D_PEER* copy, CUstream stream) {
  return copy_peer_box(copy, &stream);
}

CUresult cuMemcpyHtoA_v2(CUarray to, size_t offset, const void* from, size_t bytes) {
  return copy_to({to, offset, bytes}, from, cudaMemcpyHostToDevice);
}
CUresult cuMemcpyHtoAAsync_v2(CUarray to, size_t offset, const void* from, size_t bytes,
                              CUstream stream) {
  return copy_to({to, offset, bytes}, from, cudaMemcpyHostToDevice, &stream);
}
CUresult cuMemcpyDtoA_v2(CUarray to, size_t offset, CUdeviceptr from, size_t bytes) {
  return copy_to({to, offset, bytes}, host_pointer(from), cudaMemcpyDeviceToDevice);
}
CUresult cuMemcpyAtoH_v2(void* to, CUarray from, size_t offset, size_t bytes) {
  return copy_from({from, offset, bytes}, to, cudaMemcpyDeviceToHost);
}
CUresult cuMemcpyAtoHAsync_v2(void* to, CUarray from, size_t offset, size_t bytes,
                              CUstream stream) {
  return copy_from({from, offset, bytes}, to, cudaMemcpyDeviceToHost, &stream);
}
CUresult cuMemcpyAtoD_v2(CUdeviceptr to, CUarray from, size_t offset, size_t bytes) {
  return copy_from({from, offset, bytes}, device_pointer(to), cudaMemcpyDeviceToDevice);
}
CUresult cuMemcpyAtoA_v2(CUarray to, size_t to_offset, CUarray from, size_t from_offset,
                         size_t bytes) {
  return in_context([&](const RuntimeLibrary& runtime) {
    const auto copy_now = take_per_thread() ? runtime.cudaMemcpy2DArrayToArray_ptds
                                            : runtime.cudaMemcpy2DArrayToArray;
    return copy_now(runtime_array(to), to_offset, 0, runtime_array(from), from_offset, 0, bytes, 1,
                    cudaMemcpyDeviceToDevice);
  });
}

}  // extern "C"
