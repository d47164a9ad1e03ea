#pragma once

#include <string>

#include "grader/judge/rubric/score.h"
#include "harness/lab/lab.h"

// Evidence for tests of scoring, diagnosis and reports.

namespace warpgrade::testing {

/// A lab of 100 points with two cases, "small" (n = 100) and "large" (n = 1000), one concept check
/// on the latter's loads, and two tiers.
[[nodiscard]] Lab test_lab();

/// Everything right, clean and as fast as the reference. `lab` must outlive it.
[[nodiscard]] Evidence right_evidence(const Lab& lab);

/// Adds a finding with the pitfall that its kind usually has.
void add_finding(Evidence& evidence, const std::string& kind, const std::string& severity);

/// Makes a case wrong from element `first` on.
void make_wrong(Evidence& evidence, std::size_t index, const std::string& pattern,
                std::uint64_t first, double got, double want);

}  // namespace warpgrade::testing
