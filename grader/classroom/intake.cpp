#include "grader/classroom/intake.h"

#include <fmt/core.h>

#include <algorithm>
#include <map>
#include <set>
#include <system_error>

#include "grader/core/text.h"

namespace warpgrade {
namespace fs = std::filesystem;
namespace {

constexpr int kFirstYear = 2000;  // zip's own beginning of time is 1980, a lost time is 1970

/// The course file, if there is one: --course, or course.toml among the submissions. A student's
/// own checkout is not asked: its course.toml would be the student's.
fs::path course_file(const ClassOptions& options) {
  std::error_code error;
  const fs::path beside = options.submissions / "course.toml";
  if (!options.course.empty() || !options.student.empty() || !fs::is_regular_file(beside, error)) {
    return options.course;
  }
  return beside;
}

const RosterEntry* entry_for(const Roster& roster, const StudentEntry& student, Layout layout) {
  if (layout == Layout::canvas) {
    for (const RosterEntry& entry : roster.entries) {
      if (!student.platform_id.empty() && entry.canvas_id == student.platform_id) {
        return &entry;
      }
    }
  }
  if (const RosterEntry* entry = roster.find(student.student)) {
    return entry;
  }
  return student.person.empty() ? nullptr : roster.find_name(student.person);
}

void apply_roster(Intake& intake) {
  std::map<std::string, std::string> came_as;
  std::vector<std::string> unknown;
  for (StudentEntry& student : intake.listing.content.students) {
    const std::string before = student.student;
    if (const RosterEntry* entry =
            entry_for(intake.course.roster, student, intake.listing.layout)) {
      student.student = entry->student;
      for (StudentEntry& earlier : student.earlier) earlier.student = entry->student;
    } else {
      unknown.push_back(printable(before));
    }
    const auto [it, fresh] = came_as.emplace(student.student, before);
    if (!fresh) {
      throw UsageError(fmt::format(
          "{} and {} are both work of {} by the roster; remove one of them, or correct the roster",
          printable(it->second), printable(before), printable(student.student)));
    }
  }
  std::sort(intake.listing.content.students.begin(), intake.listing.content.students.end(),
            [](const StudentEntry& a, const StudentEntry& b) { return a.student < b.student; });
  if (intake.course.roster.entries.empty()) {
    return;
  }
  if (!unknown.empty()) {
    intake.notes.push_back(fmt::format("not in {}: {}; they are graded, and exported without ids",
                                       intake.course.roster_file.filename().string(),
                                       join_and(unknown)));
  }
  const auto absent =
      std::count_if(intake.course.roster.entries.begin(), intake.course.roster.entries.end(),
                    [&](const RosterEntry& entry) { return !came_as.contains(entry.student); });
  if (absent > 0 && intake.listing.layout != Layout::one) {
    intake.notes.push_back(fmt::format("{} of {} in {} handed in nothing", absent,
                                       intake.course.roster.entries.size(),
                                       intake.course.roster_file.filename().string()));
  }
}

/// A time that a file can have got when it was handed in.
bool plausible(const std::optional<Instant>& time) {
  using namespace std::chrono;
  return time && *time >= Instant(sys_days(year(kFirstYear) / 1 / 1)) &&
         *time <= now_utc() + hours(24);
}

}  // namespace

SubmissionRecord Intake::record(const StudentEntry& last, const StudentEntry& attempt,
                                const Lab& lab) const {
  SubmissionRecord record;
  record.student = last.student;
  record.lab = lab.id;
  record.attempt = attempt.attempt;
  record.attempts = static_cast<int>(last.earlier.size()) + 1;
  record.came_as = attempt.came_as;
  record.marked_late = attempt.marked_late;
  const auto known = [&](std::optional<Instant> time, TimeSource source) {
    record.submitted = time;
    record.source = source;
  };
  if (submitted_at) {
    known(submitted_at, TimeSource::option);
  } else if (const auto time = times.find(last.student, lab.id, attempt.attempt)) {
    known(time, TimeSource::table);
  } else if (attempt.marked_late) {
    record.source = TimeSource::platform;
  } else if (course.late.file_times && listing.layout == Layout::folders) {
    // Learning platforms and version control write files anew: only here may their times be the
    // students'.
    if (plausible(attempt.archive_time)) {
      known(attempt.archive_time, TimeSource::archive);
    } else if (const auto newest = newest_file(attempt.tree, lab); plausible(newest)) {
      known(newest, TimeSource::file);
    }
  }
  return record;
}

SubmissionLog Intake::log(const std::vector<const Lab*>& labs) const {
  SubmissionLog log;
  log.course = course.file;
  log.layout = slug(listing.layout);
  for (const StudentEntry& student : students()) {
    for (const Lab* lab : labs) {
      for (const StudentEntry& attempt : student.earlier) {
        if (has_submission(attempt.tree, *lab)) log.add(record(student, attempt, *lab));
      }
      if (has_submission(student.tree, *lab)) log.add(record(student, student, *lab));
    }
  }
  return log;
}

Intake take_in(const ClassOptions& options, const std::vector<std::string>& known_labs) {
  Intake intake;
  if (!options.submitted_at.empty()) {
    std::string problem;
    intake.submitted_at = parse_instant(options.submitted_at, problem);
    if (!intake.submitted_at) {
      throw UsageError(fmt::format("--submitted-at {}", printable(problem)));
    }
  }
  if (const fs::path file = course_file(options); !file.empty()) {
    intake.course = load_course(file, known_labs);
    intake.times = read_submitted_table(intake.course);
  }
  ListRequest request{.folder = options.submissions,
                      .layout = options.layout,
                      .student = options.student,
                      .not_submissions = {"course.toml"}};
  for (const fs::path& file :
       {intake.course.file, intake.course.roster_file, intake.course.submitted_file}) {
    request.not_submissions.push_back(file.filename().string());
  }
  intake.listing = list_submissions(request);
  if (!intake.listing.detected.empty()) {
    intake.notes.push_back(intake.listing.detected);
  }
  intake.notes.insert(intake.notes.end(), intake.listing.content.notes.begin(),
                      intake.listing.content.notes.end());
  apply_roster(intake);
  return intake;
}

}  // namespace warpgrade
