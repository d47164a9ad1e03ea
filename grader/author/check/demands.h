#pragma once

#include <string>
#include <vector>

#include "grader/record/grade/grade.h"

namespace warpgrade {

// What `lab check` demands of the grades of a lab's own programs. What is not so is added to
// `problems`, a sentence each.

/// The stub builds, does nothing that is found, and fails.
/// @param may_fail_to_build  the lab says why
void check_stub(const Grade& grade, bool may_fail_to_build, std::vector<std::string>& problems);
/// The ladder must distinguish the stages, or students would be told a wrong rung.
void check_rung(const Grade& grade, const std::string& stage, std::vector<std::string>& problems);
/// Right in every case, and nothing is found.
void check_right(const Grade& grade, std::vector<std::string>& problems);
/// All points, and nothing is found.
void check_solution(const Grade& grade, std::vector<std::string>& problems);

}  // namespace warpgrade
