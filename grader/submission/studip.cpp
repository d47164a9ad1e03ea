#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <regex>
#include <system_error>

#include "grader/core/csv.h"
#include "grader/core/encoding.h"
#include "grader/core/error.h"
#include "grader/core/files.h"
#include "grader/core/text.h"
#include "grader/submission/platforms.h"
#include "grader/submission/uploads.h"

namespace warpgrade {
namespace fs = std::filesystem;
namespace {

constexpr std::uint64_t kMostList = std::uint64_t{16} << 20;

// Headers of the list's columns in Stud.IP's languages and versions, in lower case.
constexpr std::array<std::string_view, 7> kFileColumns = {"path", "pfad",  "filename", "dateiname",
                                                          "file", "datei", "name"};
constexpr std::array<std::string_view, 9> kOwnerColumns = {
    "user", "nutzer", "author", "autor", "autor/in", "owner", "besitzer", "author_name", "autorin"};

/// The name without the number that Stud.IP puts in front of it: "[3]_vecadd.cu".
std::string without_number(const std::string& name) {
  static const std::regex kNumber(R"(^\[\d+\]_(.+)$)");
  std::smatch m;
  return std::regex_match(name, m, kNumber) ? m[1].str() : name;
}

/// The owners in the list, by the file's name without number and folders; empty for one that
/// several files have.
std::map<std::string, std::string> owners_in(const fs::path& list, std::string& note) {
  std::map<std::string, std::string> owners;
  const std::string raw = read_file(list, kMostList);
  const std::optional<DecodedText> decoded = decode_text(raw);
  std::string problem = "it is not text";
  std::vector<CsvRow> rows;
  if (decoded) rows = parse_csv(decoded->text, problem, separator_of(decoded->text));
  std::optional<std::size_t> file;
  std::optional<std::size_t> owner;
  const auto find = [&](const auto& names) -> std::optional<std::size_t> {
    for (const std::string_view name : names) {
      for (std::size_t i = 0; i < rows.front().fields.size(); ++i) {
        if (lower(trimmed(rows.front().fields[i])) == name) return i;
      }
    }
    return std::nullopt;
  };
  if (!rows.empty()) {
    file = find(kFileColumns);
    owner = find(kOwnerColumns);
  }
  if (!file || !owner) {
    note = fmt::format("{}: no columns of files and their owners were found{}", kStudipList,
                       problem.empty() ? "" : ": " + problem);
    return owners;
  }
  for (auto row = rows.begin() + 1; row != rows.end(); ++row) {
    if (row->fields.size() <= std::max(*file, *owner)) continue;
    const std::string name =
        without_number(fs::path(replace_all(row->fields[*file], "\\", "/")).filename().string());
    const std::string who(trimmed(row->fields[*owner]));
    const auto [it, fresh] = owners.emplace(name, who);
    if (!fresh && it->second != who) it->second.clear();
  }
  return owners;
}

/// The student's own name for a file that has the student's name in front: "Doe_Jane_vecadd.cu".
std::string own_name(const std::string& name, const RosterEntry& entry) {
  std::string rest = name;
  Roster one;
  one.entries = {entry};
  for (std::size_t at = name.find_first_of("_- "); at != std::string::npos;
       at = name.find_first_of("_- ", at + 1)) {
    const std::string front = name.substr(0, at);
    const bool is_name = !one.find_names(front).empty() || one.find(front) != nullptr;
    if (is_name && at + 1 < name.size()) rest = name.substr(at + 1);
  }
  return rest;
}

}  // namespace

std::optional<fs::path> studip_folder(const ListRequest& request) {
  std::error_code error;
  if (fs::is_regular_file(request.folder / kStudipList, error)) return request.folder;
  const std::vector<fs::path> found = sorted_entries(request);
  const bool inside = found.size() == 1 && fs::is_regular_file(found[0] / kStudipList, error);
  return inside ? std::optional(found[0]) : std::nullopt;
}

ClassListing list_studip(const ListRequest& request) {
  const std::optional<fs::path> folder = studip_folder(request);
  if (!folder) {
    throw UsageError(
        fmt::format("{} contains no {}, which is in Stud.IP's downloads; "
                    "--layout folders reads <student>/<lab>.cu",
                    request.folder.string(), kStudipList));
  }
  ClassListing listing;
  std::string note;
  const std::map<std::string, std::string> owners = owners_in(*folder / kStudipList, note);
  if (!note.empty()) listing.notes.push_back(note);
  std::vector<fs::path> files;
  std::error_code error;
  for (const auto& found : fs::recursive_directory_iterator(*folder, error)) {
    const std::string name = found.path().filename().string();
    const auto& skip = request.not_submissions;
    if (found.is_regular_file(error) && name != kStudipList && !name.starts_with('.') &&
        std::find(skip.begin(), skip.end(), name) == skip.end()) {
      files.push_back(found.path());
    }
  }
  std::sort(files.begin(), files.end());
  static const Roster kNobody;
  const Roster& roster = request.roster == nullptr ? kNobody : *request.roster;
  std::map<std::string, Person> people;
  for (const fs::path& path : files) {
    const std::string name = without_number(path.filename().string());
    const auto listed = owners.find(name);
    std::string owner = listed == owners.end() ? "" : listed->second;
    std::string own = name;
    if (owner.empty()) {
      // In a roster the student is found by a part of the name, or of the folder around it.
      std::vector<const RosterEntry*> found = roster.find_parts(path.stem().string());
      if (found.empty() && path.parent_path() != *folder) {
        found = roster.find_parts(path.parent_path().filename().string());
      }
      if (found.size() == 1) {
        owner = found.front()->student;
        own = own_name(name, *found.front());
      }
    } else if (const auto named = roster.find_names(owner); named.size() == 1) {
      own = own_name(name, *named.front());
    }
    if (owner.empty()) {
      listing.unclear.push_back(
          {.what = fmt::format("{}: whose is it? Neither {} nor its own name says",
                               one_line(path.filename().string()), kStudipList),
           .say = "put the student's name or login in front of its name"});
      continue;
    }
    Person& person = people[owner];
    person.name = owner;
    person.id = owner;
    person.uploads.push_back(
        {.name = own, .raw = path.filename().string(), .revision = 0, .path = path});
  }
  listing.students = entries_of(people);
  return listing;
}

}  // namespace warpgrade
