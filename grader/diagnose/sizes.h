#pragma once

#include <optional>

#include "grader/diagnose/clues.h"
#include "grader/diagnose/diagnose.h"

namespace warpgrade {

/// What tells the sizes that come out right from those that do not: multiples of a block (P13),
/// powers of two (P14), square shapes (P4, P5). Says something only if it explains every case that
/// has elements, right or wrong: with one exception, chance would do as well.
[[nodiscard]] std::optional<Diagnosis> sizes_that_fail(const Clues& clues);

}  // namespace warpgrade
