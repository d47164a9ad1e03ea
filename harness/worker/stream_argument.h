#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <cstring>
#include <vector>

#include "harness/worker/cuda_check.h"
#include "harness/worker/device_reset.h"

namespace warpgrade::worker {

/// A stream that the function gets; the default stream does not wait for it.
class StreamArgument {
 public:
  StreamArgument() {
    check(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking), "cudaStreamCreate");
  }
  ~StreamArgument() {
    if (!device_was_reset()) (void)cudaStreamDestroy(stream_);
  }
  StreamArgument(const StreamArgument&) = delete;
  StreamArgument& operator=(const StreamArgument&) = delete;

  [[nodiscard]] cudaStream_t stream() const { return stream_; }
  /// The bytes of the handle.
  [[nodiscard]] std::vector<std::byte> value() const {
    std::vector<std::byte> bytes(sizeof(cudaStream_t));
    std::memcpy(bytes.data(), &stream_, sizeof(cudaStream_t));
    return bytes;
  }

 private:
  cudaStream_t stream_ = nullptr;
};

}  // namespace warpgrade::worker
