#pragma once

#include <string>

#include "grader/record/grade/grade.h"
#include "harness/lab/lab.h"

namespace warpgrade {

/// A recording to draw, of a visible case.
struct WatchedCase {
  std::string name;
  std::string bytes;  // emulator/recording; empty: there is none
};

/// The case to record for the pictures of a page: the visible one that has the grade's first
/// finding, or else the first one that is wrong, or the largest of all, in which costs are seen.
/// Hidden cases are never recorded, since a recording has values of its data. Null if no visible
/// case was run.
[[nodiscard]] const Case* case_to_watch(const Lab& lab, const Grade& grade);

}  // namespace warpgrade
