#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "grader/class/table/class_record.h"
#include "grader/core/installation.h"
#include "grader/record/grade/grade.h"

namespace warpgrade {

/// The folder of earlier grades of one student's work for one lab, each in a folder named by its
/// number.
inline constexpr const char* kAttemptsFolder = "attempts";

/// A student's page under the rules of the course: hidden cases by the release date, and the
/// history from <out>/<student>/<lab>/attempts.
[[nodiscard]] std::string student_page(const std::filesystem::path& out, const Grade& grade,
                                       const ClassRecord& record, const Installation& installation);

/// Moves the grade of an earlier attempt to attempts/<n>/.
///
/// @param folder   of the student and the lab
/// @param attempt  about to be written there
void keep_earlier_attempt(const std::filesystem::path& folder, int attempt);

}  // namespace warpgrade
