#include "grader/submit/submission/person_file.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <regex>
#include <vector>

#include "grader/core/source_names.h"
#include "grader/core/text.h"

namespace warpgrade {
namespace {

constexpr std::string_view kBetween = " - ";
constexpr std::string_view kSeparators = "_- ";  // of parts of a name that people write

std::vector<std::string> parts_of(std::string_view name) {
  std::vector<std::string> parts;
  for (std::size_t start = 0;;) {
    const std::size_t end = name.find(kBetween, start);
    parts.emplace_back(trimmed(name.substr(start, end - start)));
    if (end == name.npos) return parts;
    start = end + kBetween.size();
  }
}

/// "12345-678", which precedes the name.
bool is_number(std::string_view text) {
  return text.find_first_not_of("0123456789-") == text.npos;
}

/// "Nov 12, 2026 918 PM": without the colon, which file systems refuse.
std::optional<Instant> written_time(const std::string& text) {
  static const std::regex kPattern(
      R"(([A-Z][a-z]{2})[a-z]* (\d{1,2}), (\d{4}) (\d{1,2}):?(\d\d) ?([AP])M)");
  static constexpr std::array<std::string_view, 12> kMonths = {
      "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};
  std::smatch m;
  if (!std::regex_match(text, m, kPattern)) return std::nullopt;
  const auto month = std::find(kMonths.begin(), kMonths.end(), m[1].str());
  if (month == kMonths.end()) return std::nullopt;
  constexpr int kNoon = 12;
  const int hour = std::stoi(m[4]) % kNoon + (m[6] == "P" ? kNoon : 0);
  std::string problem;
  return parse_instant(fmt::format("{}-{:02}-{:02}T{:02}:{}:00Z", m[3].str(),
                                   month - kMonths.begin() + 1, std::stoi(m[2]), hour, m[5].str()),
                       problem);
}

/// Whether this is the student's name or an id, as a whole.
bool is_of(const RosterEntry& entry, const std::string& text) {
  Roster one;
  one.entries = {entry};
  return one.find(text) != nullptr || !one.find_names(text).empty();
}

}  // namespace

std::optional<PersonFile> parse_person_file(std::string_view name) {
  const std::vector<std::string> parts = parts_of(name);
  const bool is_numbered = parts.size() == 4 && is_number(parts.front());
  if (parts.size() != 2 && !is_numbered) return std::nullopt;
  const std::string& person = parts[is_numbered ? 1 : 0];
  if (person.empty() || parts.back().empty() || is_number(person)) return std::nullopt;
  return PersonFile{.person = person,
                    .file = parts.back(),
                    .at = is_numbered ? written_time(parts[2]) : std::nullopt};
}

std::optional<PersonFile> parse_person_folder(std::string_view name) {
  const std::vector<std::string> parts = parts_of(name);
  if (parts.size() != 3 || !is_number(parts[0]) || parts[1].empty()) return std::nullopt;
  const std::optional<Instant> at = written_time(parts[2]);
  if (!at) return std::nullopt;
  return PersonFile{.person = parts[1], .file = "", .at = at};
}

std::string name_after_person(const std::string& name, const RosterEntry& entry) {
  std::string rest = name;
  for (std::size_t at = name.find_first_of(kSeparators); at != std::string::npos;
       at = name.find_first_of(kSeparators, at + 1)) {
    if (at + 1 < name.size() && is_of(entry, name.substr(0, at))) rest = name.substr(at + 1);
  }
  return rest;
}

std::optional<PersonFile> person_file_in(const Roster& roster, const std::string& name) {
  const std::string_view known = program_ending(name);
  const std::string ending =
      known.empty() ? std::filesystem::path(name).extension().string() : std::string(known);
  const std::string stem = name.substr(0, name.size() - ending.size());
  const std::vector<const RosterEntry*> found = roster.find_parts(stem);
  if (found.size() != 1) return std::nullopt;
  const RosterEntry& entry = *found.front();
  const std::string after = name_after_person(name, entry);
  PersonFile file{.person = entry.student, .file = after, .at = std::nullopt};
  if (after != name || is_of(entry, stem)) return file;
  for (std::size_t at = stem.find_first_of(kSeparators); at != std::string::npos;
       at = stem.find_first_of(kSeparators, at + 1)) {
    if (at == 0 || !is_of(entry, stem.substr(at + 1))) continue;
    file.file = stem.substr(0, at) + ending;
    return file;
  }
  return std::nullopt;
}

}  // namespace warpgrade
