#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "grader/core/instant.h"
#include "grader/record/grade/grade.h"
#include "grader/submit/course/roster.h"
#include "grader/submit/questions/score_questions.h"
#include "grader/submit/submission/source_tree.h"
#include "harness/lab/lab.h"

namespace warpgrade {

/// One student's work for one lab, in memory, because nothing is ever compiled in a student's
/// folder.
struct Submission {
  std::string student;
  std::string lab;
  int attempt = 1;
  std::vector<SourceFile> files;  // .cu files first, then the headers that they include
  std::string problem;  // why it cannot be built, one sentence; empty if it can
  SubmittedAnswers answers = {};  // to the lab's questions
  std::vector<std::string> notes = {};  // what was found elsewhere or converted; one line each

  /// A hash of the whole submission; equal for equal submissions.
  [[nodiscard]] std::string hash() const;
};

/// The location of a student's files for one lab in the submission.
struct LabFiles {
  std::string base;  // folder with '/', or empty
  std::vector<std::string> names;  // .cu files there that belong to the lab
};

/// A submitted file that needs manual assignment.
struct Unclear {
  std::string what;  // one line
  std::string say;  // how to resolve it, one line
};

/// One student of a class.
struct StudentEntry {
  std::string student;
  SourceTree tree;
  SourceTree beside;  // files of archives beside programs, for a lab that has no other file
  std::string problem;  // of the archive or folder as a whole
  std::string fault;  // an error while reading that is not the student's mistake
  int attempt = 1;
  std::vector<StudentEntry> earlier;  // earlier attempts, in order

  // What the layout tells; see layout.h.
  std::string came_as;  // name of the folder, archive or file
  std::string person;  // full name, if the platform has it
  std::string platform_id;  // the platform's number for the student
  std::string email;
  std::optional<bool> marked_late;
  bool is_clone = false;  // of a repository: its files have the time of the clone
  std::optional<Instant> archive_time;
  std::optional<Instant> platform_time;  // submission time recorded by the platform
  std::optional<Instant> local_time;  // the same, without a time zone: as if it were UTC
  std::map<std::string, std::string> uploads;  // by path in the tree: the uploaded file
  std::map<std::string, LabFiles> taken;  // by lab: files with other names, see guess.h
  /// By lab: what a person has decided; without names, nothing is for the lab.
  std::map<std::string, LabFiles> assigned;
};

/// A file that is taken for a lab although its name does not say so.
struct Guess {
  std::string student;
  std::string lab;
  std::string path;  // in the student's tree
  std::string why;  // "the only file that defines vecadd"
};

struct ClassListing {
  std::vector<StudentEntry> students;  // by name
  std::vector<Guess> guesses;
  std::vector<std::string> notes;  // what was ignored or guessed, and why; one line each
  std::vector<Unclear> unclear;
};

/// Lists the students of a class, each with a folder or an archive, or files with their names.
/// @param roster  whose names may be in the names of files; may be null
/// @throws UsageError  if `folder` is not a folder, or contains no students
[[nodiscard]] ClassListing list_class(const std::filesystem::path& folder,
                                      const Roster* roster = nullptr);

/// When a file of a submission was last modified; nothing if that is unknown.
[[nodiscard]] std::optional<Instant> modified_at(const SourceTree::Entry& entry);

/// A student's .cu files for one lab: those that a person has assigned; `<lab>.cu`, or
/// `<lab>/*.cu`, at the top or in the only folder; otherwise the guessed ones. No names if there
/// are none.
[[nodiscard]] LabFiles files_of(const StudentEntry& entry, const Lab& lab);

/// Where the student's answers.toml for this lab is in the tree: beside its programs, in <lab>/, or
/// at the top; empty if there is none, or the lab has no questions.
[[nodiscard]] std::string answers_path(const StudentEntry& entry, const Lab& lab);

/// Whether the student submitted something for this lab.
[[nodiscard]] bool has_submission(const StudentEntry& entry, const Lab& lab);

/// The latest modification time of a lab's .cu files; nothing for files of archives.
[[nodiscard]] std::optional<Instant> newest_file(const StudentEntry& entry, const Lab& lab);

/// A student's work for one lab: files_of() and the headers that they include. A header that is not
/// where the including file says is searched for in the student's other folders, and taken if there
/// is one; then names are relative to the top of the submission. Anything unusable
/// (missing, empty, binary, too large, a folder, a link or an include to outside, a dangerous name)
/// is reported in `problem`.
/// @throws UsageError  if a file or folder is not readable, or changed since it was listed
[[nodiscard]] Submission pick_submission(const StudentEntry& entry, const Lab& lab);

/// A submission of one file, for `warpgrade check`.
/// @throws UsageError  if there is no such file, or it is a folder
[[nodiscard]] Submission submission_of_file(const std::filesystem::path& file, const Lab& lab);

}  // namespace warpgrade
