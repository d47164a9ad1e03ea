#pragma once

#include <span>
#include <string>
#include <vector>

#include "harness/data/array.h"
#include "harness/data/expected.h"
#include "harness/tolerance/pattern.h"

namespace warpgrade {

/// What the wrong elements of an output have in common and no right one has: the rows they are in,
/// how far they are apart, what they hold, the values that belong there. One or two sentences, true
/// of every element; empty if there is no such fact, or too few elements for it.
///
/// @param right   per element, from matches() of compare.h
/// @param inputs  arrays of as many elements may tell where the output is wrong
[[nodiscard]] std::string telling_fact(const Array& got, const Expected& want,
                                       const std::vector<bool>& right,
                                       std::span<const NamedArray> inputs = {});

}  // namespace warpgrade
