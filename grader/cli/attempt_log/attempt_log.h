#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "grader/core/instant.h"
#include "grader/record/grade/student_view.h"

// What each `warpgrade check` of this user gave: one line of JSON in
// XDG_STATE_HOME/warpgrade/attempts/<lab>.jsonl (~/.local/state/...). It has nothing of hidden
// cases, and nobody's grade depends on it.

namespace warpgrade {

/// One check.
struct OwnAttempt {
  Instant at;
  double points = 0;
  double max_points = 0;
  std::size_t rung = 0;  // from 1; 0: none was reached
  std::size_t rungs = 0;  // of the lab's ladder
  std::string rung_title;
  std::vector<std::string>
      failing;  // visible cases with wrong results or findings, in the lab's order
  /// What the first sentence named: a page of docs/pitfalls or, where there is none, a name for the
  /// sentence without its numbers. Empty: everything passed.
  std::string mistake = {};

  [[nodiscard]] bool is_complete() const { return points >= max_points; }
};

/// Adds a check's result. Nothing here fails: a home folder that is missing, read-only or full has
/// no log.
void log_attempt(const StudentView& shown, Instant at);

/// All attempts at a lab, the first one first; lines that cannot be read are left out.
[[nodiscard]] std::vector<OwnAttempt> attempts_at(const std::string& lab);

/// The one with the most points, the latest of several; null if there are none.
[[nodiscard]] const OwnAttempt* best_of(const std::vector<OwnAttempt>& attempts);

}  // namespace warpgrade
