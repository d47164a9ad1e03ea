#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "grader/core/instant.h"
#include "grader/submit/submission/layout.h"
#include "grader/submit/submission/submission.h"

namespace warpgrade {

// What the downloads of learning platforms have in common: files and folders of one person.

/// One uploaded file of one student.
struct Upload {
  std::string name;  // the student's name for it
  std::string raw;  // the platform's name for it
  int revision = 0;
  std::filesystem::path path;
};

struct Person {
  std::string name;
  std::string id;
  std::optional<bool> late;
  std::vector<Upload> uploads;
  std::vector<std::filesystem::path> folders;
  /// Whether a file of an earlier revision is part of later ones unless it was uploaded again.
  bool keeps_files = true;
  std::map<int, Instant> times;  // of revisions, without a time zone
};

/// Adds a folder's or an archive's files, and what is wrong with it.
void add_tree(TreeResult part, StudentEntry& entry);
/// Adds a file, or the files of an archive.
void add_upload(const Upload& upload, StudentEntry& entry);

/// The person's submission when `revision` was the newest. Its `student` is not set.
[[nodiscard]] StudentEntry entry_at(const Person& person, int revision);

/// The person's name if it is unique and can be a folder, or one with the person's id.
[[nodiscard]] std::string student_name(const Person& person, bool unique);

/// The submissions of persons, by student: the last revision of each, and the earlier ones.
[[nodiscard]] std::vector<StudentEntry> entries_of(const std::map<std::string, Person>& people);

/// The visible entries of the class's folder that may be submissions, by name.
/// @throws UsageError  if it cannot be read
[[nodiscard]] std::vector<std::filesystem::path> sorted_entries(const ListRequest& request);
/// The same of a folder below it.
[[nodiscard]] std::vector<std::filesystem::path> sorted_entries(
    const ListRequest& request, const std::filesystem::path& folder);

[[nodiscard]] std::string ignored(const std::filesystem::path& path, std::string_view why);
[[nodiscard]] Unclear not_of_platform(const std::filesystem::path& path, std::string_view platform);

}  // namespace warpgrade
