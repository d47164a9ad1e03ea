#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "grader/core/numbers.h"
#include "grader/record/grade/grade.h"

namespace warpgrade {

// Wording shared by the terminal and the pages.

struct CategorySummary {
  /// Passed with all points, failed with none, otherwise partial; an internal error or "not
  /// assessed" if no other status is more informative.
  ItemStatus status = ItemStatus::passed;
  std::string text;  // "16 of 16 cases", or the first message of an item that did not pass
};
[[nodiscard]] CategorySummary summarize(const Grade& grade, Category category);

/// `case "large"`, or "a hidden case"
[[nodiscard]] std::string case_phrase(const std::string& name);

/// "passed", "not assessed"
[[nodiscard]] std::string status_word(ItemStatus status);

/// "done", "not permitted"
[[nodiscard]] std::string tool_end_word(ToolEnd end);

/// A case's shape in the order of the function's parameters; other names follow in alphabetical
/// order.
/// @param parameters  as in StudentView
[[nodiscard]] std::vector<std::pair<std::string, std::int64_t>> shape_in_order(
    const CaseReport& report, const std::vector<std::string>& parameters);

/// "m = 33, n = 17, k = 5"
[[nodiscard]] std::string shape_text(const CaseReport& report,
                                     const std::vector<std::string>& parameters);

/// The usual cause of a pattern of wrong elements, one sentence; empty for an unknown slug.
[[nodiscard]] std::string pattern_meaning(std::string_view slug);

/// An anonymous name for the leaderboard: "amber otter 41". A student's name is the same in all
/// labs of one grading, and depends on the secret.
[[nodiscard]] std::string alias_of(std::string_view student, std::string_view secret_id);

/// "About 1.5 times faster here.", "It costs first: ..."; empty if unknown.
[[nodiscard]] std::string next_gain_text(const RungReport& rung);

/// "rung 2 of 4, Grid-stride loop. Next: Four at a time. About 1.5 times faster here. ..."
[[nodiscard]] std::string rung_text(const RungReport& rung);

/// The hint of the item that belongs to this case.
[[nodiscard]] std::string hint_of(const Grade& grade, const CaseReport& report);

/// At most `limit` names in quotes; a last one counts the rest.
[[nodiscard]] std::vector<std::string> quoted(const std::vector<std::string>& names,
                                              std::size_t limit);

}  // namespace warpgrade
