#pragma once

#include <string>
#include <vector>

#include "grader/export/export.h"
#include "grader/grade/hidden.h"

namespace warpgrade {

/// An item of the rubric, as it may be shown.
struct ViewItem {
  const Item* item = nullptr;  // of the grade that the view was made of
  bool hidden = false;  // of a hidden case
  std::string message;  // without what only hidden cases say, until they are released
  double seconds = 0;  // of its case, if it has one
};

struct StudentView {
  std::vector<ViewItem> items;  // all of them, in the rubric's order
  std::size_t hidden_cases = 0;
  bool released = true;  // hidden cases may be shown, or there are none

  /// Whether this item may be named to its student now.
  [[nodiscard]] bool shows(const ViewItem& item) const { return released || !item.hidden; }
};

/// What a student may see of a grade at `input.now`: before the release, hidden cases are a number,
/// and no message of another item gives one away.
[[nodiscard]] StudentView view_of(const Grade& grade, const GradeRow& row,
                                  const ExportInput& input);

/// "their results are shown from 2026-12-01T00:00:00Z", or that no date is set.
[[nodiscard]] std::string release_text(const ExportInput& input, const GradeRow& row);

}  // namespace warpgrade
