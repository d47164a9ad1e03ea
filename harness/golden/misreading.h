#pragma once

#include <cmath>
#include <cstddef>
#include <functional>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "harness/golden/golden.h"

namespace warpgrade {

/// The condition of an element that a misreading leaves to chance, such as one that it reads from
/// outside an array: it may be anything.
inline constexpr double kAnything = std::numeric_limits<double>::infinity();

/// A number rounded to so many significant bits: 24 of a float, 11 of a half, 8 of a bfloat16.
inline double rounded_to(double value, int bits) {
  if (value == 0 || !std::isfinite(value)) return value;
  int exponent = 0;
  const double fraction = std::frexp(value, &exponent);
  return std::ldexp(std::nearbyint(std::ldexp(fraction, bits)), exponent - bits);
}

/// Whether so many values are those of as many blocks as a block has threads: one block that
/// combines a result per thread takes no more.
inline bool is_square_of_block(std::size_t values) {
  constexpr std::size_t kLargest = 1024;
  for (std::size_t block = 64; block <= kLargest; block *= 2) {
    if (values == block * block) return true;
  }
  return false;
}

/// A formula that is computed in place of the golden function's by mistake.
struct Misreading {
  std::string id;  // "mask-left"; unique in its lab
  std::string says;  // completes "Your output is exactly the right one ...": "of the flipped mask"
  std::function<void(const GoldenCall&)> compute;  // as the golden function
  std::string pitfall;  // page of docs/pitfalls, or empty
};

/// Where misreadings.cpp puts its misreadings.
class MisreadingList {
 public:
  /// The golden function's own formula, as misreadings.cpp computes it with nothing changed: `lab
  /// check` compares the two.
  void unchanged(std::function<void(const GoldenCall&)> compute) {
    unchanged_ = std::move(compute);
  }
  void add(std::string id, std::string says, std::function<void(const GoldenCall&)> compute,
           std::string pitfall = "") {
    all_.push_back({.id = std::move(id),
                    .says = std::move(says),
                    .compute = std::move(compute),
                    .pitfall = std::move(pitfall)});
  }
  [[nodiscard]] const std::vector<Misreading>& all() const { return all_; }
  /// Empty if misreadings.cpp does not give it.
  [[nodiscard]] const std::function<void(const GoldenCall&)>& unchanged() const {
    return unchanged_;
  }

 private:
  std::vector<Misreading> all_;
  std::function<void(const GoldenCall&)> unchanged_;
};

}  // namespace warpgrade

/// Begins the one function of a misreadings.cpp: `WARPGRADE_MISREADINGS(list) { list.add(...); }`.
#define WARPGRADE_MISREADINGS(list)                                  \
  extern "C" void warpgrade_misreadings(warpgrade::MisreadingList&); \
  extern "C" void warpgrade_misreadings(warpgrade::MisreadingList& list)
