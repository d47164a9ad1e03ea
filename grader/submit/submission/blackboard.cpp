#include <fmt/core.h>

#include <algorithm>
#include <map>
#include <regex>
#include <set>
#include <system_error>

#include "grader/core/error.h"
#include "grader/core/files.h"
#include "grader/core/text.h"
#include "grader/submit/submission/platforms.h"
#include "grader/submit/submission/uploads.h"

namespace warpgrade {
namespace fs = std::filesystem;
namespace {

constexpr std::uint64_t kMostText = std::uint64_t{1} << 20;  // of the text about an attempt

struct NamedPerson {
  std::string name;  // "Jane Doe"
  std::string login;  // "jdoe"
};

/// "Name: Jane Doe (jdoe)" of the text that Blackboard writes about an attempt.
std::optional<NamedPerson> person_in(const fs::path& text_file) {
  static const std::regex kName(R"(^[A-Za-z]+: *(.+) \(([^()]+)\)\s*$)");
  try {
    const std::string text = read_file(text_file, kMostText);
    for (const std::string_view line : split_lines(text)) {
      std::smatch m;
      const std::string first(line);
      if (std::regex_match(first, m, kName)) return NamedPerson{.name = m[1], .login = m[2]};
      if (!trimmed(line).empty()) return std::nullopt;  // it is the first line
    }
  } catch (const UsageError&) {
    // Without it, the login is in the file's name.
  }
  return std::nullopt;
}

std::optional<Instant> local_time(const std::string& text) {
  std::string iso = text.substr(0, 10) + "T" + text.substr(11) + "Z";
  std::replace(iso.begin() + 11, iso.end(), '-', ':');
  std::string problem;
  return parse_instant(iso, problem);
}

/// One file of the download.
struct Found {
  BlackboardName name;
  fs::path path;
};

/// Whose attempts these are, by what is in front of "_attempt_".
std::map<std::string, NamedPerson> people_of(const std::vector<Found>& files) {
  std::map<std::string, NamedPerson> people;
  std::set<std::string> all;
  for (const Found& found : files) {
    all.insert(found.name.before);
    if (!found.name.file.empty()) continue;
    const auto person = person_in(found.path);
    const bool fits = person && (found.name.before == person->login ||
                                 found.name.before.ends_with("_" + person->login));
    if (fits) people[found.name.before] = *person;
  }
  // The assignment's name is the same for all.
  std::string assignment;
  for (const auto& [before, person] : people) {
    assignment = before.substr(0, before.size() - person.login.size());
  }
  for (const std::string& before : all) {
    if (people.contains(before)) continue;
    const bool known = !assignment.empty() && before.starts_with(assignment);
    people[before] = {
        .name = "",
        .login = known ? before.substr(assignment.size()) : before.substr(before.rfind('_') + 1)};
  }
  return people;
}

}  // namespace

std::optional<BlackboardName> parse_blackboard_name(std::string_view name) {
  static const std::regex kPattern(R"((.+)_attempt_(\d{4}(?:-\d\d){5})(?:_(.+)|\.txt))");
  const std::string text(name);
  std::smatch m;
  if (!std::regex_match(text, m, kPattern)) return std::nullopt;
  return BlackboardName{.before = m[1], .time = m[2], .file = m[3]};
}

std::optional<fs::path> blackboard_folder(const ListRequest& request) {
  std::vector<fs::path> found = sorted_entries(request);
  fs::path folder = request.folder;
  std::error_code error;
  if (found.size() == 1 && fs::is_directory(found[0], error)) {
    folder = found[0];
    found = sorted_entries(request, folder);
  }
  const auto named = std::count_if(found.begin(), found.end(), [](const fs::path& path) {
    return parse_blackboard_name(path.filename().string()).has_value();
  });
  return static_cast<std::size_t>(named) * 2 > found.size() ? std::optional(folder) : std::nullopt;
}

ClassListing list_blackboard(const ListRequest& request) {
  ClassListing listing;
  std::vector<Found> files;
  for (const fs::path& path :
       sorted_entries(request, blackboard_folder(request).value_or(request.folder))) {
    const auto name = parse_blackboard_name(path.filename().string());
    if (name) {
      files.push_back({.name = *name, .path = path});
      continue;
    }
    listing.notes.push_back(ignored(path, "its name does not follow Blackboard's pattern"));
    listing.unclear.push_back(not_of_platform(path, "Blackboard"));
  }
  const std::map<std::string, NamedPerson> names = people_of(files);
  std::map<std::string, std::set<std::string>> times;  // by login
  for (const Found& found : files) times[names.at(found.name.before).login].insert(found.name.time);
  std::map<std::string, Person> people;
  for (const Found& found : files) {
    const NamedPerson& named = names.at(found.name.before);
    const std::set<std::string>& attempts = times[named.login];
    const int revision =
        static_cast<int>(std::distance(attempts.begin(), attempts.find(found.name.time)));
    Person& person = people[named.login];
    person.id = named.login;
    person.keeps_files = false;
    if (!named.name.empty()) person.name = named.name;
    if (person.name.empty()) person.name = named.login;
    if (const auto at = local_time(found.name.time)) person.times[revision] = *at;
    if (found.name.file.empty()) continue;
    person.uploads.push_back({.name = found.name.file,
                              .raw = found.path.filename().string(),
                              .revision = revision,
                              .path = found.path});
  }
  listing.students = entries_of(people);
  return listing;
}

}  // namespace warpgrade
