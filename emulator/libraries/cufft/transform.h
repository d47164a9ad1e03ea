#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <mutex>
#include <tuple>
#include <utility>

#include "emulator/libraries/cufft/layout.h"

namespace warpsim::cufft {

/// A shape's transforms by FFTW, on one thread, so that results are the same on every run of one
/// machine. Thread-safe. Work that was issued keeps it, whatever becomes of the plan.
class Transform {
 public:
  explicit Transform(Shape shape) : shape_(std::move(shape)) {}
  ~Transform();
  Transform(const Transform&) = delete;
  Transform& operator=(const Transform&) = delete;

  [[nodiscard]] const Shape& shape() const { return shape_; }

  /// Whether cuFFT works in the input, and nothing useful is left there. It does so with transforms
  /// to real numbers of more than one dimension.
  [[nodiscard]] bool loses_input(bool in_place) const;

  /// Transforms without a factor. An input that is lost is NaN afterwards.
  /// @param direction  kForward or kInverse; of a transform with real numbers, its own
  /// @throws std::bad_alloc
  void run(std::byte* input, std::byte* output, int direction);

 private:
  template <class Real>
  void run_as(std::byte* input, std::byte* output, int direction);

  /// FFTW's plan; null if it has none.
  /// @param in_place  the program's output is in place of its input; FFTW may get a copy of this
  template <class Real>
  void* plan(bool in_place, std::byte* input, std::byte* output, int direction);

  const Shape shape_;
  std::mutex mutex_;
  std::map<std::tuple<bool, bool, int>, void*> plans_;  // in place, from a copy, direction
};

}  // namespace warpsim::cufft
