#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "grader/class_table/class_record.h"
#include "grader/core/installation.h"
#include "grader/grade_record/grade.h"

namespace warpgrade {

/// Grades of one student's work for one lab are kept here, each in the folder of its number.
inline constexpr const char* kAttemptsFolder = "attempts";

/// A student's page under the rules of the course: hidden cases by the release date, and the
/// history of what <out>/<student>/<lab>/attempts has.
[[nodiscard]] std::string student_page(const std::filesystem::path& out, const Grade& grade,
                                       const ClassRecord& record, const Installation& installation);

/// Moves the grade of an earlier attempt out of the way of a later one, into attempts/<n>/.
///
/// @param folder   of the student and the lab
/// @param attempt  about to be written there
void keep_earlier_attempt(const std::filesystem::path& folder, int attempt);

}  // namespace warpgrade
