#pragma once

#include <cstddef>
#include <cstdint>
#include <stdexcept>

#include "harness/golden/golden.h"

namespace warpgrade {

/// A golden function in which one place is changed, from its source (harness/variants).
struct GoldenVariant {
  std::uint32_t line = 0;  // of golden.cpp
  const char* says = "";  // completes "Your output is exactly the right one ..."
  const char* pitfall = "";  // page of docs/pitfalls, or empty
  std::int32_t rank = 0;  // of variants that compute the same, the lowest one is named
};

/// What the library of a lab's variants gives.
struct GoldenVariantTable {
  std::size_t count = 0;
  const GoldenVariant* all = nullptr;
  /// Computes the outputs by variant `number`, from 1, and another one together with it; 0 is the
  /// golden function itself.
  /// @param most_steps  of its loops
  /// @param steps       that they made, also if it throws
  /// @throws std::length_error   after so many steps
  /// @throws std::out_of_range   for an element outside of an array
  void (*run)(const GoldenCall& call, std::uint32_t number, std::uint32_t other,
              std::uint64_t most_steps, std::uint64_t* steps) = nullptr;
};

/// The name of the function that returns the table, and its type.
inline constexpr const char* kGoldenVariantsFunction = "warpgrade_golden_variants";
using GoldenVariantsFunction = const GoldenVariantTable* (*)();

}  // namespace warpgrade
