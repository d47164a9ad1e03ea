#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <regex>
#include <set>
#include <system_error>
#include <utility>

#include "grader/core/csv.h"
#include "grader/core/encoding.h"
#include "grader/core/error.h"
#include "grader/core/files.h"
#include "grader/core/instant.h"
#include "grader/core/text.h"
#include "grader/submit/submission/person_file.h"
#include "grader/submit/submission/platforms.h"
#include "grader/submit/submission/uploads.h"

namespace warpgrade {
namespace fs = std::filesystem;
namespace {

constexpr std::uint64_t kMostList = std::uint64_t{16} << 20;

// Headers of the list's columns in Stud.IP's languages and versions, in lower case. Since 4.0 they
// are Name, Größe, Vorname, Nachname, Downloads, Datum, Pfad.
constexpr std::array<std::string_view, 7> kFileColumns = {"path", "pfad",  "filename", "dateiname",
                                                          "file", "datei", "name"};
constexpr std::array<std::string_view, 9> kOwnerColumns = {
    "user", "nutzer", "author", "autor", "autor/in", "owner", "besitzer", "author_name", "autorin"};
constexpr std::array<std::string_view, 4> kFirstNameColumns = {"vorname", "first name", "firstname",
                                                               "first_name"};
constexpr std::array<std::string_view, 6> kLastNameColumns = {
    "nachname", "last name", "lastname", "last_name", "surname", "family name"};
constexpr std::array<std::string_view, 3> kDateColumns = {"datum", "date", "mkdate"};

/// A row of the list.
struct Listed {
  std::string owner;
  std::optional<Instant> at;  // of the upload, without a time zone
};

/// What the list says of files.
struct FileList {
  std::map<std::string, Listed> by_path;  // as in the archive, relative to the list
  /// By the name without number and folders; without an owner for one that several files have.
  std::map<std::string, Listed> by_name;
  std::string note;  // why it could not be read
};

/// The name without the number that Stud.IP puts in front of it: "[3]_vecadd.cu".
std::string without_number(const std::string& name) {
  static const std::regex kNumber(R"(^\[\d+\]_(.+)$)");
  std::smatch m;
  return std::regex_match(name, m, kNumber) ? m[1].str() : name;
}

/// A file whose name was in use in its folder has a number before the ending: "vecadd[2].cu".
struct NumberedName {
  std::string name;
  int number = 0;
};
NumberedName without_copy_number(const std::string& name) {
  static const std::regex kNumber(R"(^(.+)\[(\d{1,4})\](\.[^.]+)?$)");
  std::smatch m;
  if (!std::regex_match(name, m, kNumber)) return {.name = name};
  return {.name = m[1].str() + m[3].str(), .number = std::stoi(m[2])};
}

/// "12.11.2026 21:18"
std::optional<Instant> listed_time(const std::string& text) {
  static const std::regex kPattern(R"((\d\d)\.(\d\d)\.(\d{4}) (\d\d:\d\d))");
  std::smatch m;
  if (!std::regex_match(text, m, kPattern)) return std::nullopt;
  std::string problem;
  return parse_instant(
      fmt::format("{}-{}-{}T{}:00Z", m[3].str(), m[2].str(), m[1].str(), m[4].str()), problem);
}

FileList read_list(const fs::path& path) {
  FileList list;
  const std::string raw = read_file(path, kMostList);
  const std::optional<DecodedText> decoded = decode_text(raw);
  std::string problem = "it is not text";
  std::vector<CsvRow> rows;
  if (decoded) rows = parse_csv(decoded->text, problem, separator_of(decoded->text));
  const auto find = [&](const auto& names) -> std::optional<std::size_t> {
    if (rows.empty()) return std::nullopt;
    for (const std::string_view name : names) {
      for (std::size_t i = 0; i < rows.front().fields.size(); ++i) {
        if (lower(trimmed(rows.front().fields[i])) == name) return i;
      }
    }
    return std::nullopt;
  };
  const std::optional<std::size_t> file = find(kFileColumns);
  const std::optional<std::size_t> owner = find(kOwnerColumns);
  const std::optional<std::size_t> first = find(kFirstNameColumns);
  const std::optional<std::size_t> last = find(kLastNameColumns);
  const std::optional<std::size_t> date = find(kDateColumns);
  if (!file || !(owner || (first && last))) {
    list.note = fmt::format("{}: no columns of files and their owners were found{}", kStudipList,
                            problem.empty() ? "" : ": " + problem);
    return list;
  }
  for (auto row = rows.begin() + 1; row != rows.end(); ++row) {
    const auto field = [&](std::optional<std::size_t> column) {
      return column && *column < row->fields.size() ? std::string(trimmed(row->fields[*column]))
                                                    : "";
    };
    const std::string where = composed_name(replace_all(field(file), "\\", "/"));
    Listed listed{.owner = field(owner), .at = listed_time(field(date))};
    if (listed.owner.empty()) {
      listed.owner = std::string(trimmed(field(first) + " " + field(last)));
    }
    list.by_path[where] = listed;
    const std::string name = without_number(fs::path(where).filename().string());
    const auto [it, fresh] = list.by_name.emplace(name, listed);
    if (!fresh && it->second.owner != listed.owner) it->second.owner.clear();
    if (!fresh) it->second.at.reset();
  }
  return list;
}

/// A file of one student.
struct OwnFile {
  std::string name;  // the student's own, without folders
  int number = 0;  // Stud.IP's, of a file whose name was in use
  std::optional<Instant> at;
  fs::path path;
};

std::vector<fs::path> files_in(const fs::path& folder, const ListRequest& request) {
  std::vector<fs::path> files;
  std::error_code error;
  for (const auto& found : fs::recursive_directory_iterator(folder, error)) {
    const std::string name = found.path().filename().string();
    const auto& skip = request.not_submissions;
    if (found.is_regular_file(error) && name != kStudipList && !name.starts_with('.') &&
        std::find(skip.begin(), skip.end(), name) == skip.end()) {
      files.push_back(found.path());
    }
  }
  std::sort(files.begin(), files.end());
  return files;
}

/// Gives a student the files. Of those with one name in one folder each is an attempt.
void add_files(std::vector<OwnFile> files, const fs::path& folder, Person& person) {
  std::stable_sort(files.begin(), files.end(), [](const OwnFile& a, const OwnFile& b) {
    return std::pair(a.at.value_or(Instant{}), a.number) <
           std::pair(b.at.value_or(Instant{}), b.number);
  });
  std::map<std::string, std::set<fs::path>> folders;  // by name
  std::set<std::string> programs;
  for (const OwnFile& file : files) {
    folders[file.name].insert(file.path.parent_path());
    std::string stem;
    if (is_source_name(file.name) || is_archive(file.name, stem)) programs.insert(file.name);
  }
  std::map<std::string, int> attempts;
  for (const OwnFile& file : files) {
    // Files with one name in folders of several assignments are different ones.
    const fs::path inside = file.path.parent_path().lexically_relative(folder);
    const std::string name = folders[file.name].size() > 1
                                 ? (inside / file.name).lexically_normal().string()
                                 : file.name;
    const int revision = attempts[name]++;
    person.uploads.push_back({.name = name,
                              .raw = file.path.filename().string(),
                              .revision = revision,
                              .path = file.path});
    // The time of one file is not that of another, which may be for another assignment.
    if (file.at && programs.size() == 1 && folders[file.name].size() == 1) {
      person.times[revision] = *file.at;
    }
  }
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
  const FileList list = read_list(*folder / kStudipList);
  if (!list.note.empty()) listing.notes.push_back(list.note);
  static const Roster kNobody;
  const Roster& roster = request.roster == nullptr ? kNobody : *request.roster;
  std::map<std::string, std::vector<OwnFile>> files;  // by owner
  for (const fs::path& path : files_in(*folder, request)) {
    const std::string name = without_number(path.filename().string());
    const std::string where = composed_name(path.lexically_relative(*folder).string());
    Listed listed;
    if (const auto row = list.by_path.find(where); row != list.by_path.end()) {
      listed = row->second;
    } else if (const auto same = list.by_name.find(composed_name(name));
               same != list.by_name.end()) {
      listed = same->second;
    }
    auto [own, number] = without_copy_number(name);
    if (listed.owner.empty()) {
      // In a roster the student is found by a part of the name, or of the folder around it.
      std::vector<const RosterEntry*> found = roster.find_parts(path.stem().string());
      if (found.empty() && path.parent_path() != *folder) {
        found = roster.find_parts(path.parent_path().filename().string());
      }
      if (found.size() == 1) {
        listed.owner = found.front()->student;
        own = name_after_person(own, *found.front());
      }
    } else if (const auto named = roster.find_names(listed.owner); named.size() == 1) {
      own = name_after_person(own, *named.front());
    }
    if (listed.owner.empty()) {
      listing.unclear.push_back(
          {.what = fmt::format("{}: whose is it? Neither {} nor its own name says",
                               one_line(path.filename().string()), kStudipList),
           .say = "put the student's name or login in front of its name"});
      continue;
    }
    files[listed.owner].push_back({.name = own, .number = number, .at = listed.at, .path = path});
  }
  std::map<std::string, Person> people;
  for (auto& [owner, own] : files) {
    Person& person = people[owner];
    person.name = owner;
    person.id = owner;
    add_files(std::move(own), *folder, person);
  }
  listing.students = entries_of(people);
  return listing;
}

}  // namespace warpgrade
