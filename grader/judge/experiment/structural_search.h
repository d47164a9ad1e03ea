#pragma once

#include <cstddef>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "grader/judge/experiment/source_edit_list.h"
#include "grader/judge/experiment/source_functions.h"
#include "grader/judge/experiment/source_units.h"
#include "grader/judge/experiment/source_uses.h"
#include "harness/core/source_tokens.h"

namespace warpgrade {

/// A part of a source in the words of an edit; `otherwise` if it is long.
[[nodiscard]] std::string quoted_part(std::string_view text, const char* otherwise);

/// Finds the structural edits of one function (structural_edits.h).
class StructuralSearch {
 public:
  /// @param number  of the function in its source  @param found  where its edits go
  StructuralSearch(const std::vector<SourceToken>& tokens, const SourceFunction& function,
                   std::size_t number, SourceEditList& found);

  void find();

 private:
  using Replacement = SourceEdit::Replacement;

  [[nodiscard]] Replacement replaced(std::size_t first, std::size_t last, std::string by) const;
  SourceEdit& add(SourceEditList::Rank rank, std::size_t at, std::vector<Replacement> replacements,
                  std::string kind, std::string fix);
  /// Tokens by another text, unless that is theirs.
  void replace(SourceEditList::Rank rank, std::size_t first, std::size_t last,
               const std::string& to, const char* what);
  /// The use of a variable that ends, or begins, at a token; null if there is none.
  [[nodiscard]] const SourceUse* use_until(std::size_t token) const;
  [[nodiscard]] const SourceUse* use_at(std::size_t token) const;
  /// The last token of what a value is compared with.
  [[nodiscard]] std::size_t end_of_limit(std::size_t first, std::size_t end) const;
  /// Whether all variables of some tokens are known at another one.
  [[nodiscard]] bool are_visible(std::size_t first, std::size_t last, std::size_t at) const;

  // index_edits.cpp: indices of threads and blocks, variables exchanged

  /// threadIdx.x, where threadIdx.y or blockIdx.x is meant.
  void other_index(const SourceUse& use);
  [[nodiscard]] bool has_axis(std::string_view axis) const;
  /// All x and y of one expression: of blockIdx.y * blockDim.x + threadIdx.y.
  void axes_of(const SourceUnit& unit);
  /// One part of a[i * n + j], or of f(i, j).
  void exchanged_in_brackets(std::size_t i);
  /// row and col, wherever they are used.
  void exchanged_locals();

  // operator_edits.cpp: operators, functions, numbers, parentheses, the two values after `?`

  void operators(std::size_t i);
  /// Whether an operand is one name or number, of whole numbers.
  [[nodiscard]] bool is_whole_until(std::size_t token) const;
  [[nodiscard]] bool is_whole_at(std::size_t token) const;
  /// Whether a sign is part of a declaration: float* a, int& b, (const float4*).
  [[nodiscard]] bool is_declarator(std::size_t i) const;
  /// max for min, __shfl_down_sync for __shfl_up_sync, break for continue.
  void functions(std::size_t i);
  [[nodiscard]] bool is_in_loop_body(std::size_t token) const;
  void numbers(std::size_t i);
  /// The last thread of a block for the first one, and a constant for a number.
  void compared_with(std::size_t i);
  /// a + b * c for (a + b) * c, and the other way round.
  void parentheses(std::size_t i);
  /// The last token of a name or a number. @returns 0 if there is none
  [[nodiscard]] std::size_t end_of_simple(std::size_t token) const;
  /// c ? a : b.
  void alternatives(std::size_t i);

  // statement_edits.cpp: conditions and statements left out, added, or in another order

  void conditions(const SourceUnit& unit);
  void statements(const SourceUnit& unit);
  void guard(const SourceUnit& unit, const SourceUnit& condition);
  void guard_by(const SourceUnit& unit, const std::string& condition);
  /// Two statements, one after the other, in the other order.
  void neighbors();
  void exchange(const SourceUnit& one, const SourceUnit& other);

  // loop_edits.cpp: start, limit, step and order of a loop, statements that move into or out of it

  struct Header {
    std::size_t open = 0, first = 0, second = 0, close = 0;  // ( ; ; )
  };

  [[nodiscard]] std::optional<Header> header_of(const SourceUnit& loop) const;
  void loops(const SourceUnit& loop);
  /// Of for (int i = start; i < limit; i += step).
  void limits(const Header& header);
  void limit(std::size_t first, std::size_t last, const Header& header);
  void step(std::size_t at, const Header& header);
  /// Variables of whole numbers that are known at a token: parameters, or the others.
  [[nodiscard]] std::vector<std::string> whole_names(std::size_t at, bool parameters) const;
  /// Distances 1, 2, 4 in place of 4, 2, 1, and the other way round.
  void direction(const Header& header);
  /// The last statement of a loop's body after the loop, the first one before it, and the other way
  /// round.
  void moved(const SourceUnit& loop, std::size_t close);
  /// In one line, without comments.
  [[nodiscard]] std::string joined(std::size_t first, std::size_t last) const;
  /// Whether no other braces are around a statement.
  [[nodiscard]] bool is_directly_in(const SourceUnit& unit, std::size_t open) const;

  const std::vector<SourceToken>& tokens_;
  const SourceFunction& function_;
  std::size_t number_;
  SourceUses in_;  // the function
  std::vector<SourceUnit> units_;
  SourceEditList& found_;
  std::set<std::string_view> constants_;  // of the source, of whole numbers
};

}  // namespace warpgrade
