#pragma once

#include <cstdint>
#include <span>

// What a generator makes: numbers in the order in which they stand in the output array.

namespace warpsim::curand {

/// Numbers of one generator, one call after the other. Each function fills its array with the next
/// ones. A generator is asked for bits only in its own width.
class Sequence {
 public:
  Sequence() = default;
  virtual ~Sequence() = default;
  Sequence(const Sequence&) = delete;
  Sequence& operator=(const Sequence&) = delete;

  virtual void bits(std::span<std::uint32_t> /*to*/) {}
  virtual void bits(std::span<std::uint64_t> /*to*/) {}
  /// Between 0, which does not occur, and 1.
  virtual void uniform(std::span<float> to) = 0;
  virtual void uniform(std::span<double> to) = 0;
  /// Of mean 0 and standard deviation 1.
  virtual void normal(std::span<float> to) = 0;
  virtual void normal(std::span<double> to) = 0;
};

}  // namespace warpsim::curand
