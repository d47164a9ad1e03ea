#include "emulator/libraries/curand/philox.h"

#include <array>

#include "emulator/libraries/curand/distributions.h"

namespace warpsim::curand {
namespace {

constexpr std::uint64_t kPhiloxThreads = 65536;
using Four = std::array<std::uint32_t, 4>;

class Philox : public Sequence {
 public:
  Philox(std::uint64_t seed, std::uint64_t offset) : seed_(seed), position_(offset) {}

  void bits(std::span<std::uint32_t> to) override {
    each<1>(to, [](const Four& words, std::size_t i) { return words[i]; });
  }
  void uniform(std::span<float> to) override {
    each<1>(to, [](const Four& words, std::size_t i) { return uniform_float(words[i]); });
  }
  void uniform(std::span<double> to) override {
    each<2>(to, [](const Four& words, std::size_t i) {
      return uniform_double(join(words[2 * i], words[2 * i + 1]));
    });
  }
  void normal(std::span<float> to) override {
    each<1>(to, [](const Four& words, std::size_t i) {
      return box_muller(words[i & 2], words[(i & 2) + 1])[i & 1];
    });
  }
  void normal(std::span<double> to) override {
    each<2>(to, [](const Four& words, std::size_t i) { return box_muller(words)[i]; });
  }

 private:
  /// Threads take turns with four results each, for which they draw `kDraws` times.
  template <std::uint64_t kDraws, class T, class Make>
  void each(std::span<T> to, Make make) {
    constexpr std::uint64_t kOfDraw = 4 / kDraws;  // results
    std::uint64_t have = ~std::uint64_t{0};  // position / kOfDraw of `words`
    Four words = {};
    for (T& value : to) {
      const std::uint64_t turn = position_ / 4;
      const std::uint64_t within = position_ % 4;
      if (position_ / kOfDraw != have) {
        have = position_ / kOfDraw;
        words = draw(turn % kPhiloxThreads, turn / kPhiloxThreads * kDraws + within / kOfDraw);
      }
      value = make(words, within % kOfDraw);
      ++position_;
    }
  }

  [[nodiscard]] Four draw(std::uint64_t thread, std::uint64_t number) const {
    Four x = {static_cast<std::uint32_t>(number), static_cast<std::uint32_t>(number >> 32),
              static_cast<std::uint32_t>(thread), 0};
    std::array<std::uint32_t, 2> key = {static_cast<std::uint32_t>(seed_),
                                        static_cast<std::uint32_t>(seed_ >> 32)};
    for (int round = 0; round < 10; ++round) {
      const std::uint64_t first = std::uint64_t{0xd2511f53} * x[0];
      const std::uint64_t second = std::uint64_t{0xcd9e8d57} * x[2];
      x = {static_cast<std::uint32_t>(second >> 32) ^ x[1] ^ key[0],
           static_cast<std::uint32_t>(second),
           static_cast<std::uint32_t>(first >> 32) ^ x[3] ^ key[1],
           static_cast<std::uint32_t>(first)};
      key[0] += 0x9e3779b9;
      key[1] += 0xbb67ae85;
    }
    return x;
  }

  const std::uint64_t seed_;
  std::uint64_t position_;
};

}  // namespace

std::unique_ptr<Sequence> make_philox(std::uint64_t seed, std::uint64_t offset) {
  return std::make_unique<Philox>(seed, offset);
}

}  // namespace warpsim::curand
