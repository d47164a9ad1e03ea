#pragma once

#include <string>
#include <vector>

#include "grader/evidence/evidence.h"
#include "grader/grade_record/grade.h"
#include "harness/lab/lab.h"

namespace warpgrade {

// What a mistake costs outside of the cases that it breaks: docs/scoring.md. Points for safety and
// for time are lost in proportion to the cases that are affected, so that a mistake in a corner
// costs little wherever it is counted.

/// Points of the cases that are right over the points of all that could be assessed, hidden ones
/// included; 1 if there are none.
[[nodiscard]] double correctness_share(const Evidence& evidence);

/// A case that needs what the emulator lacks; null if there is none.
[[nodiscard]] const CaseOutcome* not_assessed(const Evidence& evidence);

/// False only where it is known: what is not among the evidence may be right.
[[nodiscard]] bool is_right(const Evidence& evidence, const std::string& name);

/// What is left from one call could be why the next one is fast.
[[nodiscard]] bool fails_as_second_call(const Evidence& evidence);

/// Whether points for time can be had: the case that is timed is right, and enough of the others.
[[nodiscard]] bool time_counts(const Evidence& evidence);

/// The share of the points for safety or for time that is left.
/// @param affected  share of the points for correctness that belongs to affected cases, 0 to 1
/// @return  1 with no case affected, 0 from half of the points on, and in proportion between them
[[nodiscard]] double share_left(double affected);

/// The share of the points for safety that findings leave. What only leaves things untidy or relies
/// on luck takes half as much.
/// @param findings  those that count, with the names of their cases; a finding weighs at least as
///                  much as a case of one point
[[nodiscard]] double safety_left(const Lab& lab,
                                 const std::vector<const ReportedFinding*>& findings);

/// What a student reads where less than all counts: " Not every case is right, so 88 % of these
/// points count."; nothing for a share of 1.
[[nodiscard]] std::string share_words(double share);

/// So many points of an item, in hundredths and never more than the share.
[[nodiscard]] double points_of_share(double points, double share);

}  // namespace warpgrade
