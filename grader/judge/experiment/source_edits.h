#pragma once

#include <cstddef>
#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "grader/judge/experiment/source_functions.h"
#include "harness/core/source_tokens.h"

namespace warpgrade {

/// A change of a source that undoes one slip, and what edits of compiled code cannot undo
/// (emulator/machine/possible_edits.h): variables that were exchanged, a variable for another,
/// limits of loops that the compiler unrolled, a missing factor, a type, `if` for a loop.
struct SourceEdit {
  struct Replacement {
    std::size_t begin = 0, end = 0;  // bytes of the source
    std::string text;
    bool operator==(const Replacement&) const = default;
  };
  std::vector<Replacement> replacements;  // in the order of the source, without overlaps
  std::size_t function = 0;  // a number of functions_in()
  std::uint32_t line = 0;
  std::vector<std::uint32_t> also = {};  // lines below that are changed in the same way
  /// A student's words, as after "with" and before "at line 42".
  std::string kind;  // "another variable than `rows`"
  std::string fix;  // "`columns` in place of `rows`"
  std::string pitfall = {};  // the page about what it undoes; empty: none, or one of several
  /// It is made for one mistake, and tried although edits of compiled code have the same effect,
  /// since these do not say which mistake it is.
  bool names_mistake = false;
};

class SourceEditList;

/// Adds the edits of one function.
/// @param number  of the function
void add_source_edits(const std::vector<SourceToken>& tokens,
                      const std::vector<SourceFunction>& functions, std::size_t number,
                      SourceEditList& found);

/// @param functions  of these tokens
/// @param edited     numbers of those that are edited
/// @returns edits that undo common slips first
[[nodiscard]] std::vector<SourceEdit> source_edits(const std::vector<SourceToken>& tokens,
                                                   const std::vector<SourceFunction>& functions,
                                                   const std::set<std::size_t>& edited);

}  // namespace warpgrade
