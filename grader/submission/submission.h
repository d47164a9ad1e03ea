#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "grader/core/instant.h"
#include "grader/grade_record/grade.h"
#include "grader/submission/source_tree.h"
#include "harness/lab/lab.h"

namespace warpgrade {

/// What one student handed in for one lab, in memory: nothing is ever compiled in a student's
/// folder.
struct Submission {
  std::string student;
  std::string lab;
  int attempt = 1;
  std::vector<SourceFile> files;  // .cu files first; then the headers that they reach
  std::string problem;  // why it cannot be built, one sentence; empty if it can

  /// Of all that was handed in; equal for equal submissions.
  [[nodiscard]] std::string hash() const;
};

/// Where a student's files for one lab lie in what was handed in.
struct LabFiles {
  std::string base;  // folder with '/', or empty
  std::vector<std::string> names;  // .cu files there that belong to the lab
};

/// A submitted file that needs manual assignment.
struct Unclear {
  std::string what;  // one line
  std::string say;  // how to say it, one line
};

/// One student of a class.
struct StudentEntry {
  std::string student;
  SourceTree tree;
  std::string problem;  // of the archive or folder as a whole
  std::string fault;  // what kept us from reading it, which is not the student's doing
  int attempt = 1;
  std::vector<StudentEntry> earlier;  // attempts, the first one first

  // What the way that it came in says; see layout.h.
  std::string came_as;  // name of the folder, archive or file
  std::string person;  // full name, where the platform says it
  std::string platform_id;  // the platform's number for the student
  std::string email;
  std::optional<bool> marked_late;
  std::optional<Instant> archive_time;
  std::optional<Instant> platform_time;  // when it was submitted, as the platform says
  std::map<std::string, std::string> uploads;  // by path in the tree: the file that it came in
  std::map<std::string, LabFiles> taken;  // by lab: what is not called so, see guess.h
};

struct ClassListing {
  std::vector<StudentEntry> students;  // by name
  std::vector<std::string> notes;  // what was ignored or guessed, and why; one line each
  std::vector<Unclear> unclear;
};

/// Lists the students of a class: a folder or an archive each.
/// @throws UsageError  if `folder` is none, or holds no student
[[nodiscard]] ClassListing list_class(const std::filesystem::path& folder);

/// A student's .cu files for one lab: `<lab>.cu`, or `<lab>/*.cu`, at the top or in the only
/// folder; else what was guessed. No names where there are none.
[[nodiscard]] LabFiles files_of(const StudentEntry& entry, const Lab& lab);

/// Whether the student handed in something for this lab.
[[nodiscard]] bool has_submission(const StudentEntry& entry, const Lab& lab);

/// When the newest of a lab's .cu files was last written to; nothing for files of archives.
[[nodiscard]] std::optional<Instant> newest_file(const StudentEntry& entry, const Lab& lab);

/// A student's work for one lab: files_of() and the headers that they reach.
/// What cannot be used (missing, empty, binary, too large, a folder, a link or an include to
/// outside, a name that no compiler should get) is in `problem`.
/// @throws UsageError  if a file or folder may not be read by us, or changed since it was listed
[[nodiscard]] Submission pick_submission(const StudentEntry& entry, const Lab& lab);

/// A submission of one file, as `warpgrade check` gets it.
/// @throws UsageError  if there is no such file, or it is a folder
[[nodiscard]] Submission submission_of_file(const std::filesystem::path& file, const Lab& lab);

}  // namespace warpgrade
