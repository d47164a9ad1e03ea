#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "harness/variants/syntax.h"

namespace warpgrade {

/// One place of a golden function that is changed, or two that belong together.
struct GoldenChange {
  std::uint32_t line = 0;
  std::string says = {};  // completes "Your output is exactly the right one ..."
  std::string pitfall = {};
  int rank = 0;  // which is tried and named before others: the lowest

  /// Expressions and what is computed in their place, converted to their type.
  std::vector<std::pair<const SyntaxNode*, std::string>> replaced = {};
  const SyntaxStatement* left_out = nullptr;
  const SyntaxStatement* late = nullptr;  // is done after the statement that follows it
  const SyntaxStatement* ends_loop = nullptr;  // `break` in place of `continue`
  /// After these statements a variable is converted: "unsigned char", or "half".
  std::vector<const SyntaxStatement*> rounded = {};
  std::string variable = {};
  std::string rounded_to = {};
  const SyntaxStatement* kept = nullptr;  // declares `variable`, which keeps its last value
};

/// The changes of a golden function: another operator, an operand left out, an index or a limit
/// that is one or two more or less, another variable, two variables exchanged, a condition that
/// holds always or never, a statement left out or done later, another start value, fewer bits, ...
///
/// What only concerns the error bounds is left alone: what flows into no output.
/// @param functions  of the tokens; outlives the changes
/// @returns at most so many, in the order of the source, those of the lowest rank
[[nodiscard]] std::vector<GoldenChange> changes_of(const SourceTokens& tokens,
                                                   const std::vector<SyntaxFunction>& functions,
                                                   std::size_t most);

}  // namespace warpgrade
