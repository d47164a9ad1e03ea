#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "grader/class/table/class_record.h"
#include "grader/core/installation.h"
#include "grader/core/instant.h"
#include "grader/record/grade/grade.h"

namespace warpgrade {

/// The folder of earlier grades of one student's work for one lab, each in a folder named by its
/// number.
inline constexpr const char* kAttemptsFolder = "attempts";

enum class Reader : std::uint8_t { student, staff };

/// A student's page under the rules of the course: hidden cases by the release date, and the
/// history from <out>/<student>/<lab>/attempts.
/// @param reader  for staff hidden cases and right answers are shown before their release, too
[[nodiscard]] std::string student_page(const std::filesystem::path& out, const Grade& grade,
                                       const ClassRecord& record, const Installation& installation,
                                       Reader reader = Reader::student);

/// What a page shows besides the grade: the points that count, decisions of persons, what is
/// released. Equal texts mean equal pages.
[[nodiscard]] std::string page_state(const GradeRow& row, const ClassRecord& record, Instant now);

/// The grade of one attempt: <out>/<student>/<lab>/grade.json, or one that was kept in attempts/.
/// Nothing if it is not there.
/// @throws UsageError  if it is damaged
[[nodiscard]] std::optional<Grade> grade_of_attempt(const std::filesystem::path& out,
                                                    const std::string& student,
                                                    const std::string& lab, int attempt);

/// Moves the grade of an earlier attempt to attempts/<n>/.
///
/// @param folder   of the student and the lab
/// @param attempt  about to be written there
void keep_earlier_attempt(const std::filesystem::path& folder, int attempt);

}  // namespace warpgrade
