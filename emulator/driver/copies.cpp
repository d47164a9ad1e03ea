#include <cstddef>
#include <vector>

#include "emulator/driver/driver.h"

using namespace warpsim::driver;

namespace {

/// Copies, in the stream or, without one, at once.
CUresult copy(void* to, const void* from, size_t bytes, cudaMemcpyKind kind,
              const CUstream* stream = nullptr) {
  return in_context([&](const RuntimeLibrary& runtime) {
    return stream == nullptr ? runtime.cudaMemcpy(to, from, bytes, kind)
                             : runtime.cudaMemcpyAsync(to, from, bytes, kind, *stream);
  });
}

/// One end of a copy of rows.
struct Rows {
  void* start = nullptr;
  size_t pitch = 0;
  bool on_host = false;
  bool valid = false;
};

Rows rows_of(CUmemorytype type, const void* host, CUdeviceptr device, size_t pitch, size_t x,
             size_t y, size_t width) {
  if (type == CU_MEMORYTYPE_ARRAY) return {};  // arrays are the runtime's here
  const bool on_host = type == CU_MEMORYTYPE_HOST;
  const size_t row = pitch == 0 ? width : pitch;
  auto* const base =
      static_cast<std::byte*>(on_host ? const_cast<void*>(host) : device_pointer(device));
  return {.start = base + y * row + x, .pitch = row, .on_host = on_host, .valid = true};
}

CUresult copy_rows(const CUDA_MEMCPY2D* copy, const CUstream* stream) {
  return in_context([&](const RuntimeLibrary& runtime) {
    if (copy == nullptr) return cudaErrorInvalidValue;
    const Rows from = rows_of(copy->srcMemoryType, copy->srcHost, copy->srcDevice, copy->srcPitch,
                              copy->srcXInBytes, copy->srcY, copy->WidthInBytes);
    const Rows to = rows_of(copy->dstMemoryType, copy->dstHost, copy->dstDevice, copy->dstPitch,
                            copy->dstXInBytes, copy->dstY, copy->WidthInBytes);
    if (!from.valid || !to.valid) return cudaErrorNotSupported;
    const bool unified = copy->srcMemoryType == CU_MEMORYTYPE_UNIFIED ||
                         copy->dstMemoryType == CU_MEMORYTYPE_UNIFIED;
    const cudaMemcpyKind kind = unified ? cudaMemcpyDefault
                                : from.on_host
                                    ? (to.on_host ? cudaMemcpyHostToHost : cudaMemcpyHostToDevice)
                                : to.on_host ? cudaMemcpyDeviceToHost
                                             : cudaMemcpyDeviceToDevice;
    return stream == nullptr
               ? runtime.cudaMemcpy2D(to.start, to.pitch, from.start, from.pitch,
                                      copy->WidthInBytes, copy->Height, kind)
               : runtime.cudaMemcpy2DAsync(to.start, to.pitch, from.start, from.pitch,
                                           copy->WidthInBytes, copy->Height, kind, *stream);
  });
}

/// Fills rows of elements. The runtime fills bytes only: of wider elements a row is copied.
template <class Element>
CUresult fill(CUdeviceptr to, size_t pitch, Element value, size_t width, size_t height,
              const CUstream* stream) {
  return in_context([&](const RuntimeLibrary& runtime) {
    if (to % sizeof(Element) != 0) return cudaErrorInvalidValue;
    if (width == 0 || height == 0) return cudaSuccess;
    const size_t bytes = width * sizeof(Element);
    const size_t row = height == 1 ? bytes : pitch;
    void* const start = device_pointer(to);
    if constexpr (sizeof(Element) == 1) {
      return stream == nullptr
                 ? runtime.cudaMemset2D(start, row, value, bytes, height)
                 : runtime.cudaMemset2DAsync(start, row, value, bytes, height, *stream);
    } else {
      const std::vector<Element> all(width * height, value);
      return stream == nullptr ? runtime.cudaMemcpy2D(start, row, all.data(), bytes, bytes, height,
                                                      cudaMemcpyHostToDevice)
                               : runtime.cudaMemcpy2DAsync(start, row, all.data(), bytes, bytes,
                                                           height, cudaMemcpyHostToDevice, *stream);
    }
  });
}

}  // namespace

extern "C" {

CUresult cuMemcpy(CUdeviceptr to, CUdeviceptr from, size_t bytes) {
  return copy(device_pointer(to), host_pointer(from), bytes, cudaMemcpyDefault);
}
CUresult cuMemcpyAsync(CUdeviceptr to, CUdeviceptr from, size_t bytes, CUstream stream) {
  return copy(device_pointer(to), host_pointer(from), bytes, cudaMemcpyDefault, &stream);
}
CUresult cuMemcpyHtoD_v2(CUdeviceptr to, const void* from, size_t bytes) {
  return copy(device_pointer(to), from, bytes, cudaMemcpyHostToDevice);
}
CUresult cuMemcpyDtoH_v2(void* to, CUdeviceptr from, size_t bytes) {
  return copy(to, host_pointer(from), bytes, cudaMemcpyDeviceToHost);
}
CUresult cuMemcpyDtoD_v2(CUdeviceptr to, CUdeviceptr from, size_t bytes) {
  return copy(device_pointer(to), host_pointer(from), bytes, cudaMemcpyDeviceToDevice);
}
CUresult cuMemcpyHtoDAsync_v2(CUdeviceptr to, const void* from, size_t bytes, CUstream stream) {
  return copy(device_pointer(to), from, bytes, cudaMemcpyHostToDevice, &stream);
}
CUresult cuMemcpyDtoHAsync_v2(void* to, CUdeviceptr from, size_t bytes, CUstream stream) {
  return copy(to, host_pointer(from), bytes, cudaMemcpyDeviceToHost, &stream);
}
CUresult cuMemcpyDtoDAsync_v2(CUdeviceptr to, CUdeviceptr from, size_t bytes, CUstream stream) {
  return copy(device_pointer(to), host_pointer(from), bytes, cudaMemcpyDeviceToDevice, &stream);
}

CUresult cuMemcpy2D_v2(const CUDA_MEMCPY2D* copy) {
  return copy_rows(copy, nullptr);
}
CUresult cuMemcpy2DUnaligned_v2(const CUDA_MEMCPY2D* copy) {
  return copy_rows(copy, nullptr);
}
CUresult cuMemcpy2DAsync_v2(const CUDA_MEMCPY2D* copy, CUstream stream) {
  return copy_rows(copy, &stream);
}

CUresult cuMemsetD8_v2(CUdeviceptr to, unsigned char value, size_t count) {
  return fill(to, 0, value, count, 1, nullptr);
}
CUresult cuMemsetD16_v2(CUdeviceptr to, unsigned short value, size_t count) {
  return fill(to, 0, value, count, 1, nullptr);
}
CUresult cuMemsetD32_v2(CUdeviceptr to, unsigned value, size_t count) {
  return fill(to, 0, value, count, 1, nullptr);
}
CUresult cuMemsetD2D8_v2(CUdeviceptr to, size_t pitch, unsigned char value, size_t width,
                         size_t height) {
  return fill(to, pitch, value, width, height, nullptr);
}
CUresult cuMemsetD2D16_v2(CUdeviceptr to, size_t pitch, unsigned short value, size_t width,
                          size_t height) {
  return fill(to, pitch, value, width, height, nullptr);
}
CUresult cuMemsetD2D32_v2(CUdeviceptr to, size_t pitch, unsigned value, size_t width,
                          size_t height) {
  return fill(to, pitch, value, width, height, nullptr);
}
CUresult cuMemsetD8Async(CUdeviceptr to, unsigned char value, size_t count, CUstream stream) {
  return fill(to, 0, value, count, 1, &stream);
}
CUresult cuMemsetD16Async(CUdeviceptr to, unsigned short value, size_t count, CUstream stream) {
  return fill(to, 0, value, count, 1, &stream);
}
CUresult cuMemsetD32Async(CUdeviceptr to, unsigned value, size_t count, CUstream stream) {
  return fill(to, 0, value, count, 1, &stream);
}
CUresult cuMemsetD2D8Async(CUdeviceptr to, size_t pitch, unsigned char value, size_t width,
                           size_t height, CUstream stream) {
  return fill(to, pitch, value, width, height, &stream);
}
CUresult cuMemsetD2D16Async(CUdeviceptr to, size_t pitch, unsigned short value, size_t width,
                            size_t height, CUstream stream) {
  return fill(to, pitch, value, width, height, &stream);
}
CUresult cuMemsetD2D32Async(CUdeviceptr to, size_t pitch, unsigned value, size_t width,
                            size_t height, CUstream stream) {
  return fill(to, pitch, value, width, height, &stream);
}

}  // extern "C"
