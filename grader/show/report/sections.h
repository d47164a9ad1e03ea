#pragma once

#include <map>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "grader/record/grade/grade.h"
#include "grader/record/grade/student_view.h"
#include "grader/show/report/history.h"
#include "grader/show/report/page.h"
#include "grader/show/report/pitfall_pages.h"
#include "grader/submit/decisions/decisions.h"

namespace warpgrade {

// The sections of a student's page, each the value of the template tag with that name.

/// Embedded pages of docs/pitfalls, by id.
using Pages = std::map<std::string, PitfallPage>;

/// Sets `pitfall` to its id and name, or to false if the page is not embedded.
void set_pitfall(PageData& row, const std::string& id, const Pages& pages);

/// An item of the rubric as a row: points, status, message, and pitfall.
[[nodiscard]] PageData item_row(const Item& item, const Pages& pages);

// cases_section.cpp
[[nodiscard]] PageData case_rows(const StudentView& seen);
/// The number of hidden cases, and their combined result.
[[nodiscard]] PageData hidden_note(const StudentView& shown);
/// The cases that are not right: first wrong elements, and a picture of them.
[[nodiscard]] PageData wrong_cases(const StudentView& seen, const Pages& pages);

// findings_section.cpp
/// The most important first, errors before warnings.
[[nodiscard]] std::vector<const ReportedFinding*> findings_in_order(const Grade& grade);
/// With source excerpts; a race has both accesses.
[[nodiscard]] PageData finding_rows(const Grade& grade, const Pages& pages);
/// One sentence each about findings that are not listed; may be empty.
[[nodiscard]] std::string more_findings(const StudentView& shown);

// time_section.cpp
/// @param grade  with a timing
[[nodiscard]] PageData timing_section(const Grade& grade);
[[nodiscard]] PageData kernel_rows(const Grade& grade);
/// The data that the page's scripts draw.
[[nodiscard]] nlohmann::json chart_data(const Grade& grade);

// profile_section.cpp
/// @param grade  with a profile
[[nodiscard]] PageData profile_section(const Grade& grade);
/// The kinds of the emulator's findings at the location of a compute-sanitizer finding, or a
/// statement that there are none.
[[nodiscard]] std::string emulator_says(const ToolFinding& finding, const Grade& grade);

// staff_section.cpp
/// What persons decided and wrote, with the lines that comments are about.
[[nodiscard]] PageData staff_rows(const Grade& grade, const std::vector<const Decision*>& said);

// history_section.cpp
/// Empty if there is only one attempt.
[[nodiscard]] PageData history_rows(const std::vector<Attempt>& attempts);

// concepts_section.cpp
[[nodiscard]] PageData concept_rows(const Grade& grade, const Pages& pages);
/// The questions, with answers and solutions as far as the grade has them.
[[nodiscard]] PageData question_rows(const Grade& grade, const Pages& pages);
/// The ladder, lowest rung first; a grade has names only for the rung reached and the next one.
[[nodiscard]] PageData ladder(const RungReport& rung);

}  // namespace warpgrade
