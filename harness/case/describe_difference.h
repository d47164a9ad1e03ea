#pragma once

#include <string>
#include <vector>

#include "harness/data/array.h"
#include "harness/data/expected.h"
#include "harness/tolerance/output_comparison.h"

namespace warpgrade {

/// Elements, or rows, of an output in free order that do not belong, and those that are missing:
/// "The order does not matter, but these do not belong: 7 (twice); and these are missing: 5, 9."
/// @param want    aligned with `got`: harness/case/aligned.h
/// @param right   element by element
/// @param length  elements of a row; 1 for single elements
[[nodiscard]] std::string describe_free_order(const Array& got, const Expected& want,
                                              const std::vector<bool>& right, std::uint64_t length);

/// The first difference of a text, with its line and column and both lines; or of bytes, in
/// hexadecimal with a few bytes around it. Several lines.
[[nodiscard]] std::string describe_text(const Array& got, const Expected& want,
                                        const std::vector<bool>& right, OutputForm form);

}  // namespace warpgrade
