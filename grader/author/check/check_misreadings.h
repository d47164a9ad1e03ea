#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "grader/run/session/lab_session.h"

namespace warpgrade {

/// Checks reference/<lab>/misreadings.cpp on the visible cases that are not large: each misreading
/// runs, differs from the right result in at least one of them and from every other misreading, and
/// the unchanged formula gives the golden function's results.
/// @param problems      gets one line for each problem
/// @param require_page  is called with each pitfall
/// @returns the number of misreadings; 0 for a lab without the file
std::size_t check_misreadings(LabSession& session, std::vector<std::string>& problems,
                              const std::function<void(const std::string&)>& require_page);

/// The variants of a lab's golden function (harness/variants), and why there are none. That variant
/// 0 is the golden function is checked when they are used.
struct VariantCount {
  std::size_t count = 0;
  std::string problem;
};
[[nodiscard]] VariantCount count_variants(const LabSession& session);

}  // namespace warpgrade
