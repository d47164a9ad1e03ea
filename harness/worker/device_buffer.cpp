#include "harness/worker/device_buffer.h"

#include <cuda_runtime_api.h>

#include "harness/worker/cuda_check.h"

namespace warpgrade::worker {

DeviceBuffer::DeviceBuffer(std::size_t size, std::size_t offset) : offset_(offset) {
  void* base = nullptr;
  check(cudaMalloc(&base, size + offset), "cudaMalloc of a parameter");
  base_ = static_cast<std::byte*>(base);
}

DeviceBuffer::~DeviceBuffer() {
  cudaFree(base_);
}

void DeviceBuffer::upload(std::span<const std::byte> bytes) {
  check(cudaMemcpy(data(), bytes.data(), bytes.size(), cudaMemcpyHostToDevice),
        "copying a parameter to the device");
}

bool DeviceBuffer::download(std::span<std::byte> bytes, std::size_t first) const {
  return cudaMemcpy(bytes.data(), data() + first, bytes.size(), cudaMemcpyDeviceToHost) ==
         cudaSuccess;
}

}  // namespace warpgrade::worker
