#pragma once

#include "harness/case/case_data.h"

namespace warpgrade {

/// The expected values of an output in the positions where `got` has them: for an output in free
/// order, each element, or row, is paired with one that it matches, and what is left over in order.
/// For others, the expected values as they are.
/// @param got  of the same count
[[nodiscard]] Expected aligned_expected(const CaseData& data, const Parameter& parameter,
                                        const Array& got);

}  // namespace warpgrade
