#pragma once

#include <cstdint>
#include <initializer_list>
#include <string_view>

namespace warpgrade {

/// SipHash-2-4 of the fields, each preceded by its length so that ("ab", "c") and ("a", "bc")
/// differ. Keyed with zero: it separates streams, it does not authenticate.
/// @source J.-P. Aumasson, D. J. Bernstein, SipHash: a fast short-input PRF, INDOCRYPT 2012
[[nodiscard]] std::uint64_t hash_fields(std::initializer_list<std::string_view> fields);

/// SipHash-2-4 of one text under a 128-bit key.
[[nodiscard]] std::uint64_t siphash(std::uint64_t key0, std::uint64_t key1, std::string_view text);

/// A counter-based generator: the i-th number does not depend on earlier ones, so data do not
/// depend on the order or number of threads that fill them.
/// @source the output function of SplitMix64, G. Steele, D. Lea, C. Flood, OOPSLA 2014
class Random {
 public:
  explicit Random(std::uint64_t seed) : seed_(seed) {}

  [[nodiscard]] std::uint64_t bits(std::uint64_t index) const {
    std::uint64_t z = seed_ + (index + 1) * 0x9e3779b97f4a7c15U;
    z = (z ^ (z >> 30U)) * 0xbf58476d1ce4e5b9U;
    z = (z ^ (z >> 27U)) * 0x94d049bb133111ebU;
    return z ^ (z >> 31U);
  }

  /// In [0, 1), a multiple of 2^-53.
  [[nodiscard]] double uniform(std::uint64_t index) const {
    return static_cast<double>(bits(index) >> 11U) * 0x1p-53;
  }

  /// In [0, count), by multiplication; the bias is below count / 2^32.
  [[nodiscard]] std::uint64_t below(std::uint64_t index, std::uint32_t count) const {
    return ((bits(index) >> 32U) * count) >> 32U;
  }

 private:
  std::uint64_t seed_;
};

}  // namespace warpgrade
