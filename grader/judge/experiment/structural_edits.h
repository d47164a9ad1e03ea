#pragma once

#include <cstddef>
#include <set>
#include <vector>

#include "grader/judge/experiment/source_edits.h"
#include "grader/judge/experiment/source_functions.h"
#include "harness/core/source_tokens.h"

namespace warpgrade {

/// Edits of the structure of a kernel, which come after those of source_edits(): the axis of one
/// index, the start, limit and step of a loop, its direction, statements in another order, inside
/// of a loop or after it, a condition that is missing or too much, other operators and functions,
/// parentheses. All of them can be chosen while a kernel runs (choosing_copies.h).
///
/// @param functions  of these tokens
/// @param edited     numbers of those that are edited
/// @returns those that undo common slips first, with those of source_edits()
[[nodiscard]] std::vector<SourceEdit> structural_edits(const std::vector<SourceToken>& tokens,
                                                       const std::vector<SourceFunction>& functions,
                                                       const std::set<std::size_t>& edited);

}  // namespace warpgrade
