#pragma once

#include <cuda_runtime_api.h>

#include <memory>
#include <optional>
#include <unordered_map>

#include "emulator/machine/memory.h"
#include "emulator/machine/texture.h"

// cudaArrays: images in global memory, with rows without padding, so that copies out of bounds in
// any dimension are detected.

namespace warpsim::cudart {

struct Array {
  Image image;
  cudaChannelFormatDesc format = {};
  cudaExtent extent = {};  // as given: unused dimensions are 0
  unsigned flags = 0;
};

class ArrayTable {
 public:
  cudaArray_t add(Array array);
  bool destroy(cudaArray_t handle) { return arrays_.erase(handle) == 1; }
  /// Null for a bad handle.
  [[nodiscard]] const Array* find(cudaArray_const_t handle) const;
  /// Forgets the arrays whose memory is no longer allocated.
  void forget_freed(const GlobalMemory& memory) {
    std::erase_if(arrays_, [&](const auto& entry) {
      return memory.find(entry.second->image.address) == nullptr;
    });
  }

 private:
  std::unordered_map<cudaArray_const_t, std::unique_ptr<Array>> arrays_;
};

/// Texels of a channel format; nothing for an unsupported one.
[[nodiscard]] std::optional<TexelFormat> texel_format(const cudaChannelFormatDesc& format);

}  // namespace warpsim::cudart
