#pragma once

#include <string>
#include <vector>

#include "grader/record/evidence/evidence.h"

namespace warpgrade {

/// Of a headline's statements on elements and sizes, those that are true of no failing case, or
/// that its first wrong elements contradict.
[[nodiscard]] std::vector<std::string> untrue_claims_about_elements(const std::string& headline,
                                                                    const Evidence& evidence);

}  // namespace warpgrade
