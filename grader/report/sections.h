#pragma once

#include <map>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "grader/grade_record/grade.h"
#include "grader/grade_record/student_view.h"
#include "grader/report/history.h"
#include "grader/report/page.h"
#include "grader/report/pitfall_pages.h"

namespace warpgrade {

// The parts of a student's page, each a value for the template's tag of that name.

/// Pages of docs/pitfalls that the page carries, by id.
using Pages = std::map<std::string, PitfallPage>;

/// Sets `pitfall` to its id and name, or to false where the page carries none of that id.
void set_pitfall(PageData& row, const std::string& id, const Pages& pages);

/// An item of the rubric as a row: points, status, what was seen, and its pitfall.
[[nodiscard]] PageData item_row(const Item& item, const Pages& pages);

// cases_section.cpp
[[nodiscard]] PageData case_rows(const StudentView& seen);
/// How many hidden cases there are, and what they came to together.
[[nodiscard]] PageData hidden_note(const StudentView& shown);
/// Those that are not right: first wrong elements, and a picture of where.
[[nodiscard]] PageData wrong_cases(const StudentView& seen, const Pages& pages);

// findings_section.cpp
/// What the grade is about first, errors before warnings.
[[nodiscard]] std::vector<const ReportedFinding*> findings_in_order(const Grade& grade);
/// With the source around them; a race has both its sides.
[[nodiscard]] PageData finding_rows(const Grade& grade, const Pages& pages);
/// What is not listed, a sentence each; or nothing.
[[nodiscard]] std::string more_findings(const StudentView& shown);

// time_section.cpp
/// @param grade  with a timing
[[nodiscard]] PageData timing_section(const Grade& grade);
[[nodiscard]] PageData kernel_rows(const Grade& grade);
/// What the page's scripts draw.
[[nodiscard]] nlohmann::json chart_data(const Grade& grade);

// profile_section.cpp
/// @param grade  with a profile
[[nodiscard]] PageData profile_section(const Grade& grade);
/// The kinds of the emulator's findings where compute-sanitizer has one, or that there is nothing.
[[nodiscard]] std::string emulator_says(const ToolFinding& finding, const Grade& grade);

// history_section.cpp
/// Nothing where there is only one attempt.
[[nodiscard]] PageData history_rows(const std::vector<Attempt>& attempts);

// concepts_section.cpp
[[nodiscard]] PageData concept_rows(const Grade& grade, const Pages& pages);
/// The ladder from its foot; only the rung reached and the next one have names in a grade.
[[nodiscard]] PageData ladder(const RungReport& rung);

}  // namespace warpgrade
