#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "grader/core/instant.h"
#include "grader/submit/submission/layout.h"
#include "grader/submit/submission/submission.h"

namespace warpgrade {

// Downloads of Blackboard, ILIAS and Stud.IP. Each has a function that finds the folder in question
// in what was given, which may be the unpacked archive's only folder, or nothing if the names do
// not suggest the platform; and one that lists it.

/// Lab 1_jdoe_attempt_2026-11-12-21-18-14_vecadd.cu
struct BlackboardName {
  std::string before;  // "Lab 1_jdoe": the assignment's name and the user's, both with any '_'
  std::string time;  // "2026-11-12-21-18-14"
  std::string file;  // "vecadd.cu"; empty: Blackboard's own text about the attempt
};
[[nodiscard]] std::optional<BlackboardName> parse_blackboard_name(std::string_view name);

[[nodiscard]] std::optional<std::filesystem::path> blackboard_folder(const ListRequest& request);
/// Each attempt is a submission. Names are in the text that Blackboard writes about it, if there.
[[nodiscard]] ClassListing list_blackboard(const ListRequest& request);

/// Doe_Jane_jdoe_12345
struct IliasName {
  std::string person;  // "Doe Jane": family name first
  std::string login;  // "jdoe"
  std::string id;  // "12345"
};
[[nodiscard]] std::optional<IliasName> parse_ilias_name(std::string_view name);

[[nodiscard]] std::optional<std::filesystem::path> ilias_folder(const ListRequest& request);
/// One folder per student, or folders of teams that contain those of their members.
[[nodiscard]] ClassListing list_ilias(const ListRequest& request);

/// The list of files that Stud.IP adds to the download of a folder.
inline constexpr const char* kStudipList = "archive_filelist.csv";

[[nodiscard]] std::optional<std::filesystem::path> studip_folder(const ListRequest& request);
/// Files of all students together: each belongs to the one that the list names, or whose name or
/// login is in the file's name.
[[nodiscard]] ClassListing list_studip(const ListRequest& request);

}  // namespace warpgrade
