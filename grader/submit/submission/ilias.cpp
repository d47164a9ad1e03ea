#include <fmt/core.h>

#include <algorithm>
#include <map>
#include <regex>
#include <system_error>

#include "grader/core/text.h"
#include "grader/submit/submission/platforms.h"
#include "grader/submit/submission/uploads.h"

namespace warpgrade {
namespace fs = std::filesystem;
namespace {

/// Folders around those of students in the archive: the assignment, "Abgaben" or "Submissions".
constexpr int kMostAround = 3;

bool is_team(const fs::path& path) {
  static const std::regex kTeam(R"(team[ _-]?\d+)", std::regex::icase);
  return std::regex_match(path.filename().string(), kTeam);
}

bool is_of_ilias(const fs::path& path) {
  std::error_code error;
  return fs::is_directory(path, error) &&
         (is_team(path) || parse_ilias_name(path.filename().string()).has_value());
}

void add_person(const fs::path& folder, std::map<std::string, Person>& people) {
  const auto name = parse_ilias_name(folder.filename().string());
  Person& person = people[name->id];
  person.name = name->person;
  person.id = name->login;
  person.folders.push_back(folder);
}

}  // namespace

std::optional<IliasName> parse_ilias_name(std::string_view name) {
  static const std::regex kPattern(R"((.+_.+)_([^_]+)_(\d{2,}))");
  const std::string text(name);
  std::smatch m;
  if (!std::regex_match(text, m, kPattern)) return std::nullopt;
  return IliasName{.person = replace_all(m[1].str(), "_", " "), .login = m[2], .id = m[3]};
}

std::optional<fs::path> ilias_folder(const ListRequest& request) {
  fs::path folder = request.folder;
  for (int depth = 0; depth <= kMostAround; ++depth) {
    const std::vector<fs::path> found = sorted_entries(request, folder);
    std::vector<fs::path> folders;
    std::error_code error;
    for (const fs::path& path : found) {
      if (fs::is_directory(path, error)) folders.push_back(path);
    }
    const auto named = std::count_if(folders.begin(), folders.end(), is_of_ilias);
    if (named > 0 && static_cast<std::size_t>(named) * 2 > folders.size()) return folder;
    if (folders.size() != 1) return std::nullopt;
    folder = folders.front();  // files beside it are lists of status and grades
  }
  return std::nullopt;
}

ClassListing list_ilias(const ListRequest& request) {
  ClassListing listing;
  std::map<std::string, Person> people;
  std::error_code error;
  for (const fs::path& path :
       sorted_entries(request, ilias_folder(request).value_or(request.folder))) {
    if (!is_of_ilias(path)) {
      listing.notes.push_back(ignored(path, "its name does not follow ILIAS's pattern"));
      if (fs::is_directory(path, error)) {
        listing.unclear.push_back(not_of_platform(path, "ILIAS"));
      }
      continue;
    }
    if (!is_team(path)) {
      add_person(path, people);
      continue;
    }
    // The files are in the folder of the member who uploaded them.
    std::vector<fs::path> members;
    std::vector<fs::path> with_files;
    for (const fs::path& member : sorted_entries(request, path)) {
      if (!fs::is_directory(member, error) || !parse_ilias_name(member.filename().string())) {
        continue;
      }
      members.push_back(member);
      if (!fs::is_empty(member, error)) with_files.push_back(member);
    }
    for (const fs::path& member : members) {
      add_person(member, people);
      const auto name = parse_ilias_name(member.filename().string());
      Person& person = people[name->id];
      for (const fs::path& other : with_files) {
        if (other != member) person.folders.insert(person.folders.begin(), other);
      }
    }
    listing.notes.push_back(
        fmt::format("{} is a team: graded for each of the {} members that have "
                    "a folder; list others in the course's groups",
                    one_line(path.filename().string()), members.size()));
  }
  listing.students = entries_of(people);
  return listing;
}

}  // namespace warpgrade
