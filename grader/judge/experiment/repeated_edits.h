#pragma once

#include <cstddef>
#include <vector>

#include "grader/judge/experiment/source_edit_list.h"
#include "grader/judge/experiment/source_functions.h"
#include "harness/core/source_tokens.h"

namespace warpgrade {

/// Edits of several places at once, where a mistake is made more than once: the same number, term
/// or variable in a function, both axes, all differences of a line; and some that insert what is
/// missing: a division rounded up, an extent in the place of a constant, one thread in the place of
/// all, floats compared as floats and not by their bits.
///
/// @param number  of the function among `functions`
void add_repeated_edits(const std::vector<SourceToken>& tokens,
                        const std::vector<SourceFunction>& functions, std::size_t number,
                        SourceEditList& found);

}  // namespace warpgrade
