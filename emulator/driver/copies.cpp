#include <vector>

#include "emulator/driver/driver.h"
#include "emulator/driver/library_entry.h"
#include "emulator/driver/per_thread.h"

using namespace warpsim::driver;

namespace {

/// Copies, in the stream or, without one, at once.
CUresult copy(void* to, const void* from, size_t bytes, cudaMemcpyKind kind,
              const CUstream* stream = nullptr) {
  return in_context([&](const RuntimeLibrary& runtime) {
    if (stream != nullptr) return runtime.cudaMemcpyAsync(to, from, bytes, kind, *stream);
    const auto copy_now = take_per_thread() ? runtime.cudaMemcpy_ptds : runtime.cudaMemcpy;
    return copy_now(to, from, bytes, kind);
  });
}

/// Fills rows of elements. The functions of the runtime fill bytes only: where it has no other way,
/// wider elements are copied from the host.
template <class Element>
CUresult fill(CUdeviceptr to, size_t pitch, Element value, size_t width, size_t height,
              const CUstream* stream) {
  return in_context([&](const RuntimeLibrary& runtime) {
    if (to % sizeof(Element) != 0) return cudaErrorInvalidValue;
    if (width == 0 || height == 0) return cudaSuccess;
    const size_t bytes = width * sizeof(Element);
    const size_t row = height == 1 ? bytes : pitch;
    void* const start = device_pointer(to);
    const bool per_thread = take_per_thread();
    if constexpr (sizeof(Element) == 1) {
      if (stream != nullptr) {
        return runtime.cudaMemset2DAsync(start, row, value, bytes, height, *stream);
      }
      const auto fill_now = per_thread ? runtime.cudaMemset2D_ptds : runtime.cudaMemset2D;
      return fill_now(start, row, value, bytes, height);
    } else {
      if (const warpsim::cudart::LibraryEntryPoints* const entry = library_entry()) {
        const bool is_async = stream != nullptr || per_thread;
        return entry->fill(is_async ? "cudaMemset2DAsync" : "cudaMemset2D",
                           __builtin_return_address(0),
                           {.address = to, .row_pitch = row, .slice_pitch = row * height}, value,
                           sizeof(Element), {.width = bytes, .height = height},
                           stream != nullptr ? *stream
                           : per_thread      ? cudaStreamPerThread
                                             : nullptr);
      }
      const std::vector<Element> all(width * height, value);
      const cudaMemcpyKind kind = cudaMemcpyHostToDevice;
      if (stream != nullptr) {
        return runtime.cudaMemcpy2DAsync(start, row, all.data(), bytes, bytes, height, kind,
                                         *stream);
      }
      const auto copy_now = per_thread ? runtime.cudaMemcpy2D_ptds : runtime.cudaMemcpy2D;
      return copy_now(start, row, all.data(), bytes, bytes, height, kind);
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
