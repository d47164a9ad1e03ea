#pragma once

#include <functional>
#include <vector>

#include "grader/judge/misreading/variant.h"
#include "harness/golden/misreading.h"
#include "harness/lab/lab.h"

namespace warpgrade {

/// The right formula for other inputs, which any lab has: an array read one element too far, by
/// columns, in reverse order or not at all, another array in its place, the last element again for
/// what is beyond an extent, a part of an extent, groups that know nothing of each other.
///
/// @param golden  the lab's right formula, MisreadingList::unchanged(); without one the list is
///   empty. It is called with other arrays and extents than those of a case, of the same shapes.
/// @param lab     must outlive the variants
[[nodiscard]] std::vector<Variant> input_variants(
    const Lab& lab, const std::function<void(const GoldenCall&)>& golden);

}  // namespace warpgrade
