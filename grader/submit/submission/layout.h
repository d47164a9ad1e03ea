#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "grader/submit/course/roster.h"
#include "grader/submit/submission/submission.h"
#include "harness/core/names.h"

namespace warpgrade {

/// How the work of a class is arranged in a folder.
enum class Layout : std::uint8_t {
  automatic,  // detected from the names
  folders,  // <student>/..., or one archive per student
  canvas,  // Canvas's bulk download: doejane_LATE_12345_67890_vecadd.cu
  moodle,  // Moodle's: Jane Doe_12345_assignsubmission_file_/vecadd.cu
  gradescope,  // Gradescope's export: submission_12345/vecadd.cu, and submission_metadata.yml
  blackboard,  // Blackboard's: Lab 1_jdoe_attempt_2026-11-12-21-18-14_vecadd.cu
  ilias,  // ILIAS's: Lab 1/Abgaben/Doe_Jane_jdoe_12345/vecadd.cu
  studip,  // Stud.IP's: files, and archive_filelist.csv
  attempts,  // what `warpgrade serve` received for a lab; see attempt_folders.h
  one,  // the folder is one student's checkout
};
constexpr auto names_of(Layout) {
  return names_up_to<Layout::one>("auto", "folders", "canvas", "moodle", "gradescope", "blackboard",
                                  "ilias", "studip", "attempts", "one");
}
[[nodiscard]] std::vector<std::string> layout_names();
/// @throws std::logic_error  for a name that is not in layout_names
[[nodiscard]] Layout layout_of_name(std::string_view name);

/// doejane_LATE_12345_67890_vecadd-1.cu, or LATE_anon_aB1cD_67890_vecadd-1.cu where Canvas hides
/// names
struct CanvasName {
  std::string person;  // "doejane": last and first name, lower case, without spaces; "anon_aB1cD"
  bool late = false;
  std::string user_id;  // "12345"; "anon_aB1cD"
  std::string file;  // "vecadd.cu"
  std::string raw;  // "vecadd-1.cu"
  int revision = 0;  // 1: Canvas appended "-1" to the name of a resubmitted file
};
[[nodiscard]] std::optional<CanvasName> parse_canvas_name(std::string_view name);

/// Jane Doe_12345_assignsubmission_file_vecadd.cu, or a folder that ends at "file_" or "file"
struct MoodleName {
  std::string person;  // "Jane Doe"
  std::string participant;  // "12345"
  std::string plugin;  // "file", "onlinetext"
  std::string file;  // empty for a folder
};
[[nodiscard]] std::optional<MoodleName> parse_moodle_name(std::string_view name);

struct ListRequest {
  std::filesystem::path folder;
  Layout layout = Layout::automatic;
  std::string student;  // the owner of the checkout; empty unless the folder is one
  std::vector<std::string> not_submissions;  // names at the top to ignore: course.toml, ...
  /// Whose names may be in the names of files; may be null.
  const Roster* roster = nullptr;
};

struct Listing {
  ClassListing content;
  Layout layout = Layout::folders;
  std::string detected;  // what was detected, one line for the user; empty if specified
};

/// Lists a class in any layout.
/// @throws UsageError  if there is no such folder, or it contains no students
[[nodiscard]] Listing list_submissions(const ListRequest& request);

}  // namespace warpgrade
