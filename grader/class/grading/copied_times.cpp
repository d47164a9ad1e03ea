#include "grader/class/grading/copied_times.h"

#include <fmt/core.h>

#include <algorithm>
#include <chrono>
#include <optional>

namespace warpgrade {
namespace {

/// When a student's newest file was changed, or the archive.
std::optional<Instant> newest_time(const StudentEntry& student) {
  if (student.archive_time) return student.archive_time;
  std::optional<Instant> newest;
  for (const auto& [path, entry] : student.tree.entries()) {
    if (entry.kind == SourceTree::Kind::file && is_submitted_name(path)) {
      newest = std::max(newest, modified_at(entry.disk));
    }
  }
  return newest;
}

}  // namespace

void find_times_of_copies(Intake& intake) {
  constexpr std::size_t kFewest = 5;  // students, who do not all submit within this time
  constexpr std::chrono::minutes kOneCopy{5};
  const Course& course = intake.course;
  const bool has_due = std::any_of(course.labs.begin(), course.labs.end(),
                                   [](const auto& lab) { return lab.second.due.has_value(); });
  if (intake.listing.layout != Layout::folders || !course.late.file_times || !has_due) return;
  std::size_t clones = 0;
  std::size_t known = 0;
  std::optional<Instant> first;
  std::optional<Instant> last;
  for (const StudentEntry& student : intake.students()) {
    clones += student.is_clone ? 1 : 0;
    const std::optional<Instant> time = student.is_clone ? std::nullopt : newest_time(student);
    if (!time) continue;
    ++known;
    first = first ? std::min(*first, *time) : *time;
    last = std::max(last, time);
  }
  constexpr const char* kTable =
      "they do not count as times of submission; where times matter, the table that the key "
      "'submitted' names can have them";
  if (clones > 0) {
    intake.notes.push_back(
        fmt::format("the files of {} of {} students have the time at which "
                    "their repository was cloned: {}",
                    clones, intake.students().size(), kTable));
  }
  intake.was_copied = known >= kFewest && *last - *first <= kOneCopy;
  if (intake.was_copied) {
    intake.notes.push_back(
        fmt::format("the newest files of all {} students were changed within {} minutes of {}, as "
                    "a copy leaves them: {}",
                    known, kOneCopy.count(), instant_text(*first), kTable));
  }
}

}  // namespace warpgrade
