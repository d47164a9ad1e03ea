#pragma once

#include <functional>
#include <optional>

#include "grader/diagnose/clues.h"
#include "grader/diagnose/diagnose.h"

namespace warpgrade {

/// The first of the lab's own clues (lab.toml) that holds, of those that `asked` lets through.
[[nodiscard]] std::optional<Diagnosis> find_lab_clue(const Clues& clues,
                                                     const std::function<bool(const Clue&)>& asked);

/// Whether a clue says what goes wrong: elements, cases, findings, or a line of the source. One
/// that has a condition over counters only is about cost, and says nothing of a wrong result.
[[nodiscard]] bool tells_what_fails(const Clue& clue);

}  // namespace warpgrade
