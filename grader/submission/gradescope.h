#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "grader/core/instant.h"

namespace warpgrade {

/// The file that lies at the top of Gradescope's bulk export, beside a folder a submission.
inline constexpr const char* kGradescopeMetadata = "submission_metadata.yml";

struct GradescopePerson {
  std::string name;
  std::string sid;  // student id, as the course has it; may be empty
  std::string email;
};

/// One submission of the export.
struct GradescopeEntry {
  std::string folder;  // "submission_12345"
  std::vector<GradescopePerson> submitters;  // several of a group
  std::optional<Instant> created;
};

/// Reads the metadata: of YAML no more than what Gradescope writes there.
///
/// @param problem  what is not understood, with its line; empty if all was read
[[nodiscard]] std::vector<GradescopeEntry> parse_gradescope_metadata(std::string_view text,
                                                                     std::string& problem);

}  // namespace warpgrade
