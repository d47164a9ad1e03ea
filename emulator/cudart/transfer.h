#pragma once

#include <cstdint>

#include "emulator/cudart/api.h"

namespace warpsim::cudart {

/// A box of bytes to copy or to fill: `depth` slices of `height` rows of `width` bytes.
struct Box {
  std::uint64_t width = 0;
  std::uint64_t height = 1;
  std::uint64_t depth = 1;

  [[nodiscard]] bool empty() const { return width == 0 || height == 0 || depth == 0; }
};

/// One side of a copy: where the box starts and how far its rows and slices are apart.
struct Side {
  std::uint64_t address = 0;
  std::uint64_t row_pitch = 0;
  std::uint64_t slice_pitch = 0;

  [[nodiscard]] static Side linear(const void* pointer) {
    return {reinterpret_cast<std::uint64_t>(pointer), 0, 0};
  }
};

/// Checks a copy and puts it into a stream. The checks and their errors are those of the real
/// runtime (measured on an H200); each refusal is also a finding.
cudaError_t copy(Call& call, const Side& destination, const Side& source, const Box& box,
                 cudaMemcpyKind kind, cudaStream_t stream);

/// Checks a memset and puts it into a stream.
cudaError_t fill(Call& call, const Side& destination, int value, const Box& box,
                 cudaStream_t stream);

}  // namespace warpsim::cudart
