#pragma once

#include <map>
#include <nlohmann/json_fwd.hpp>
#include <string>

#include "grader/grade/grade.h"
#include "grader/report/page.h"
#include "grader/report/pitfall_pages.h"

namespace warpgrade {

// The parts of a student's page, each a value for the template's tag of that name.

/// Pages of docs/pitfalls that the page carries, by id.
using Pages = std::map<std::string, PitfallPage>;

/// Sets `pitfall` to its id and name, or to false where the page carries none of that id.
void set_pitfall(PageData& row, const std::string& id, const Pages& pages);

// cases_section.cpp
[[nodiscard]] PageData case_rows(const Grade& grade);
/// Those that are not right: first wrong elements, and a picture of where.
[[nodiscard]] PageData wrong_cases(const Grade& grade, const Pages& pages);

// findings_section.cpp
/// With the source around them; a race has both its sides.
[[nodiscard]] PageData finding_rows(const Grade& grade, const Pages& pages);
/// "3 more are in grade.json.", or nothing.
[[nodiscard]] std::string more_findings(const Grade& grade);

// time_section.cpp
[[nodiscard]] PageData timing_section(const Timing& timing);
[[nodiscard]] PageData kernel_rows(const Grade& grade);
/// What the page's scripts draw.
[[nodiscard]] nlohmann::json chart_data(const Grade& grade);

// concepts_section.cpp
[[nodiscard]] PageData concept_rows(const Grade& grade, const Pages& pages);
/// The ladder from its foot; only the rung reached and the next one have names in a grade.
[[nodiscard]] PageData ladder(const RungReport& rung);

}  // namespace warpgrade
