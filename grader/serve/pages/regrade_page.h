#pragma once

#include <optional>
#include <set>
#include <string>
#include <vector>

#include "grader/class/table/changes.h"
#include "grader/class/table/class_record.h"
#include "grader/serve/store/store.h"
#include "harness/lab/lab.h"

namespace warpgrade {

/// A regrade that is neither applied nor discarded.
struct OpenRegrade {
  KeptRegrade kept;
  std::vector<KeptAttempt> attempts;
  std::set<std::string> newer;  // who has submitted since
  GradeChanges changes;  // of those that are graded already

  /// All of it is graded, or could not be.
  [[nodiscard]] bool is_complete() const;
};

/// What the page of a lab's regrades is made from.
struct RegradeView {
  const ClassRecord& record;
  const Lab& lab;
  std::vector<std::string> submitted;  // students
  std::optional<OpenRegrade> open;
  std::string form_token;
  bool instructor = false;
};

/// The preview of a lab's open regrade, or the form that begins one, and those that were applied.
[[nodiscard]] std::string regrade_page(const RegradeView& view);

}  // namespace warpgrade
