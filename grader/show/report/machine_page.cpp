#include "grader/show/report/machine_page.h"

#include <regex>
#include <vector>

#include "grader/core/text.h"

namespace warpgrade {
namespace {

/// Lower case and singular: "sectors per request" and "Sectors per request" are the same.
std::string plain(std::string_view word) {
  std::string result = lower(word);
  if (result.size() > 3 && result.ends_with('s') && !result.ends_with("ss")) result.pop_back();
  return result;
}

std::vector<std::string> sections_of(std::string_view page) {
  std::vector<std::string> sections;
  for (const std::string_view line : split_lines(page)) {
    if (line.starts_with("## ")) sections.emplace_back();
    if (!sections.empty()) sections.back() += std::string(line) + "\n";
  }
  return sections;
}

/// Whether the expression's first group, somewhere in the text, is or contains the word.
bool names(const std::string& text, const std::regex& expression, const std::string& word) {
  for (std::sregex_iterator match(text.begin(), text.end(), expression), end; match != end;
       ++match) {
    if (plain(match->str(1)) == word) return true;
  }
  return false;
}

}  // namespace

std::string machine_section(std::string_view page, std::string_view word) {
  static const std::regex kBold(R"(\*\*([^*]+)\*\*)");
  static const std::regex kRow(R"((?:\n\||, )\s*([^|,\n]+?)\s*(?=[|,][^\n]*\|\n(?!\|-)))");
  static const std::regex kHeadingWord(R"((\w+))");
  const std::string wanted = plain(word);
  if (wanted.empty()) return {};
  const std::vector<std::string> sections = sections_of(page);
  for (const std::regex* expression : {&kBold, &kRow}) {
    for (const std::string& section : sections) {
      if (names(section, *expression, wanted)) return section;
    }
  }
  for (const std::string& section : sections) {
    if (names(section.substr(0, section.find('\n')), kHeadingWord, wanted)) return section;
  }
  return {};
}

}  // namespace warpgrade
