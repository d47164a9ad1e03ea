#pragma once

#include <cstddef>
#include <cstdint>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "grader/judge/experiment/kernel_source.h"
#include "grader/judge/experiment/source_edits.h"
#include "grader/judge/experiment/source_units.h"

namespace warpgrade {

/// A program with copies of a submission's kernels, each of which has several edits, of which a
/// number chooses one: so that the compiler does the rest of a kernel once for many edits.
///
///     if (chosen_ == 1003) { sum += a[j]; } else { sum += a[i]; }
///
/// The number is a constant of the compiled code, which is then written as often as a copy has
/// edits. Edits of what cannot be chosen while a kernel runs, such as types, are left out.
class ChoosingCopies {
 public:
  /// @param edits  of this source; as many as compile in about a second are taken
  ChoosingCopies(const KernelSource& source, const std::vector<SourceEdit>& edits);

  [[nodiscard]] bool empty() const { return groups_.empty(); }
  [[nodiscard]] std::string program(const std::set<std::size_t>& without = {});
  /// The copies that compiler messages about lines of the last program() are about: that of an
  /// edit, or all of one copy.
  [[nodiscard]] std::set<std::size_t> numbers_at(const std::set<std::uint32_t>& lines) const;
  /// Compiled copies with one for each of these numbers.
  [[nodiscard]] std::string written_out(const std::string& ptx,
                                        const std::set<std::size_t>& numbers) const;

  /// The copies of one compiled copy: the first is unchanged.
  struct Group {
    std::size_t function = 0;
    std::size_t first = 0;  // number
    std::vector<SourceEdit> edits;  // from the next number on
  };
  [[nodiscard]] const std::vector<Group>& groups() const { return groups_; }

 private:
  /// Alternatives of one unit, by number.
  struct Choice {
    std::size_t unit;
    std::size_t number;
    std::string text;
  };
  [[nodiscard]] std::vector<SourceEdit::Replacement> choices_in(
      const Group& group, const std::set<std::size_t>& without) const;
  [[nodiscard]] std::string with_changes(const SourceUnit& unit,
                                         const std::vector<SourceEdit::Replacement>& changes) const;

  const KernelSource& source_;
  std::vector<std::vector<SourceUnit>> units_;  // by function; of those that are edited
  std::vector<Group> groups_;
  std::vector<std::pair<std::uint32_t, std::size_t>> first_lines_;  // of groups, by their place
  std::vector<std::pair<std::uint32_t, std::size_t>> edit_lines_;  // of numbers
};

}  // namespace warpgrade
