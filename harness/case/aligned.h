#pragma once

#include "harness/case/case_data.h"

namespace warpgrade {

/// The elements of an output in free order that keep their order: those of a row, or one.
/// @param got  not empty
[[nodiscard]] std::uint64_t unit_length(const Parameter& parameter, const Array& got);

/// The expected values of an output in the positions where `got` has them: for an output in free
/// order, each element, or row, is paired with one that it matches, and what is left over in order.
/// For others, the expected values as they are.
/// @param got      of the same count
/// @param storage  may hold the result
[[nodiscard]] const Expected& aligned_expected(const CaseData& data, const Parameter& parameter,
                                               const Array& got, Expected& storage);

/// The same for an output without groups and these expected values.
[[nodiscard]] const Expected& aligned_as_one_group(const Parameter& parameter, const Array& got,
                                                   const Expected& want, Expected& storage);

}  // namespace warpgrade
