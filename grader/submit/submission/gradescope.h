#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "grader/core/instant.h"

namespace warpgrade {

/// The file at the top of Gradescope's bulk export, beside one folder per submission.
inline constexpr const char* kGradescopeMetadata = "submission_metadata.yml";

struct GradescopePerson {
  std::string name;
  std::string sid;  // student id in the course; may be empty
  std::string email;
};

/// One submission of the export.
struct GradescopeEntry {
  std::string folder;  // "submission_12345"
  std::vector<GradescopePerson> submitters;  // several for a group
  std::optional<Instant> created;
};

/// Reads the metadata: only the part of YAML that Gradescope writes.
///
/// @param problem  what is invalid, with its line; empty if everything was read
[[nodiscard]] std::vector<GradescopeEntry> parse_gradescope_metadata(std::string_view text,
                                                                     std::string& problem);

}  // namespace warpgrade
