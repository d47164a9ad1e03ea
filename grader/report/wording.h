#pragma once

#include <string>
#include <vector>

#include "grader/grade/grade.h"

namespace warpgrade {

// What the terminal and the pages say in the same words.

struct CategorySummary {
  ItemStatus status = ItemStatus::passed;  // the worst of its items
  std::string text;  // "16 of 16 cases", or the first message that is not a pass
};
[[nodiscard]] CategorySummary summarize(const Grade& grade, Category category);

/// "passed", "not assessed"
[[nodiscard]] std::string status_word(ItemStatus status);

/// "n = 1000003"
[[nodiscard]] std::string shape_text(const CaseReport& report);

/// A number with as many digits as tell floats apart: "0.1", "nan", "-inf".
[[nodiscard]] std::string value_text(double value);

/// "rung 2 of 4, Grid-stride loop. Next: Four at a time: ..."
[[nodiscard]] std::string rung_text(const RungReport& rung);

/// The hint of the item that belongs to this case.
[[nodiscard]] std::string hint_of(const Grade& grade, const CaseReport& report);

/// At most `limit` names in quotes; a last one counts the rest.
[[nodiscard]] std::vector<std::string> quoted(const std::vector<std::string>& names,
                                              std::size_t limit);

}  // namespace warpgrade
