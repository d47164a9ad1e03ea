#include "emulator/libraries/curand/mt19937.h"

#include <array>
#include <vector>

#include "emulator/libraries/curand/distributions.h"
#include "emulator/libraries/curand/mt19937_jump.h"

namespace warpsim::curand {
namespace {

constexpr std::uint64_t kGenerators = 8192;
constexpr std::uint64_t kMt19937Threads = 8;  // of one generator
constexpr std::uint64_t kTurns = kMt19937Words / kMt19937Threads;  // until all words have been used

/// The words of a state in the order in which the threads use them: first eight that lie apart,
/// then the blocks between these, in which every thread has seven words that follow each other.
constexpr std::array<std::uint16_t, kMt19937Words> kOrder = [] {
  constexpr std::array<std::uint16_t, kMt19937Threads> kFirst = {0,   113, 170, 283,
                                                                 340, 397, 510, 567};
  constexpr std::size_t kOfThread = 7;
  constexpr std::size_t kBlock = kOfThread * kMt19937Threads;
  std::array<std::uint16_t, kMt19937Words> order = {};
  std::array<bool, kMt19937Words> used = {};
  std::size_t count = 0;
  for (const std::uint16_t word : kFirst) {
    order[count++] = word;
    used[word] = true;
  }
  for (std::size_t word = 0; word < kMt19937Words;) {
    if (used[word]) {
      ++word;
      continue;
    }
    for (std::size_t i = 0; i < kBlock; ++i) {
      order[count++] =
          static_cast<std::uint16_t>(word + i % kMt19937Threads * kOfThread + i / kMt19937Threads);
    }
    word += kBlock;
  }
  return order;
}();

constexpr std::uint32_t tempered(std::uint32_t y) {
  y ^= y >> 11;
  y ^= (y << 7) & 0x9d2c5680;
  y ^= (y << 15) & 0xefc60000;
  return y ^ (y >> 18);
}

double uniform_of(std::uint32_t x) {
  return x * kTwoToMinus32 + kTwoToMinus32 / 2;
}

class Mt19937 : public Sequence {
 public:
  explicit Mt19937(std::uint64_t seed) : start_(mt19937_state(seed)) {}

  void bits(std::span<std::uint32_t> to) override {
    for (auto& value : to) value = next();
  }
  void uniform(std::span<float> to) override {
    for (float& value : to) value = static_cast<float>(uniform_of(next()));
  }
  void uniform(std::span<double> to) override {
    for (double& value : to) value = uniform_of(next());
  }
  void normal(std::span<float> to) override {
    for (float& value : to) value = normal_float(next());
  }
  void normal(std::span<double> to) override {
    for (double& value : to) value = normal_double(next());
  }

 private:
  struct Generator {
    Mt19937State state;
    std::uint64_t rounds = 0;  // that the state has gone through
  };

  std::uint32_t next() {
    const std::uint64_t turn = position_ / (kMt19937Threads * kGenerators);
    const auto number = static_cast<std::size_t>(position_ / kMt19937Threads % kGenerators);
    // A generator is not needed before the one in front of it.
    if (number == generators_.size()) {
      generators_.push_back({.state = start_});
      start_ = mt19937_jumped(start_);
    }
    Generator& generator = generators_[number];
    for (; generator.rounds <= turn / kTurns; ++generator.rounds) mt19937_round(generator.state);
    const std::uint64_t place = turn % kTurns * kMt19937Threads + position_ % kMt19937Threads;
    ++position_;
    return tempered(generator.state[kOrder[static_cast<std::size_t>(place)]]);
  }

  Mt19937State start_;  // of the next generator
  std::vector<Generator> generators_;
  std::uint64_t position_ = 0;
};

}  // namespace

std::unique_ptr<Sequence> make_mt19937(std::uint64_t seed) {
  return std::make_unique<Mt19937>(seed);
}

}  // namespace warpsim::curand
