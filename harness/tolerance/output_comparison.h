#pragma once

#include <cstdint>
#include <string>

#include "harness/core/names.h"

namespace warpgrade {

/// Which positions an output's right values may have.
enum class OutputOrder : std::uint8_t {
  fixed,  // each element at its own position
  any,  // elements in any order: a multiset
  rows,  // rows of a matrix in any order, each with its elements in their order
};
constexpr auto names_of(OutputOrder) {
  return names_up_to<OutputOrder::rows>("fixed", "any", "rows");
}

/// What an output's elements are, for messages.
enum class OutputForm : std::uint8_t {
  numbers,
  text,  // characters: differences are shown as lines of text
  bytes,  // differences are shown in hexadecimal
};
constexpr auto names_of(OutputForm) {
  return names_up_to<OutputForm::bytes>("numbers", "text", "bytes");
}

/// How one output is compared with the expected one.
struct OutputComparison {
  OutputOrder order = OutputOrder::fixed;
  /// Name of an integer array (an input or an output) with the first elements, or rows, of groups
  /// and the end of the last one: order is free within a group only. Empty: one group.
  std::string groups = {};
  OutputForm form = OutputForm::numbers;
  /// Several outputs are right: WARPGRADE_ACCEPTS in golden.cpp decides.
  bool by_predicate = false;
};

}  // namespace warpgrade
