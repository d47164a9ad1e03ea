#include "grader/submit/course/roster.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <map>
#include <mutex>
#include <set>
#include <stdexcept>
#include <unordered_map>
#include <utility>

#include "grader/core/encoding.h"
#include "grader/core/text.h"
#include "grader/submit/course/student_name.h"
#include "grader/submit/course/table_file.h"

namespace warpgrade {
namespace {

/// A text column and its field: to add an id, add a line here.
struct TextColumn {
  const char* name;
  std::string RosterEntry::*field;
  bool is_id;  // identifies a student; work may be submitted under it
};

constexpr std::array kTexts = {
    TextColumn{"student", &RosterEntry::student, true},
    TextColumn{"name", &RosterEntry::name, false},
    TextColumn{"canvas_id", &RosterEntry::canvas_id, true},
    TextColumn{"sis_id", &RosterEntry::sis_id, true},
    TextColumn{"sis_login", &RosterEntry::sis_login, true},
    TextColumn{"section", &RosterEntry::section, false},
    TextColumn{"moodle_id", &RosterEntry::moodle_id, true},
    TextColumn{"moodle_username", &RosterEntry::moodle_username, true},
    TextColumn{"email", &RosterEntry::email, true},
};

std::vector<std::string> column_names() {
  std::vector<std::string> names;
  for (const TextColumn& column : kTexts) {
    names.emplace_back(column.name);
  }
  names.insert(names.end(), {"aliases", "extra_days", "time_factor"});
  return names;
}

double number_of(const TableFile& file, const TableFile::Row& row, const char* column,
                 double fallback, double least) {
  const std::string& text = row.at(column);
  if (text.empty()) {
    return fallback;
  }
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  // Written so that NaN fails. The upper limit, 1000 years, catches typing errors.
  if (error != std::errc() || end != text.data() + text.size() ||
      !(value >= least && value <= 1e4)) {
    file.fail(row.line, fmt::format("{} is '{}'; it must be a number from {} to 10000", column,
                                    printable(text), least));
  }
  return value;
}

std::vector<std::string> split_aliases(std::string_view text) {
  std::vector<std::string> aliases;
  while (!text.empty()) {
    const std::size_t end = text.find(';');
    std::string_view part = text.substr(0, end);
    while (part.starts_with(' ')) part.remove_prefix(1);
    while (part.ends_with(' ')) part.remove_suffix(1);
    if (!part.empty()) {
      aliases.emplace_back(part);
    }
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  }
  return aliases;
}

/// Rejects duplicates within one kind of id: Canvas's 17 and Moodle's 17 may be two students.
void refuse_twins(const TableFile& file, const std::vector<RosterEntry>& entries) {
  std::map<std::string, std::size_t> students;
  for (std::size_t i = 0; i < entries.size(); ++i) {
    std::vector<std::string> names = entries[i].aliases;
    names.push_back(entries[i].student);
    for (const std::string& name : names) {
      const auto [it, fresh] = students.emplace(name, i);
      if (!fresh && it->second != i) {
        file.fail(file.rows()[i].line,
                  fmt::format("'{}' is also in line {}; a name or alias belongs to one student",
                              printable(name), file.rows()[it->second].line));
      }
    }
  }
  for (const TextColumn& column : kTexts) {
    std::map<std::string, std::size_t> seen;
    for (std::size_t i = 0; i < entries.size() && column.is_id; ++i) {
      const std::string& id = entries[i].*column.field;
      const auto [it, fresh] = seen.emplace(id, i);
      if (!id.empty() && !fresh) {
        file.fail(file.rows()[i].line,
                  fmt::format("{} '{}' is also in line {}; correct one of them", column.name,
                              printable(id), file.rows()[it->second].line));
      }
    }
  }
}

/// The words of a name, as folded_name() compares them. The part before a comma is the family name,
/// and is moved to the end.
std::vector<std::string> words_of(std::string_view name) {
  std::vector<std::string> family;
  std::vector<std::string> words;
  std::string word;
  const auto end_word = [&] {
    if (!word.empty()) words.push_back(std::move(word));
    word.clear();
  };
  for (const char c : folded_name(name)) {
    if (c == ' ' || c == '\t' || c == '_') {
      end_word();
    } else if (c == ',' && family.empty()) {
      end_word();
      family = std::exchange(words, {});
    } else {
      word += c;
    }
  }
  end_word();
  words.insert(words.end(), family.begin(), family.end());
  return words;
}

std::string joined(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += word;
  return text;
}

/// Whether two names are equal, with the family name first or last; a single word also equals the
/// other's words without spaces.
bool same_name(const std::vector<std::string>& a, std::vector<std::string> b) {
  for (std::size_t i = 0; i < b.size(); ++i) {
    if (a == b || (a.size() == 1 && b.size() > 1 && a.front() == joined(b))) return true;
    std::rotate(b.begin(), b.begin() + 1, b.end());
  }
  return false;
}

/// A name, prepared for comparison with many others.
struct NameKey {
  std::vector<std::string> words;
  std::string sorted;  // the words in order of the alphabet, in one text
  std::size_t length = 0;  // of all words
};

NameKey name_key(std::string_view name) {
  NameKey key;
  key.words = words_of(name);
  std::vector<std::string> sorted = key.words;
  std::sort(sorted.begin(), sorted.end());
  for (const std::string& word : sorted) key.sorted += word + ' ';
  key.length = joined(key.words).size();
  return key;
}

/// The same for a name of a roster: in a large class each is compared with thousands of others.
const NameKey& kept_key(const std::string& name) {
  static std::mutex mutex;
  static std::unordered_map<std::string, NameKey> kept;
  const std::lock_guard lock(mutex);
  const auto found = kept.find(name);
  return found != kept.end() ? found->second : kept.emplace(name, name_key(name)).first->second;
}

/// Rules out nearly all pairs for which same_name() is false.
bool may_be_same(const NameKey& a, const NameKey& b) {
  return a.sorted == b.sorted || (a.words.size() == 1 && a.length == b.length);
}

bool is_ascii(std::string_view text) {
  return std::all_of(text.begin(), text.end(),
                     [](char c) { return static_cast<unsigned char>(c) < 0x80; });
}

char lower_letter(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

/// Whether texts differ in the case of ASCII's letters only.
bool same_letters(std::string_view a, std::string_view b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](char x, char y) { return lower_letter(x) == lower_letter(y); });
}

/// Whether the entry has this alias or id.
template <class Equal>
bool has_key(const RosterEntry& entry, const Equal& equal) {
  if (std::any_of(entry.aliases.begin(), entry.aliases.end(), equal)) return true;
  return std::any_of(kTexts.begin(), kTexts.end(), [&](const TextColumn& column) {
    return column.is_id && !(entry.*column.field).empty() && equal(entry.*column.field);
  });
}

}  // namespace

std::vector<std::string> id_columns() {
  std::vector<std::string> names;
  for (const TextColumn& column : kTexts) {
    if (column.is_id) names.emplace_back(column.name);
  }
  return names;
}

const std::string& id_in(const RosterEntry& entry, std::string_view column) {
  const auto* it = std::find_if(kTexts.begin(), kTexts.end(), [&](const TextColumn& one) {
    return one.is_id && one.name == column;
  });
  if (it == kTexts.end()) throw std::invalid_argument("not an id of the roster");
  return entry.*it->field;
}

const RosterEntry* Roster::find(std::string_view key) const {
  // Names first: another student's id must not shadow one.
  for (const RosterEntry& entry : entries) {
    if (entry.student == key) {
      return &entry;
    }
  }
  for (const RosterEntry& entry : entries) {
    if (has_key(entry, [&](const std::string& known) { return known == key; })) return &entry;
  }
  // Logins and e-mail addresses are written in any case.
  const RosterEntry* other_case = nullptr;
  bool is_only = true;
  for (const RosterEntry& entry : entries) {
    if (!has_key(entry, [&](const std::string& known) { return same_letters(known, key); })) {
      continue;
    }
    is_only = other_case == nullptr;
    other_case = &entry;
  }
  if (other_case != nullptr && is_only) return other_case;
  // A file system may have decomposed the letters of a folder's name.
  if (is_ascii(key)) return nullptr;
  const std::string composed = composed_name(key);
  for (const RosterEntry& entry : entries) {
    const auto same = [&](const std::string& known) {
      return !is_ascii(known) && composed_name(known) == composed;
    };
    if (has_key(entry, same)) return &entry;
  }
  return nullptr;
}

std::vector<const RosterEntry*> Roster::find_names(std::string_view name) const {
  const NameKey key = name_key(name);
  std::vector<const RosterEntry*> found;
  if (key.words.empty()) return found;
  for (const RosterEntry& entry : entries) {
    if (entry.name.empty()) continue;
    const NameKey& other = kept_key(entry.name);
    if (may_be_same(key, other) && same_name(key.words, other.words)) found.push_back(&entry);
  }
  return found;
}

std::vector<const RosterEntry*> Roster::find_parts(std::string_view folder) const {
  std::vector<const RosterEntry*> found = find_parts(folder, false);
  return found.empty() ? find_parts(folder, true) : found;
}

std::vector<const RosterEntry*> Roster::find_parts(std::string_view folder, bool any_case) const {
  constexpr std::size_t kLeast = 3;  // letters of an id
  constexpr std::size_t kMostParts = 6;  // of a name
  constexpr std::string_view kBetween = "_- ,()[]";
  const std::string text = composed_name(folder);
  struct Place {
    std::size_t begin, end;
  };
  std::vector<Place> parts;
  for (std::size_t at = text.find_first_not_of(kBetween); at != text.npos;) {
    const std::size_t end = std::min(text.find_first_of(kBetween, at), text.size());
    parts.push_back({at, end});
    at = text.find_first_not_of(kBetween, end);
  }
  // All that may be an id or a name, by what it is compared with.
  std::unordered_map<std::string, std::vector<Place>> ids;
  std::unordered_map<std::string, std::vector<Place>> names;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    for (std::size_t k = i; k < parts.size() && k < i + kMostParts; ++k) {
      const Place place = {parts[i].begin, parts[k].end};
      const std::string part = text.substr(place.begin, place.end - place.begin);
      if (k > i) {
        names[name_key(part).sorted].push_back(place);
        names[name_key(replace_all(part, "-", " ")).sorted].push_back(place);
      }
      if (part.size() >= kLeast) ids[any_case ? lower(part) : part].push_back(place);
    }
  }
  std::vector<std::pair<const RosterEntry*, Place>> found;
  for (const RosterEntry& entry : entries) {
    const auto take = [&](const auto& known, const std::string& key) {
      const auto places = known.find(key);
      if (places == known.end()) return;
      for (const Place& place : places->second) found.emplace_back(&entry, place);
    };
    const auto take_id = [&](const std::string& key) {
      const std::string id = is_ascii(key) ? key : composed_name(key);
      take(ids, any_case ? lower(id) : id);
      return false;
    };
    take_id(entry.student);
    (void)has_key(entry, take_id);
    if (!entry.name.empty()) take(names, kept_key(entry.name).sorted);
  }
  // "u_1001" is not the one whose id is 1001.
  std::set<const RosterEntry*> entries_found;
  for (const auto& [entry, place] : found) {
    const bool is_part =
        std::any_of(found.begin(), found.end(), [&, at = place](const auto& other) {
          return other.second.begin <= at.begin && other.second.end >= at.end &&
                 other.second.end - other.second.begin > at.end - at.begin;
        });
    if (!is_part) entries_found.insert(entry);
  }
  return {entries_found.begin(), entries_found.end()};
}

Roster parse_roster(std::string_view text, const std::string& shown) {
  const TableFile file(text, shown, column_names(), 1);
  Roster roster;
  for (const TableFile::Row& row : file.rows()) {
    RosterEntry entry;
    for (const TextColumn& column : kTexts) {
      entry.*column.field = row.at(column.name);
    }
    if (const std::string why = student_name_problem(entry.student); !why.empty()) {
      file.fail(row.line, fmt::format("student '{}' {}; give the name of the student's folder",
                                      printable(entry.student), why));
    }
    entry.aliases = split_aliases(row.at("aliases"));
    entry.extra_days = number_of(file, row, "extra_days", 0, 0);
    entry.time_factor = number_of(file, row, "time_factor", 1, 1);
    roster.entries.push_back(std::move(entry));
  }
  refuse_twins(file, roster.entries);
  return roster;
}

Roster read_roster(const std::filesystem::path& file, const std::string& shown) {
  return parse_roster(read_course_file(file, shown), shown);
}

}  // namespace warpgrade
