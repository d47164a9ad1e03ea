#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "grader/core/instant.h"
#include "grader/submit/course/roster.h"

namespace warpgrade {

/// A file that is named after who submitted it.
struct PersonFile {
  std::string person;  // "Jane Doe"
  std::string file;  // "vecadd.cu"; empty for a folder
  std::optional<Instant> at;  // when it was submitted, without a time zone: as if it were UTC
};

/// Google Classroom's "Jane Doe - vecadd.cu", and Brightspace's "12345-678 - Jane Doe - Nov 12,
/// 2026 918 PM - vecadd.cu". Nothing for other names.
[[nodiscard]] std::optional<PersonFile> parse_person_file(std::string_view name);

/// Brightspace's "12345-678 - Jane Doe - Nov 12, 2026 918 PM", a folder. Nothing for other names.
[[nodiscard]] std::optional<PersonFile> parse_person_folder(std::string_view name);

/// A file with the name or an id of one student of the roster in front or at the end, as people
/// collect them: "jdoe_vecadd.cu", "vecadd-jane_doe.cu", or nothing else, "jdoe.cu", which is then
/// the student's own name for it. Nothing for other names, and for those of several students.
[[nodiscard]] std::optional<PersonFile> person_file_in(const Roster& roster,
                                                       const std::string& name);

/// The student's own name for a file that has the student's name or an id in front:
/// "Doe_Jane_vecadd.cu".
[[nodiscard]] std::string name_after_person(const std::string& name, const RosterEntry& entry);

}  // namespace warpgrade
