#include "grader/submit/submission/layout.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <map>
#include <regex>
#include <set>
#include <stdexcept>
#include <system_error>

#include "grader/core/error.h"
#include "grader/core/files.h"
#include "grader/core/source_names.h"
#include "grader/core/text.h"
#include "grader/submit/course/student_name.h"
#include "grader/submit/submission/attempt_folders.h"
#include "grader/submit/submission/gradescope.h"
#include "grader/submit/submission/other_names.h"
#include "grader/submit/submission/platforms.h"
#include "grader/submit/submission/uploads.h"

namespace warpgrade {
namespace fs = std::filesystem;
namespace {

/// The folder with Gradescope's metadata: this one, or its only subfolder, as unpacked.
std::optional<fs::path> gradescope_folder(const ListRequest& request) {
  std::error_code error;
  if (fs::is_regular_file(request.folder / kGradescopeMetadata, error)) return request.folder;
  const std::vector<fs::path> found = sorted_entries(request);
  if (found.size() == 1 && fs::is_regular_file(found[0] / kGradescopeMetadata, error)) {
    return found[0];
  }
  return std::nullopt;
}

/// One folder per submission; students and times are in the metadata. A group's work is graded for
/// each of its members.
ClassListing list_gradescope(const ListRequest& request) {
  const std::optional<fs::path> folder = gradescope_folder(request);
  if (!folder) {
    throw UsageError(
        fmt::format("{} contains no {}, which says whose the folders are; export the submissions "
                    "from Gradescope again, including it",
                    request.folder.string(), kGradescopeMetadata));
  }
  constexpr std::uint64_t kMostBytes = std::uint64_t{256} << 20;  // includes the tests' output
  ClassListing listing;
  std::string problem;
  const std::string text = read_file(*folder / kGradescopeMetadata, kMostBytes);
  const std::vector<GradescopeEntry> entries = parse_gradescope_metadata(text, problem);
  if (!problem.empty()) {
    throw UsageError(fmt::format("{}: {}; export the submissions from Gradescope again",
                                 (*folder / kGradescopeMetadata).string(), problem));
  }
  std::map<std::string, int> namesakes;
  for (const GradescopeEntry& entry : entries) {
    for (const GradescopePerson& person : entry.submitters) ++namesakes[person.name];
  }
  std::set<std::string> known;
  std::error_code error;
  for (const GradescopeEntry& entry : entries) {
    known.insert(entry.folder);
    const fs::path path = *folder / entry.folder;
    if (!fs::exists(path, error) || entry.submitters.empty()) {
      listing.unclear.push_back(
          {.what = fmt::format("{}: {}", one_line(entry.folder),
                               entry.submitters.empty()
                                   ? "the metadata does not name the submitter"
                                   : "the metadata names it, but it does not exist"),
           .say = "export the submissions from Gradescope again"});
      continue;
    }
    if (entry.submitters.size() > 1) {
      listing.notes.push_back(
          fmt::format("{} is a group submission: graded for each of its {} members",
                      one_line(entry.folder), entry.submitters.size()));
    }
    for (const GradescopePerson& member : entry.submitters) {
      Person person;
      person.name = member.name;
      person.id = member.sid.empty() ? entry.folder : member.sid;
      if (fs::is_directory(path, error)) {
        person.folders.push_back(path);
      } else {
        person.uploads.push_back(
            {.name = entry.folder, .raw = entry.folder, .revision = 0, .path = path});
      }
      StudentEntry student = entry_at(person, 0);
      student.student = student_name(person, namesakes[member.name] == 1);
      student.email = member.email;
      student.platform_time = entry.created;
      listing.students.push_back(std::move(student));
    }
  }
  for (const fs::directory_entry& found : fs::directory_iterator(*folder, error)) {
    const std::string name = found.path().filename().string();
    const auto& skip = request.not_submissions;
    if (!known.contains(name) && name != kGradescopeMetadata && !name.starts_with('.') &&
        std::find(skip.begin(), skip.end(), name) == skip.end()) {
      listing.unclear.push_back(
          {.what = fmt::format("{}: {} does not name it", one_line(name), kGradescopeMetadata),
           .say = "add it there with its submitter, or export the submissions again"});
    }
  }
  std::sort(listing.students.begin(), listing.students.end(),
            [](const StudentEntry& a, const StudentEntry& b) { return a.student < b.student; });
  return listing;
}

/// Whether it is what a student entered in Canvas in place of a file: "doejane_4711_text.html".
bool is_canvas_entry(const std::string& name) {
  static const std::regex kEntry(R"(.+_(\d+|anon_[A-Za-z0-9]+)_(text|link)\.html)");
  return std::regex_match(name, kEntry);
}

ClassListing list_canvas(const ListRequest& request) {
  ClassListing listing;
  std::map<std::string, Person> people;
  std::error_code error;
  for (const fs::path& path : sorted_entries(request)) {
    const std::string own = path.filename().string();
    const auto name = parse_canvas_name(own);
    if (!name && is_canvas_entry(own)) {
      listing.notes.push_back(ignored(path, "text or a link entered in Canvas is not graded"));
      listing.unclear.push_back(
          {.what = fmt::format("{}: text or a link entered in Canvas", one_line(own)),
           .say = "if it is the student's work, save it as a file named as the others are, with "
                  "<lab>.cu at the end"});
      continue;
    }
    if (!name || fs::is_directory(path, error)) {
      listing.notes.push_back(ignored(path, "its name does not follow Canvas's pattern"));
      listing.unclear.push_back(not_of_platform(path, "Canvas"));
      continue;
    }
    Person& person = people[name->user_id];
    person.name = name->person;
    person.id = name->user_id;
    person.late = person.late.value_or(false) || name->late;
    person.uploads.push_back(
        {.name = name->file, .raw = name->raw, .revision = name->revision, .path = path});
  }
  listing.students = entries_of(people);
  return listing;
}

ClassListing list_moodle(const ListRequest& request) {
  ClassListing listing;
  std::map<std::string, Person> people;
  std::error_code error;
  for (const fs::path& path : sorted_entries(request)) {
    const auto name = parse_moodle_name(path.filename().string());
    if (!name) {
      listing.notes.push_back(ignored(path, "its name does not follow Moodle's pattern"));
      listing.unclear.push_back(not_of_platform(path, "Moodle"));
      continue;
    }
    if (name->plugin != "file") {
      listing.notes.push_back(ignored(path, "online text from Moodle is not graded"));
      listing.unclear.push_back(
          {.what = fmt::format("{}: online text from Moodle", one_line(path.filename().string())),
           .say = "if it is the student's work, save it as <lab>.cu in the folder that ends with "
                  "assignsubmission_file_"});
      continue;
    }
    Person& person = people[name->participant];
    person.name = name->person;
    person.id = name->participant;
    if (fs::is_directory(path, error)) {
      person.folders.push_back(path);
    } else {
      person.uploads.push_back(
          {.name = name->file, .raw = name->file, .revision = 0, .path = path});
    }
  }
  listing.students = entries_of(people);
  return listing;
}

ClassListing list_one(const ListRequest& request) {
  if (const std::string why = student_name_problem(request.student); !why.empty()) {
    throw UsageError(fmt::format("--student '{}' {}; give a name that can be a folder name",
                                 printable(request.student), why));
  }
  StudentEntry entry;
  entry.student = request.student;
  std::string stem;
  std::error_code error;
  if (fs::is_directory(request.folder, error)) {
    add_tree(tree_of_work(request.folder), entry);
  } else if (is_archive(request.folder, stem) && fs::is_regular_file(request.folder, error)) {
    add_tree(tree_of_archive(request.folder), entry);
    entry.archive_time = modified_at(request.folder);
  } else {
    throw UsageError(fmt::format(
        "{} is neither a folder nor an archive; give the one that contains the student's files",
        request.folder.string()));
  }
  entry.came_as = fs::absolute(request.folder, error).lexically_normal().filename().string();
  ClassListing listing;
  listing.students.push_back(std::move(entry));
  return listing;
}

/// The name of a layout's platform, for messages.
std::string_view name_of(Layout layout) {
  switch (layout) {
    case Layout::canvas:
      return "Canvas";
    case Layout::moodle:
      return "Moodle";
    case Layout::blackboard:
      return "Blackboard";
    case Layout::ilias:
      return "ILIAS";
    case Layout::studip:
      return "Stud.IP";
    case Layout::attempts:
      return "warpgrade serve";
    default:
      return "Gradescope";
  }
}

/// The layout that the names suggest. A few such names in a class of folders are not enough.
Layout detect(const ListRequest& request, std::string& says) {
  std::error_code found_error;
  if (const auto folder = gradescope_folder(request)) {
    says = fmt::format("{} found: read as a Gradescope export (use --layout folders if it is not)",
                       (*folder / kGradescopeMetadata).string());
    return Layout::gradescope;
  }
  if (fs::is_regular_file(request.folder / kAttemptsTable, found_error)) {
    says = fmt::format(
        "{} found: read as submissions of `warpgrade serve` (use --layout folders "
        "if it is not)",
        (request.folder / kAttemptsTable).string());
    return Layout::attempts;
  }
  using Finds = std::optional<fs::path> (*)(const ListRequest&);
  constexpr std::array<std::pair<Layout, Finds>, 3> kPlatforms = {
      {{Layout::studip, studip_folder},
       {Layout::ilias, ilias_folder},
       {Layout::blackboard, blackboard_folder}}};
  for (const auto& [layout, finds] : kPlatforms) {
    if (const auto folder = finds(request)) {
      says = fmt::format("{} is read as a download from {} (use --layout folders if it is not)",
                         folder->string(), name_of(layout));
      return layout;
    }
  }
  const std::vector<fs::path> found = sorted_entries(request);
  std::size_t canvas = 0;
  std::size_t moodle = 0;
  std::error_code error;
  for (const fs::path& path : found) {
    const std::string name = path.filename().string();
    moodle += parse_moodle_name(name) ? 1 : 0;
    const bool is_canvas = parse_canvas_name(name).has_value() || is_canvas_entry(name);
    canvas += is_canvas && !fs::is_directory(path, error) ? 1 : 0;
  }
  const auto of_all = [&](std::size_t count, std::string_view what) {
    return fmt::format("{} of {} names in {} follow {}'s pattern", count, found.size(),
                       request.folder.string(), what);
  };
  if (moodle * 2 > found.size()) {
    says = of_all(moodle, "Moodle") +
           ": read as a Moodle download (use --layout folders if it is not)";
    return Layout::moodle;
  }
  if (canvas * 2 > found.size()) {
    says = of_all(canvas, "Canvas") +
           ": read as a Canvas download (use --layout folders if it is not)";
    return Layout::canvas;
  }
  if (moodle + canvas > 0) {
    says =
        of_all(moodle + canvas, moodle > 0 ? "Moodle" : "Canvas") +
        fmt::format(
            ", too few: read as one folder or archive per student (use --layout {} if it is not)",
            moodle > 0 ? "moodle" : "canvas");
  }
  return Layout::folders;
}

}  // namespace

std::vector<std::string> layout_names() {
  return {kNamesOf<Layout>.begin(), kNamesOf<Layout>.end()};
}

Layout layout_of_name(std::string_view name) {
  if (const std::optional<Layout> layout = from_slug<Layout>(name)) return *layout;
  throw std::logic_error(fmt::format("no layout '{}'", name));
}

std::optional<CanvasName> parse_canvas_name(std::string_view name) {
  static const std::regex kPattern(R"(([^_]+)(_LATE)?_(\d+)_(\d+)_(.+))");
  static const std::regex kAnonymous(R"((LATE_)?(anon_[A-Za-z0-9]+)_(\d+)_(.+))");
  static const std::regex kRevision(R"((.+)-(\d{1,3})((\.tar)?\.[A-Za-z]+))");
  const std::string text(name);
  CanvasName result;
  std::smatch m;
  if (std::regex_match(text, m, kAnonymous)) {
    result = {.person = m[2], .late = m[1].matched, .user_id = m[2], .file = m[4], .raw = m[4]};
  } else if (std::regex_match(text, m, kPattern)) {
    result = {.person = m[1], .late = m[2].matched, .user_id = m[3], .file = m[5], .raw = m[5]};
  } else {
    return std::nullopt;
  }
  std::smatch r;
  const std::string file = result.file;
  if (std::regex_match(file, r, kRevision)) {
    result.revision = std::stoi(r[2]);
    result.file = r[1].str() + r[3].str();
  }
  return result;
}

std::optional<MoodleName> parse_moodle_name(std::string_view name) {
  static const std::regex kPattern(R"((.+)_(\d+)_assignsubmission_([a-z]+)(_(.*))?)");
  const std::string text(name);
  std::smatch m;
  if (!std::regex_match(text, m, kPattern)) {
    return std::nullopt;
  }
  return MoodleName{.person = m[1], .participant = m[2], .plugin = m[3], .file = m[5]};
}

namespace {

void take_usual_names(ClassListing& content) {
  for (StudentEntry& student : content.students) {
    for (StudentEntry& earlier : student.earlier) {
      warpgrade::take_usual_names(earlier, content.notes);
    }
    take_newest_version(student, content.notes);
    warpgrade::take_usual_names(student, content.notes);
  }
}

}  // namespace

Listing list_submissions(const ListRequest& request) {
  Listing listing;
  listing.layout = request.layout;
  std::error_code error;
  if (!request.student.empty() || request.layout == Layout::one) {
    listing.layout = Layout::one;
    listing.content = list_one(request);
    take_usual_names(listing.content);
    return listing;
  }
  if (!fs::is_directory(request.folder, error)) {
    listing.content = list_class(request.folder);  // says what is wrong
    return listing;
  }
  if (request.layout == Layout::automatic) {
    listing.layout = detect(request, listing.detected);
  }
  switch (listing.layout) {
    case Layout::canvas:
      listing.content = list_canvas(request);
      break;
    case Layout::moodle:
      listing.content = list_moodle(request);
      break;
    case Layout::gradescope:
      listing.content = list_gradescope(request);
      break;
    case Layout::blackboard:
      listing.content = list_blackboard(request);
      break;
    case Layout::ilias:
      listing.content = list_ilias(request);
      break;
    case Layout::studip:
      listing.content = list_studip(request);
      break;
    case Layout::attempts:
      listing.content = list_attempts(request);
      break;
    default:
      listing.content = list_class(request.folder, request.roster);
  }
  // Those of the course itself, such as decisions/.
  std::erase_if(listing.content.students, [&](const StudentEntry& student) {
    return std::ranges::find(request.not_submissions, student.came_as) !=
           request.not_submissions.end();
  });
  take_usual_names(listing.content);
  if (listing.content.students.empty()) {
    throw UsageError(fmt::format(
        "{} contains no file named as {} does; --layout folders reads <student>/<lab>.cu",
        request.folder.string(), name_of(listing.layout)));
  }
  std::erase_if(listing.content.notes, [&](const std::string& note) {
    return std::any_of(
        request.not_submissions.begin(), request.not_submissions.end(),
        [&](const std::string& name) { return note.starts_with(name + " ignored"); });
  });
  std::erase_if(listing.content.unclear, [&](const Unclear& u) {
    return std::any_of(request.not_submissions.begin(), request.not_submissions.end(),
                       [&](const std::string& name) { return u.what.starts_with(name + ":"); });
  });
  return listing;
}

}  // namespace warpgrade
