#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

namespace warpgrade::worker {

/// Elements that stay together: a part that is known by its first elements saves no reading.
constexpr std::size_t kMixedTogether = 32;

/// A random order of an input file's parts, of which each call's input takes the first: not all of
/// them, so that the calls' inputs also differ in what they contain.
///
/// Windows of a file overlap: a program could keep what it has computed of one call's input, and
/// find that in the next call's input by a few elements.
class PartOrder {
 public:
  /// @param parts  in the file, from 1 to 2^32 - 1
  PartOrder(std::uint64_t key, std::uint32_t parts);

  /// The part of the file that comes at `place`, which is below `parts`: a permutation.
  [[nodiscard]] std::uint32_t operator()(std::uint32_t place) const;

  [[nodiscard]] std::uint32_t parts() const { return parts_; }
  [[nodiscard]] std::uint32_t half_bits() const { return half_bits_; }
  [[nodiscard]] const std::array<std::uint32_t, 4>& keys() const { return keys_; }

 private:
  std::array<std::uint32_t, 4> keys_{};
  std::uint32_t parts_;
  std::uint32_t half_bits_ = 1;  // 4^half_bits_ is at least parts_
};

/// Whether a file has enough parts for an input, both in elements.
[[nodiscard]] bool can_mix(std::size_t input, std::size_t file);

/// Makes an input at `to` from `file`, part by part in the order of `key`. Both are in host memory.
void mix_on_host(std::span<std::byte> to, std::span<const std::byte> file, std::size_t element_size,
                 std::uint64_t key);

}  // namespace warpgrade::worker
