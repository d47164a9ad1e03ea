#include "grader/submit/submission/checked_work.h"

#include <fmt/core.h>

#include <system_error>
#include <utility>

#include "grader/core/error.h"
#include "grader/core/source_names.h"
#include "grader/core/text.h"
#include "grader/submit/submission/guess.h"
#include "grader/submit/submission/layout.h"
#include "grader/submit/submission/other_names.h"
#include "harness/lab/python_form.h"

namespace warpgrade {
namespace fs = std::filesystem;
namespace {

/// The student is not known here: the numbers of the questions are those that the answers name.
CheckedWork with_own_numbers(CheckedWork work, const Lab& lab) {
  for (const std::string& note : work.submission.notes) work.notes.push_back(note);
  work.submission.answers.key.reset();
  for (std::string& note : unknown_answers(lab, work.submission.answers)) {
    work.notes.push_back(std::move(note));
  }
  return work;
}

}  // namespace

CheckedWork work_at(const fs::path& path, const Lab& lab) {
  std::error_code error;
  std::string stem;
  const bool is_folder = fs::is_directory(path, error);
  const bool is_packed = !is_folder && is_archive(path, stem);
  if (!is_folder && !is_packed) {
    const std::string name = path.filename().string();
    const bool takes_python = takes_language(lab, Language::python);
    const bool is_source = is_named_like_program(name) || (takes_python && is_python(name)) ||
                           (!usual_name(name).empty() && !is_plain_text(name));
    const bool fits = lab.has_code() ? is_source : name == kAnswersFile;
    if (fs::exists(path, error) && !fits) {
      throw UsageError(
          fmt::format("{} is not {}, a folder or an archive (.zip, .tar.gz); give one of these",
                      printable(path.string()),
                      !lab.has_code() ? kAnswersFile
                      : takes_python  ? "a .cu, .hip or .py file"
                                      : "a .cu or .hip file"));
    }
    return with_own_numbers({.submission = submission_of_file(path, lab), .notes = {}}, lab);
  }
  if (is_packed && !fs::exists(path, error)) {
    throw UsageError(fmt::format("there is no file {}", printable(path.string())));
  }
  Listing listing = list_submissions(
      {.folder = path, .layout = Layout::one, .student = "you", .not_submissions = {}});
  // As `grade --lab` does: one file of another name is taken, and noted.
  guess_files(
      listing.content,
      {.labs = {&lab}, .ids = find_labs(lab.root), .assigned = {lab.id}, .one_asked = true});
  for (const Guess& guess : listing.content.guesses) {
    listing.content.notes.push_back(guess_note(guess));
  }
  return with_own_numbers({.submission = pick_submission(listing.content.students.front(), lab),
                           .notes = std::move(listing.content.notes)},
                          lab);
}

}  // namespace warpgrade
