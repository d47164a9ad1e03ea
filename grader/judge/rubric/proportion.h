#pragma once

#include <string>
#include <vector>

#include "grader/record/evidence/evidence.h"
#include "grader/record/grade/grade.h"
#include "harness/lab/lab.h"

namespace warpgrade {

// The cost of a mistake beyond the cases that it breaks; see docs/scoring.md. Points for safety and
// time are lost in proportion to the affected cases, so that a mistake in a corner case costs
// little in every item.

/// Points of the cases that are right over the points of all that could be assessed, hidden ones
/// included; 1 if there are none.
[[nodiscard]] double correctness_share(const Evidence& evidence);

/// A case that needs a feature that the emulator lacks; null if there is none.
[[nodiscard]] const CaseOutcome* not_assessed(const Evidence& evidence);

/// False only if known: a case that is not in the evidence may be right.
[[nodiscard]] bool is_right(const Evidence& evidence, const std::string& name);

/// State left by one call could make the next one fast.
[[nodiscard]] bool fails_as_second_call(const Evidence& evidence);

/// Whether points for time are possible: the timed case is right, and enough of the others.
[[nodiscard]] bool time_counts(const Evidence& evidence);

/// The share of the points for safety or for time that is left.
/// @param affected  share of the points for correctness that belongs to affected cases, 0 to 1
/// @return  1 with no case affected, 0 from half of the points on, and in proportion between them
[[nodiscard]] double share_left(double affected);

/// The share of the points for safety that findings leave. Findings of tidiness, or of reliance on
/// luck, cost half as much.
/// @param findings  those that count, with the names of their cases; a finding weighs at least as
///                  much as a case of one point
[[nodiscard]] double safety_left(const Lab& lab,
                                 const std::vector<const ReportedFinding*>& findings);

/// The message if not all points count: " Not every case is right, so 88 % of these points count.";
/// empty for a share of 1.
[[nodiscard]] std::string share_words(double share);

/// The share of an item's points, rounded down to hundredths.
[[nodiscard]] double points_of_share(double points, double share);

}  // namespace warpgrade
