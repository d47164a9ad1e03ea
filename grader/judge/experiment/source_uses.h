#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "grader/judge/experiment/source_functions.h"
#include "harness/core/source_tokens.h"

namespace warpgrade {

/// "=", "+=".
[[nodiscard]] bool is_assignment(const SourceToken& token);
/// threadIdx, blockDim.
[[nodiscard]] bool is_index(std::string_view name);
/// @returns nothing for a number with a point or a suffix
[[nodiscard]] std::optional<long> whole_number(const SourceToken& token);

/// Tokens that name one value: a variable, or threadIdx.x.
struct SourceUse {
  std::size_t first = 0, last = 0;  // tokens
  std::string name;
  std::string type;
};

/// What a function of a source uses, and where.
class SourceUses {
 public:
  SourceUses(const std::vector<SourceToken>& tokens, const SourceFunction& function)
      : tokens_(tokens), function_(function) {
    find_uses();
    find_loops();
    find_guards();
  }

  [[nodiscard]] const std::vector<SourceUse>& uses() const { return uses_; }
  /// The parentheses of `for` and `while`, by their tokens.
  [[nodiscard]] const std::vector<std::pair<std::size_t, std::size_t>>& loops() const {
    return loops_;
  }
  /// In the parentheses of a loop that changes it there: one that tests another variable never
  /// begins, or never ends.
  [[nodiscard]] bool is_counter(const SourceUse& use) const;
  [[nodiscard]] bool is_in_loop(std::size_t token) const { return in_loop_.contains(token); }
  /// In the condition of an `if` that compares by < or >= and has two comparisons or more: which
  /// threads have an element, along each axis.
  [[nodiscard]] bool is_in_guard(std::size_t token) const { return in_guard_.contains(token); }

  /// Indices are exchanged with indices, and parameters with parameters.
  enum class Origin : std::uint8_t { index, parameter, loop, local };
  [[nodiscard]] std::string_view text(std::size_t first, std::size_t last) const;
  [[nodiscard]] const SourceVariable* visible(std::string_view name, std::size_t at) const;
  [[nodiscard]] bool is_written(const SourceUse& use) const;
  [[nodiscard]] Origin origin_of(const SourceUse& use) const;
  /// Whether a name means a value of the same type where another one is used.
  [[nodiscard]] bool visible_as(std::string_view name, const SourceUse& use) const;
  /// A name of the source for a number: kBlock.
  [[nodiscard]] bool is_constant(std::size_t i) const;
  /// Whether a token ends the parentheses of `if`, `for`, `while` or `switch`, after which a
  /// statement begins.
  [[nodiscard]] bool ends_control(std::size_t token) const;
  /// Whether < or > is a bracket, as of static_cast<int>(x).
  [[nodiscard]] bool is_of_template(std::size_t token) const;
  /// Whether an assignment is to a variable that is a pointer.
  [[nodiscard]] bool is_to_pointer(std::size_t assignment) const;
  /// Between [ and ].
  [[nodiscard]] bool is_in_brackets(std::size_t token) const;
  /// Where the operand of && or || ends, in one direction.
  [[nodiscard]] std::size_t end_of_operand(std::size_t from, int direction) const;

 private:
  void find_uses();
  void find_loops();
  void find_guards();

  const std::vector<SourceToken>& tokens_;
  const SourceFunction& function_;
  std::vector<SourceUse> uses_;
  std::vector<std::pair<std::size_t, std::size_t>> loops_;
  std::set<std::size_t> in_loop_;  // tokens
  std::set<std::size_t> in_guard_;
};

}  // namespace warpgrade
