#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>

// Tensor maps: what the copy engine knows of an array in global memory, in 128 bytes that only the
// driver can read. This is our layout of them. The driver library compiles this file too, so it
// depends on nothing.

namespace warpsim {

/// The element types of CUtensorMapDataType, in its order.
enum class TensorElement : std::uint8_t {
  u8,
  u16,
  u32,
  s32,
  u64,
  s64,
  f16,
  f32,
  f64,
  bf16,
  f32_ftz,
  tf32,
  tf32_ftz,
};
inline constexpr unsigned kTensorElements = 13;
[[nodiscard]] unsigned bytes_of(TensorElement element);
[[nodiscard]] bool is_float(TensorElement element);

struct TensorMap {
  static constexpr unsigned kMostRank = 5;
  static constexpr std::size_t kBytes = 128;

  std::uint64_t address = 0;  // of the array, on the device
  std::uint64_t stride[kMostRank - 1] = {};  // bytes, of all dimensions but the first
  std::uint32_t last[kMostRank] = {};  // of each dimension, the last element
  std::uint16_t box[kMostRank] = {};  // elements
  std::uint8_t step[kMostRank] = {};  // from one element of the box to the next
  TensorElement element = TensorElement::u8;
  std::uint8_t rank = 0;
  std::uint8_t swizzle = 0;  // bytes: 0, 32, 64, 128
  std::uint8_t fills_nan = 0;  // what is out of bounds, instead of zero

  /// Elements of a box along a dimension that are copied.
  [[nodiscard]] std::uint32_t count(unsigned dimension) const {
    return (box[dimension] + std::uint32_t{step[dimension]} - 1) / step[dimension];
  }
  [[nodiscard]] std::uint32_t row_bytes() const { return count(0) * bytes_of(element); }
  [[nodiscard]] std::uint32_t box_bytes() const;
  /// From one row of a box to the next in shared memory: a swizzle pads them. Measured on an H200.
  [[nodiscard]] std::uint32_t pitch() const { return swizzle == 0 ? row_bytes() : swizzle; }
  /// Bytes of shared memory that a box takes.
  [[nodiscard]] std::uint32_t place_bytes() const { return box_bytes() / row_bytes() * pitch(); }

  /// Writes the 128 bytes.
  void store(std::byte* to) const;
  /// Nothing when the bytes are something else.
  [[nodiscard]] static std::optional<TensorMap> load(const std::byte* from);
};

/// What cuTensorMapEncodeTiled is given; the numbers are those of its enumerations.
struct TensorMapRequest {
  unsigned type = 0, rank = 0;
  std::uint64_t address = 0;
  const std::uint64_t* dimensions = nullptr;
  const std::uint64_t* strides = nullptr;  // bytes; rank - 1 of them
  const std::uint32_t* box = nullptr;
  const std::uint32_t* steps = nullptr;
  unsigned interleave = 0, swizzle = 0, promotion = 0, fill = 0;
};

/// The map, or nothing where the driver returns CUDA_ERROR_INVALID_VALUE; also for what the
/// emulator does not have: interleaved layouts and packed types of 4 and 6 bits.
[[nodiscard]] std::optional<TensorMap> encode(const TensorMapRequest& request);

}  // namespace warpsim
