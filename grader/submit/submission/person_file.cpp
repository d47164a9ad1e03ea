#include "grader/submit/submission/person_file.h"

#include <vector>

#include "grader/core/text.h"

namespace warpgrade {
namespace {

constexpr std::string_view kBetween = " - ";

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

}  // namespace

std::optional<PersonFile> parse_person_file(std::string_view name) {
  const std::vector<std::string> parts = parts_of(name);
  const bool is_numbered = parts.size() == 4 && is_number(parts.front());
  if (parts.size() != 2 && !is_numbered) return std::nullopt;
  const std::string& person = parts[is_numbered ? 1 : 0];
  if (person.empty() || parts.back().empty() || is_number(person)) return std::nullopt;
  return PersonFile{.person = person, .file = parts.back()};
}

}  // namespace warpgrade
