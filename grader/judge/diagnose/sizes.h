#pragma once

#include <optional>
#include <string>

#include "grader/judge/diagnose/clues.h"
#include "grader/judge/diagnose/diagnose.h"

namespace warpgrade {

/// The property that distinguishes sizes with right results from those with wrong ones: multiples
/// of a block (P13), powers of two (P14), square shapes (P4, P5). Returns a diagnosis only if the
/// property explains every case that has elements: with one exception it could be chance.
[[nodiscard]] std::optional<Diagnosis> sizes_that_fail(const Clues& clues);

/// Only that square shapes are right and others are wrong (P4, P5).
[[nodiscard]] std::optional<Diagnosis> shapes_that_fail(const Clues& clues);

/// "All 9 cases with another `op` than `last` are right." if each case that fails has one value of
/// a setting, and sizes do not say as much: others of its size are right. Otherwise empty.
[[nodiscard]] std::string setting_that_fails(const Clues& clues);

}  // namespace warpgrade
