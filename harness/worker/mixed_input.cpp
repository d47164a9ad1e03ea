#include "harness/worker/mixed_input.h"

#include <algorithm>
#include <cstring>
#include <limits>
#include <utility>

namespace warpgrade::worker {

namespace {

std::uint64_t scrambled(std::uint64_t value) {  // SplitMix64
  value += 0x9e3779b97f4a7c15;
  value = (value ^ (value >> 30U)) * 0xbf58476d1ce4e5b9;
  value = (value ^ (value >> 27U)) * 0x94d049bb133111eb;
  return value ^ (value >> 31U);
}

}  // namespace

PartOrder::PartOrder(std::uint64_t key, std::uint32_t parts) : parts_(parts) {
  while ((std::uint64_t{1} << (2 * half_bits_)) < parts_) ++half_bits_;
  for (std::uint32_t& word : keys_) {
    key = scrambled(key);
    word = static_cast<std::uint32_t>(key);
  }
}

std::uint32_t PartOrder::operator()(std::uint32_t place) const {
  const std::uint32_t mask = (std::uint32_t{1} << half_bits_) - 1;
  // A Feistel network permutes the numbers below 4^half_bits_; those outside are permuted again.
  do {
    std::uint32_t left = place >> half_bits_;
    std::uint32_t right = place & mask;
    for (const std::uint32_t key : keys_) {
      std::uint32_t mixed = (right ^ key) * 0x9e3779b1;
      mixed = (mixed ^ (mixed >> 15U)) * 0x85ebca77;
      mixed ^= mixed >> 13U;
      left ^= mixed & mask;
      std::swap(left, right);
    }
    place = left << half_bits_ | right;
  } while (place >= parts_);
  return place;
}

bool can_mix(std::size_t input, std::size_t file) {
  const std::size_t wanted = (input + kMixedTogether - 1) / kMixedTogether;
  const std::size_t parts = file / kMixedTogether;
  return parts > 0 && wanted <= parts && parts <= std::numeric_limits<std::uint32_t>::max();
}

void mix_on_host(std::span<std::byte> to, std::span<const std::byte> file, std::size_t element_size,
                 std::uint64_t key) {
  const std::size_t part_size = kMixedTogether * element_size;
  const PartOrder order(key, static_cast<std::uint32_t>(file.size() / part_size));
  std::uint32_t place = 0;
  for (std::size_t begin = 0; begin < to.size(); begin += part_size) {
    std::memcpy(to.data() + begin, file.data() + order(place++) * part_size,
                std::min(part_size, to.size() - begin));
  }
}

}  // namespace warpgrade::worker
