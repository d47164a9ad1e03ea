#pragma once

#include <cstddef>
#include <vector>

#include "emulator/libraries/curand/sequence.h"

namespace warpsim::curand {

/// A generator whose numbers come from one engine per thread of a kernel, which take turns: one
/// number each, or one pair of normal numbers.
///
/// An Engine has `bits()`, `uniform()`, `uniform_double()`, `normals()` and `normals_double()`,
/// which draw from its stream, `skip(draws)`, and is copied cheaply.
template <class Engine>
class Threads : public Sequence {
 public:
  /// @param start  gives the engines of threads 0, 1, ..., one after the other
  /// @param offset  numbers to leave out
  template <class Start>
  Threads(std::size_t count, std::uint64_t offset, Start start) : next_(offset % count) {
    const std::uint64_t rounds = offset / count;
    engines_.reserve(count);
    for (std::size_t i = 0; i < count; ++i) {
      engines_.push_back(start(i));
      engines_.back().skip(rounds + (i < next_ ? 1 : 0));
    }
  }

  void bits(std::span<std::uint32_t> to) override {
    for (auto& value : to) value = turn().bits();
  }
  void uniform(std::span<float> to) override {
    for (auto& value : to) value = turn().uniform();
  }
  void uniform(std::span<double> to) override {
    for (auto& value : to) value = turn().uniform_double();
  }
  void normal(std::span<float> to) override {
    pairs(to, [](Engine& engine) { return engine.normals(); });
  }
  void normal(std::span<double> to) override {
    pairs(to, [](Engine& engine) { return engine.normals_double(); });
  }

 private:
  Engine& turn() {
    Engine& engine = engines_[next_];
    if (++next_ == engines_.size()) next_ = 0;
    return engine;
  }
  /// The API refuses an odd number.
  template <class T, class Pair>
  void pairs(std::span<T> to, Pair pair) {
    for (std::size_t i = 0; i + 1 < to.size(); i += 2) {
      const auto both = pair(turn());
      to[i] = both[0];
      to[i + 1] = both[1];
    }
  }

  std::vector<Engine> engines_;
  std::size_t next_;
};

}  // namespace warpsim::curand
