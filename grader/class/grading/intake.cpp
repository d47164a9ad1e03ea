#include "grader/class/grading/intake.h"

#include <fmt/core.h>

#include <algorithm>
#include <map>
#include <set>
#include <system_error>

#include "grader/class/grading/copied_times.h"
#include "grader/core/error.h"
#include "grader/core/text.h"
#include "grader/submit/course/table_file.h"
#include "grader/submit/submission/person_file.h"
#include "harness/core/lab_error.h"

namespace warpgrade {
namespace fs = std::filesystem;
namespace {

constexpr int kFirstYear = 2000;  // zip's earliest time is in 1980, a missing time is 1970

/// The course file, if there is one: --course, or course.toml among the submissions. Not with
/// --student: that course.toml would be the student's.
fs::path course_file(const ClassOptions& options) {
  std::error_code error;
  const fs::path beside = options.submissions / "course.toml";
  if (!options.course.empty() || !options.student.empty() || !fs::is_regular_file(beside, error)) {
    return options.course;
  }
  return beside;
}

/// The mapping: --mapping, or mapping.csv among the submissions. Not with --student: that file
/// would be the student's.
fs::path mapping_file(const ClassOptions& options) {
  std::error_code error;
  const fs::path beside = options.submissions / kMappingFile;
  if (!options.mapping.empty() || !options.student.empty() || !fs::is_regular_file(beside, error)) {
    return options.mapping;
  }
  return beside;
}

/// All entries of the roster whose work this may be.
/// @param prefix  of the class's folders; see common_prefix()
std::vector<const RosterEntry*> entries_for(const Roster& roster, const StudentEntry& student,
                                            Layout layout, const std::string& prefix) {
  if (layout == Layout::canvas) {
    for (const RosterEntry& entry : roster.entries) {
      if (!student.platform_id.empty() && entry.canvas_id == student.platform_id) {
        return {&entry};
      }
    }
  }
  if (const RosterEntry* entry = roster.find(student.student)) {
    return {entry};
  }
  if (layout == Layout::gradescope || layout == Layout::blackboard || layout == Layout::ilias) {
    for (const std::string& id : {student.platform_id, student.email}) {
      const RosterEntry* entry = id.empty() ? nullptr : roster.find(id);
      if (entry != nullptr) return {entry};
    }
  }
  std::vector<const RosterEntry*> found =
      roster.find_names(student.person.empty() ? student.student : student.person);
  if (found.empty() && layout == Layout::ilias) return roster.find_parts(student.came_as);
  // Moodle can put the group in front of the name, and the ID number after it.
  if (found.empty() && layout == Layout::moodle) return roster.find_parts(student.person);
  if (!found.empty() || layout != Layout::folders) return found;
  if (!prefix.empty() && student.student.starts_with(prefix)) {
    const std::string rest = student.student.substr(prefix.size());
    if (const RosterEntry* entry = roster.find(rest)) return {entry};
    found = roster.find_names(rest);
  }
  return found.empty() ? roster.find_parts(student.student) : found;
}

/// What most names of a class begin with, up to a '-' or '_': GitHub Classroom puts the
/// assignment's name in front of the student's. Empty if there is none.
std::string common_prefix(const std::vector<StudentEntry>& students) {
  std::map<std::string, std::size_t> counts;
  for (const StudentEntry& student : students) {
    const std::string& name = student.student;
    for (std::size_t at = name.find_first_of("-_"); at != std::string::npos;
         at = name.find_first_of("-_", at + 1)) {
      ++counts[name.substr(0, at + 1)];
    }
  }
  std::string longest;
  for (const auto& [prefix, count] : counts) {
    const bool is_common = count > 1 && 2 * count > students.size();
    if (is_common && prefix.size() > longest.size()) longest = prefix;
  }
  return longest;
}

/// All files of a student, by path and content.
std::map<std::string, std::string> contents_of(const StudentEntry& student) {
  std::map<std::string, std::string> contents;
  for (const auto& [path, entry] : student.tree.entries()) {
    if (entry.kind == SourceTree::Kind::file && is_submitted_name(path)) {
      contents.emplace(path, SourceTree::read(entry));
    }
  }
  return contents;
}

/// Makes two submissions attempts, the newest of which is the last.
void make_attempts(StudentEntry& first, StudentEntry second) {
  std::vector<StudentEntry> all = std::move(first.earlier);
  first.earlier.clear();
  all.push_back(std::move(first));
  all.push_back(std::move(second));
  std::stable_sort(all.begin(), all.end(), [](const StudentEntry& a, const StudentEntry& b) {
    return a.local_time < b.local_time;
  });
  for (std::size_t i = 0; i < all.size(); ++i) all[i].attempt = static_cast<int>(i) + 1;
  first = std::move(all.back());
  all.pop_back();
  first.earlier = std::move(all);
}

/// Two submissions of one student are attempts if their folders have times. Without times they are
/// merged if no file of one differs from the same file of the other; otherwise neither is graded
/// and both need manual review.
void join(StudentEntry& first, StudentEntry& second, std::vector<Unclear>& unclear) {
  if (parse_person_folder(first.came_as) && parse_person_folder(second.came_as) &&
      first.local_time != second.local_time) {
    make_attempts(first, std::move(second));
    return;
  }
  const std::string both =
      fmt::format("{} and {}", one_line(first.came_as), one_line(second.came_as));
  bool same = first.earlier.empty() && second.earlier.empty() && first.problem.empty() &&
              second.problem.empty() && first.fault.empty() && second.fault.empty();
  try {
    const auto a = contents_of(first);
    for (const auto& [path, text] : contents_of(second)) {
      const auto it = a.find(path);
      same = same && (it == a.end() || it->second == text);
    }
  } catch (const UsageError&) {
    same = false;
  }
  if (same) {
    for (const auto& [path, entry] : second.tree.entries()) {
      if (!first.tree.find(path)) first.tree.add(path, entry);
    }
    for (const auto& [path, entry] : second.beside.entries()) first.beside.add(path, entry);
    for (const auto& [path, upload] : second.uploads) first.uploads.emplace(path, upload);
    return;
  }
  first.fault = fmt::format("There are two submissions of {}, {}, with different files.",
                            first.student, both);
  unclear.push_back(
      {.what =
           fmt::format("{}: {} are both submissions of this student, and differ; neither is graded",
                       one_line(first.student), both),
       .say = "leave only the one that counts, or correct the roster"});
}

std::string names_of(const std::vector<const RosterEntry*>& entries) {
  std::vector<std::string> names;
  for (const RosterEntry* entry : entries) names.push_back(printable(entry->student));
  return join_and(names);
}

/// The students that a mapping names for this work. Several lines may name the same one.
std::set<std::string> mapped_students(const Intake& intake, const StudentEntry& entry) {
  std::set<std::string> students;
  for (const MappingLine* line : intake.mapping.of(entry)) {
    const RosterEntry* known = intake.course.roster.find(line->student);
    students.insert(known == nullptr ? line->student : known->student);
  }
  students.erase("");
  return students;
}

/// Whether a person has decided that this work is nobody's.
bool is_left_out(const Intake& intake, const StudentEntry& entry) {
  return !intake.mapping.of(entry).empty() && mapped_students(intake, entry).empty();
}

void rename(StudentEntry& entry, const std::string& student) {
  entry.student = student;
  for (StudentEntry& earlier : entry.earlier) earlier.student = student;
}

void apply_roster(Intake& intake) {
  const std::string roster = intake.course.roster_file.filename().string();
  const bool has_roster = !intake.course.roster.entries.empty();
  std::vector<std::string> unknown;
  std::vector<std::string> shared;  // names of several students
  std::set<std::string> possible;  // students whose work may be under a shared name
  std::vector<StudentEntry> students;
  std::map<std::string, std::size_t> index;  // in students, by name
  const std::string prefix = common_prefix(intake.listing.content.students);
  for (StudentEntry& student : intake.listing.content.students) {
    if (is_left_out(intake, student)) {
      intake.notes.push_back(fmt::format("{} is not graded: {} names no student for it",
                                         one_line(student.came_as), kMappingFile));
      continue;
    }
    intake.mapping.assign(student);
    for (StudentEntry& earlier : student.earlier) intake.mapping.assign(earlier);
    const std::set<std::string> mapped = mapped_students(intake, student);
    const Group* group = intake.course.groups.named(student.student);
    if (group == nullptr) group = intake.course.groups.named(student.person);
    const bool is_groups =
        group != nullptr && intake.course.roster.find(student.student) == nullptr;
    std::vector<const RosterEntry*> entries;
    if (!mapped.empty() || is_groups) {
      const std::string& name = mapped.empty() ? group->students.front() : *mapped.begin();
      if (const RosterEntry* known = intake.course.roster.find(name)) entries = {known};
      rename(student, name);
    } else {
      entries = entries_for(intake.course.roster, student, intake.listing.layout, prefix);
    }
    const std::string before = student.student;
    if (entries.size() == 1) {
      rename(student, entries.front()->student);
    } else if (has_roster) {
      (entries.empty() ? unknown : shared).push_back(printable(before));
      for (const RosterEntry* entry : entries) possible.insert(entry->student);
      const std::string shown =
          one_line(student.person.empty() ? before : student.person).substr(0, 120);
      intake.unclear.push_back(
          {.what = entries.empty()
                       ? fmt::format("{}: nobody in {} has this name or id", shown, roster)
                       : fmt::format("{}: in {} this is the name of {}", shown, roster,
                                     names_of(entries)),
           .say = fmt::format("add '{}' to the aliases of the student whose work it is",
                              one_line(before))});
    }
    const auto [it, fresh] = index.emplace(student.student, students.size());
    if (fresh) {
      students.push_back(std::move(student));
    } else {
      join(students[it->second], student, intake.unclear);
    }
  }
  intake.listing.content.students = std::move(students);
  std::sort(intake.listing.content.students.begin(), intake.listing.content.students.end(),
            [](const StudentEntry& a, const StudentEntry& b) { return a.student < b.student; });
  if (!has_roster) {
    return;
  }
  if (!unknown.empty()) {
    intake.notes.push_back(fmt::format("not in {}: {}; they are graded, and exported without ids",
                                       roster, join_and(unknown)));
  }
  if (!shared.empty()) {
    intake.notes.push_back(fmt::format(
        "names of several students in {}: {}; they are graded, and exported without ids", roster,
        join_and(shared)));
  }
  std::vector<std::string> absent;
  for (const RosterEntry& entry : intake.course.roster.entries) {
    const std::set<std::string> group = intake.course.groups.with(entry.student);
    const bool by_group = std::any_of(
        group.begin(), group.end(), [&](const std::string& name) { return index.contains(name); });
    if (!index.contains(entry.student) && !possible.contains(entry.student) && !by_group) {
      absent.push_back(printable(entry.student));
    }
  }
  if (!absent.empty() && intake.listing.layout != Layout::one) {
    constexpr std::size_t kNamed = 20;
    const std::size_t all = absent.size();
    absent.resize(std::min(all, kNamed));
    if (all > kNamed) absent.push_back(fmt::format("{} more", all - kNamed));
    intake.notes.push_back(fmt::format("{} of {} in {} submitted nothing: {}", all,
                                       intake.course.roster.entries.size(), roster,
                                       join_and(absent)));
  }
}

/// Some downloads have a folder with the assignment's name around those of the students: takes its
/// content instead, if that has most students of the roster, and it is nobody's itself.
void look_in_only_folder(ListRequest request, Intake& intake) {
  const Roster& roster = intake.course.roster;
  const auto is_known = [&](const Listing& listing, const StudentEntry& student) {
    return !entries_for(roster, student, listing.layout, common_prefix(listing.content.students))
                .empty() ||
           intake.course.groups.named(student.student) != nullptr;
  };
  const std::vector<StudentEntry>& outer = intake.listing.content.students;
  std::error_code error;
  if (roster.entries.size() < 2 || outer.size() != 1 || intake.listing.layout != Layout::folders ||
      request.layout != Layout::automatic || is_known(intake.listing, outer.front()) ||
      !intake.mapping.of(outer.front()).empty()) {
    return;
  }
  request.folder /= outer.front().came_as;
  if (!fs::is_directory(request.folder, error)) return;
  Listing inner;
  try {
    inner = list_submissions(request);
  } catch (const UsageError&) {
    return;  // no students in it
  }
  const auto& students = inner.content.students;
  const auto known = static_cast<std::size_t>(std::count_if(
      students.begin(), students.end(), [&](const auto& s) { return is_known(inner, s); }));
  if (known < 2 || 2 * known <= students.size()) return;
  intake.notes.push_back(fmt::format("the submissions are read from the folder {}",
                                     one_line(request.folder.filename().string())));
  intake.listing = std::move(inner);
}

/// A line about work that did not come in would otherwise be without effect.
void require_mapped_work(const Intake& intake) {
  std::set<std::string> works;
  for (const StudentEntry& student : intake.listing.content.students) {
    works.insert(student.came_as);
    for (const auto& [path, upload] : student.uploads) works.insert(upload);
    for (const StudentEntry& earlier : student.earlier) {
      works.insert(earlier.came_as);
      for (const auto& [path, upload] : earlier.uploads) works.insert(upload);
    }
  }
  for (const MappingLine& line : intake.mapping.lines()) {
    if (line.student.empty() || works.contains(line.work)) continue;
    throw LabError(
        fmt::format("{}:{}: there is no '{}' among the submissions; correct the name or "
                    "delete the line",
                    kMappingFile, line.line, printable(line.work)));
  }
}

/// Whether this can be the time of a submission.
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
  const LabFiles files = files_of(attempt, lab);
  record.came_as = attempt.came_as;
  for (const std::string& name : files.names) {
    record.files.push_back(files.base + name);
    if (const auto it = attempt.uploads.find(files.base + name); it != attempt.uploads.end()) {
      record.came_as = it->second;
    }
  }
  record.marked_late = attempt.marked_late;
  const auto known = [&](std::optional<Instant> time, TimeSource source) {
    record.submitted = time;
    record.source = source;
  };
  if (submitted_at) {
    known(submitted_at, TimeSource::option);
  } else if (const auto time = times.find(last.student, lab.id, attempt.attempt)) {
    known(time, TimeSource::table);
  } else if (attempt.platform_time) {
    known(attempt.platform_time, TimeSource::platform);
  } else if (attempt.local_time && course.late.zone) {
    known(*attempt.local_time - *course.late.zone, TimeSource::platform);
  } else if (attempt.marked_late) {
    record.source = TimeSource::platform;
  } else if (course.late.file_times && listing.layout == Layout::folders && !was_copied &&
             !attempt.is_clone) {
    // Learning platforms and version control rewrite files, so file times may be the students' only
    // here.
    if (plausible(attempt.archive_time)) {
      known(attempt.archive_time, TimeSource::archive);
    } else if (const auto newest = newest_file(attempt, lab); plausible(newest)) {
      known(newest, TimeSource::file);
    }
  }
  return record;
}

const StudentEntry* Intake::find(std::string_view student) const {
  const auto found = std::lower_bound(
      students().begin(), students().end(), student,
      [](const StudentEntry& entry, std::string_view name) { return entry.student < name; });
  return found == students().end() || found->student != student ? nullptr : &*found;
}

std::vector<const StudentEntry*> Intake::attempts(const StudentEntry& student,
                                                  const Lab& lab) const {
  std::vector<const StudentEntry*> all;
  for (const StudentEntry& attempt : student.earlier) {
    if (has_submission(attempt, lab)) all.push_back(&attempt);
  }
  if (has_submission(student, lab) || all.empty()) all.push_back(&student);
  const auto limit = static_cast<std::size_t>(course.attempts_that_count(lab.id));
  if (limit > 0 && all.size() > limit) all.resize(limit);
  return all;
}

const StudentEntry& Intake::submitter(const StudentEntry& student, const Lab& lab) const {
  const Group* group = course.groups.of(student.student, lab.id);
  if (group == nullptr) return student;
  const StudentEntry* newest = nullptr;
  std::optional<Instant> at;
  for (const std::string& name : group->students) {
    const StudentEntry* member = find(name);
    if (member == nullptr || !has_submission(*member, lab)) continue;
    const std::optional<Instant> time = record(*member, *member, lab).submitted;
    if (newest == nullptr || time > at) {
      newest = member;
      at = time;
    }
  }
  return newest == nullptr ? student : *newest;
}

std::vector<std::string> Intake::other_members(const StudentEntry& student, const Lab& lab) const {
  const Group* group = course.groups.of(student.student, lab.id);
  std::vector<std::string> others;
  if (group == nullptr || !has_submission(student, lab)) return others;
  others = group->students;
  std::erase(others, student.student);
  return others;
}

SubmissionLog Intake::log(const std::vector<const Lab*>& labs) const {
  SubmissionLog log;
  log.course = course.file;
  log.layout = slug(listing.layout);
  for (const StudentEntry& student : students()) {
    for (const Lab* lab : labs) {
      if (&submitter(student, *lab) != &student) continue;
      for (const StudentEntry* attempt : attempts(student, *lab)) {
        if (!has_submission(*attempt, *lab)) continue;
        SubmissionRecord one = record(student, *attempt, *lab);
        log.add(one);
        for (const std::string& member : other_members(student, *lab)) {
          one.student = member;
          log.add(one);
        }
      }
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
                      .not_submissions = {"course.toml", kMappingFile},
                      .roster = &intake.course.roster};
  if (const fs::path file = mapping_file(options); !file.empty()) {
    const std::string shown = file.filename().string();
    intake.mapping = parse_mapping(read_course_file(file, shown), shown);
    request.not_submissions.push_back(shown);
  }
  for (const fs::path& file :
       {intake.course.file, intake.course.roster_file, intake.course.submitted_file,
        intake.course.groups_file, intake.course.decisions_folder}) {
    request.not_submissions.push_back(file.filename().string());
  }
  intake.listing = list_submissions(request);
  look_in_only_folder(request, intake);
  if (!intake.listing.detected.empty()) {
    intake.notes.push_back(intake.listing.detected);
  }
  intake.notes.insert(intake.notes.end(), intake.listing.content.notes.begin(),
                      intake.listing.content.notes.end());
  intake.unclear = std::move(intake.listing.content.unclear);
  apply_roster(intake);
  find_times_of_copies(intake);
  require_mapped_work(intake);
  return intake;
}

void Intake::guess(const GuessScope& scope) {
  ClassListing& content = listing.content;
  content.unclear.clear();
  guess_files(content, scope);
  for (const Guess& guess : content.guesses) notes.push_back(guess_note(guess));
  unclear.insert(unclear.end(), content.unclear.begin(), content.unclear.end());
}

}  // namespace warpgrade
