#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "grader/judge/experiment/source_functions.h"
#include "harness/core/source_tokens.h"

namespace warpgrade {

/// A part of a function's body that can be done in one of several ways, chosen while it runs: a
/// statement, a condition, the value of a declared variable.
struct SourceUnit {
  enum class Kind : std::uint8_t {
    statement,  // one without others in it, with its semicolon
    compound,  // an `if`, a loop or a block, with the statements in it
    condition,  // of an `if` or a loop
    step,  // of a `for`, or what it begins with
    value,  // of a declaration
  };
  Kind kind = Kind::statement;
  std::size_t first = 0, last = 0;  // tokens
  std::string_view variable = {};  // that a value is of; empty if its type is `auto`
  bool of_loop = false;  // in the parentheses of a loop

  [[nodiscard]] bool contains(std::size_t from, std::size_t to) const {
    return first <= from && to <= last;
  }
};

/// @returns units before those in them; nothing of statements that are not understood, such as
///   labels and structured bindings
[[nodiscard]] std::vector<SourceUnit> units_in(const std::vector<SourceToken>& tokens,
                                               const SourceFunction& function);

}  // namespace warpgrade
