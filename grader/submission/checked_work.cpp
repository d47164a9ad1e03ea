#include "grader/submission/checked_work.h"

#include <fmt/core.h>

#include <system_error>
#include <utility>

#include "grader/core/error.h"
#include "grader/core/source_names.h"
#include "grader/core/text.h"
#include "grader/submission/guess.h"
#include "grader/submission/layout.h"

namespace warpgrade {
namespace fs = std::filesystem;

CheckedWork work_at(const fs::path& path, const Lab& lab) {
  std::error_code error;
  std::string stem;
  const bool is_folder = fs::is_directory(path, error);
  const bool is_packed = !is_folder && is_archive(path, stem);
  if (!is_folder && !is_packed) {
    if (fs::exists(path, error) && !is_program(path.native())) {
      throw UsageError(fmt::format(
          "{} is not a .cu or .hip file, a folder or an archive (.zip, .tar.gz); give one of these",
          printable(path.string())));
    }
    return {.submission = submission_of_file(path, lab), .notes = {}};
  }
  if (is_packed && !fs::exists(path, error)) {
    throw UsageError(fmt::format("there is no file {}", printable(path.string())));
  }
  Listing listing = list_submissions(
      {.folder = path, .layout = Layout::one, .student = "you", .not_submissions = {}});
  // As `grade --lab` does: one file of another name is taken, and noted.
  guess_files(listing.content, {&lab}, find_labs(lab.root), true);
  return {.submission = pick_submission(listing.content.students.front(), lab),
          .notes = std::move(listing.content.notes)};
}

}  // namespace warpgrade
