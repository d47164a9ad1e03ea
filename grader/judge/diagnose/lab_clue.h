#pragma once

#include <functional>
#include <optional>

#include "grader/judge/diagnose/clues.h"
#include "grader/judge/diagnose/diagnose.h"

namespace warpgrade {

/// The first of the lab's own clues (lab.toml) that holds, among those that `asked` accepts.
[[nodiscard]] std::optional<Diagnosis> find_lab_clue(const Clues& clues,
                                                     const std::function<bool(const Clue&)>& asked);

/// Whether a clue describes a failure: elements, cases, findings, or a line of the source. A clue
/// with only a condition over counters concerns cost and does not explain a wrong result.
[[nodiscard]] bool tells_what_fails(const Clue& clue);

}  // namespace warpgrade
