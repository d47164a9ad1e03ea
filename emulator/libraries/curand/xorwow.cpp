#include "emulator/libraries/curand/xorwow.h"

#include <bit>
#include <vector>

#include "emulator/libraries/curand/threads.h"

namespace warpsim::curand {
namespace {

constexpr std::size_t kXorwowThreads = 4096;
constexpr int kWords = 5;
constexpr int kXorwowSubsequence = 67;  // log2 of its length
constexpr std::uint32_t kCounterStep = 362437;
constexpr std::uint64_t kSeedStep = 0x2fd111;  // from thread to thread

using Words = std::array<std::uint32_t, kWords>;
/// A linear map of states: the images of the states with one bit.
using Map = std::array<Words, 32 * kWords>;

Words after_one(const Words& state) {
  const std::uint32_t t = state[0] ^ (state[0] >> 2);
  const std::uint32_t last = state[4];
  return {state[1], state[2], state[3], last, (last ^ (last << 4)) ^ (t ^ (t << 1))};
}

Words image_of(const Map& map, const Words& state) {
  Words image = {};
  for (std::size_t word = 0; word < kWords; ++word) {
    for (std::uint32_t left = state[word]; left != 0; left &= left - 1) {
      const Words& part = map[32 * word + static_cast<std::size_t>(std::countr_zero(left))];
      for (std::size_t i = 0; i < kWords; ++i) image[i] ^= part[i];
    }
  }
  return image;
}

/// Maps that skip 1, 2, 4, ..., 2^67 numbers.
const std::vector<Map>& skip_maps() {
  static const std::vector<Map>& maps = *new std::vector<Map>([] {
    std::vector<Map> made(kXorwowSubsequence + 1);
    for (std::size_t bit = 0; bit < 32 * kWords; ++bit) {
      Words one = {};
      one[bit / 32] = std::uint32_t{1} << (bit % 32);
      made[0][bit] = after_one(one);
    }
    for (std::size_t power = 1; power < made.size(); ++power) {
      const Map& half = made[power - 1];
      for (std::size_t bit = 0; bit < half.size(); ++bit) {
        made[power][bit] = image_of(half, half[bit]);
      }
    }
    return made;
  }());
  return maps;
}

}  // namespace

Xorwow::Xorwow(std::uint64_t seed) {
  const std::uint32_t low = 1099087573U * (static_cast<std::uint32_t>(seed) ^ 0xaad26b49U);
  const std::uint32_t high = 2591861531U * (static_cast<std::uint32_t>(seed >> 32) ^ 0xf7dcefddU);
  state_ = {123456789U + low, 362436069U ^ low, 521288629U + high, 88675123U ^ high,
            5783321U + low};
  counter_ = 6615241U + low + high;
}

std::uint32_t Xorwow::bits() {
  state_ = after_one(state_);
  counter_ += kCounterStep;
  return state_[4] + counter_;
}

std::array<double, 2> Xorwow::normals_double() {
  std::array<std::uint32_t, 4> words = {};
  for (auto& word : words) word = bits();
  return box_muller(words);
}

void Xorwow::skip(std::uint64_t draws) {
  counter_ += kCounterStep * static_cast<std::uint32_t>(draws);
  for (std::uint64_t left = draws; left != 0; left &= left - 1) {
    state_ = image_of(skip_maps()[static_cast<std::size_t>(std::countr_zero(left))], state_);
  }
}

void Xorwow::next_subsequence() {
  state_ = image_of(skip_maps()[kXorwowSubsequence], state_);
}

std::unique_ptr<Sequence> make_xorwow(std::uint64_t seed, std::uint64_t offset, bool by_seed) {
  if (by_seed) {
    return std::make_unique<Threads<Xorwow>>(kXorwowThreads, offset, [&](std::size_t thread) {
      return Xorwow(seed + thread * kSeedStep);
    });
  }
  Xorwow start(seed);
  return std::make_unique<Threads<Xorwow>>(kXorwowThreads, offset, [&](std::size_t) {
    const Xorwow engine = start;
    start.next_subsequence();
    return engine;
  });
}

}  // namespace warpsim::curand
