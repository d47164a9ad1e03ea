#include "harness/worker/device_buffer.h"

#include <cuda_runtime_api.h>

#include <algorithm>
#include <set>

#include "harness/worker/cuda_check.h"

namespace warpgrade::worker {

namespace {

std::set<DeviceBuffer*>& living() {
  static std::set<DeviceBuffer*> buffers;
  return buffers;
}

}  // namespace

DeviceBuffer::DeviceBuffer(std::size_t size, std::size_t offset, bool managed) : offset_(offset) {
  void* base = nullptr;
  if (managed) {
    // Unlike cudaMalloc it refuses a size of 0.
    check(cudaMallocManaged(&base, std::max<std::size_t>(size + offset, 1), cudaMemAttachGlobal),
          "cudaMallocManaged of a parameter");
  } else {
    check(cudaMalloc(&base, size + offset), "cudaMalloc of a parameter");
  }
  base_ = static_cast<std::byte*>(base);
  living().insert(this);
}

DeviceBuffer::~DeviceBuffer() {
  living().erase(this);
  release();
}

void DeviceBuffer::release() {
  if (!released_) cudaFree(base_);
  released_ = true;
}

void DeviceBuffer::release_all() {
  for (DeviceBuffer* buffer : living()) buffer->release();
}

void DeviceBuffer::upload(std::span<const std::byte> bytes) {
  check(cudaMemcpy(data(), bytes.data(), bytes.size(), cudaMemcpyHostToDevice),
        "copying a parameter to the device");
}

bool DeviceBuffer::download(std::span<std::byte> bytes, std::size_t first) const {
  return !released_ && cudaMemcpy(bytes.data(), data() + first, bytes.size(),
                                  cudaMemcpyDeviceToHost) == cudaSuccess;
}

}  // namespace warpgrade::worker
