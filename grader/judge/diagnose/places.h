#pragma once

#include <cstdint>
#include <vector>

#include "grader/judge/diagnose/clues.h"

// Where in arrays findings are, over the cases that have them.

namespace warpgrade {

/// The finding in each case that has it: the same kind at the same line.
[[nodiscard]] std::vector<const ReportedFinding*> in_each_case(const Clues& clues,
                                                               const ReportedFinding& finding);

/// The accesses that it is about; empty if that of a case is not known.
[[nodiscard]] std::vector<warpsim::ArrayAccess> accesses_of(const Clues& clues,
                                                            const ReportedFinding& finding);

/// Whether the first part of each array was written that has as many bytes as the whole one has
/// elements: in two cases or more, of different sizes.
///
/// @param first_unwritten  of each case, the first read of an element that nothing wrote
[[nodiscard]] bool written_by_elements(const std::vector<warpsim::ArrayAccess>& first_unwritten);

/// The element that is the first unwritten one in all cases, of different sizes, if it is a
/// multiple of a warp; 0 if there is none.
[[nodiscard]] std::uint64_t same_first_unwritten(
    const std::vector<warpsim::ArrayAccess>& first_unwritten);

/// Whether a single access of each case is outside of its array, at the element after the last one
/// (1) or before the first one (-1), in two cases or more; 0 if not.
[[nodiscard]] int only_element_outside(const Clues& clues, const ReportedFinding& finding);

}  // namespace warpgrade
