#pragma once

#include <cuda.h>
#include <cuda_runtime_api.h>

#include <optional>

// An array is the runtime's, and so is its handle.

namespace warpsim::driver {

/// The runtime's description of an element; nothing for a format that arrays do not have here.
[[nodiscard]] std::optional<cudaChannelFormatDesc> channels_of(CUarray_format format,
                                                               unsigned channels);

struct ArrayFormat {
  CUarray_format format = CU_AD_FORMAT_FLOAT;
  unsigned channels = 1;
};
/// The other way. @param channels  one that channels_of() gives
[[nodiscard]] ArrayFormat format_of(const cudaChannelFormatDesc& channels);

}  // namespace warpsim::driver
