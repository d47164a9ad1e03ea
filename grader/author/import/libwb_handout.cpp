#include "grader/author/import/libwb_handout.h"

#include <fmt/core.h>

#include <algorithm>
#include <optional>
#include <string_view>
#include <system_error>

#include "grader/core/text.h"

namespace warpgrade {
namespace fs = std::filesystem;
namespace {

constexpr std::string_view kMark = "---";

bool is_space(char c) {
  return c == ' ' || (c >= '\t' && c <= '\r');
}

/// The value of a line "title: CUDA Vector Add", without quotes.
std::optional<std::string> title_in(std::string_view line) {
  constexpr std::string_view kKey = "title:";
  if (!line.starts_with(kKey)) return std::nullopt;
  std::string_view value = trimmed(line.substr(kKey.size()), " \t\r");
  if (value.size() >= 2 && value.front() == value.back() &&
      (value.front() == '"' || value.front() == '\'')) {
    value = value.substr(1, value.size() - 2);
  }
  return in_one_line(value);
}

/// What follows the front matter, which lies between two lines "---".
std::string_view without_front_matter(std::string_view text, std::string& title) {
  const std::vector<std::string_view> lines = split_lines(text);
  if (lines.empty() || trimmed(lines.front(), " \t\r") != kMark) return text;
  std::string found;
  for (std::size_t i = 1; i < lines.size(); ++i) {
    const std::string_view line = trimmed(lines[i], " \t\r");
    if (line == kMark || line == "...") {
      title = found;
      const auto end = static_cast<std::size_t>(lines[i].data() - text.data()) + lines[i].size();
      const std::size_t next = text.find_first_not_of("\r\n", end);
      return next == std::string_view::npos ? std::string_view() : text.substr(next);
    }
    if (const auto own = title_in(line)) found = *own;
  }
  return text;  // it does not end
}

/// A file of the kit, not one outside of it.
bool is_in_kit(const fs::path& target, const fs::path& kit) {
  std::error_code error;
  const bool leaves =
      target.is_absolute() ||
      std::any_of(target.begin(), target.end(), [](const fs::path& part) { return part == ".."; });
  return !target.empty() && !leaves && fs::is_regular_file(kit / target, error);
}

/// Whether a place is in a block or a span of code, where brackets are not a link.
bool is_code(std::string_view text, std::size_t place) {
  const std::string_view before = text.substr(0, place);
  bool in_block = false;
  std::string_view last;
  for (const std::string_view line : split_lines(before)) {
    if (line.starts_with("```") || line.starts_with("~~~")) in_block = !in_block;
    last = line;
  }
  return in_block || std::count(last.begin(), last.end(), '`') % 2 == 1;
}

}  // namespace

std::string in_one_line(std::string_view text) {
  std::string words;
  for (const char c : text) {
    if (!is_space(c)) {
      words += c;
    } else if (!words.empty() && words.back() != ' ') {
      words += ' ';
    }
  }
  if (!words.empty() && words.back() == ' ') words.pop_back();
  return printable(words);
}

LibwbHandout handout_of(const std::string& description, const fs::path& kit) {
  LibwbHandout handout;
  const std::string_view text = without_front_matter(description, handout.title);
  std::string_view rest = text;
  while (!rest.empty()) {
    const std::size_t middle = rest.find("](");
    const std::size_t open = middle == std::string_view::npos ? middle : rest.rfind('[', middle);
    const std::size_t close = middle == std::string_view::npos ? middle : rest.find(')', middle);
    const bool is_link = open != std::string_view::npos && close != std::string_view::npos &&
                         !is_code(text, text.size() - rest.size() + middle);
    if (!is_link) {
      // The rest has no link, or brackets that are none.
      const std::size_t end = middle == std::string_view::npos ? rest.size() : middle + 2;
      handout.text += rest.substr(0, end);
      rest.remove_prefix(end);
      continue;
    }
    const std::string_view words = rest.substr(open + 1, middle - open - 1);
    const std::string_view whole = rest.substr(middle + 2, close - middle - 2);
    const fs::path target(whole.substr(0, whole.find_first_of("# \t\n")));
    const bool elsewhere = whole.starts_with('#') || whole.find(':') != std::string_view::npos;
    if (elsewhere || is_in_kit(target, kit)) {
      if (!elsewhere) handout.linked.push_back(target);
      handout.text += rest.substr(0, close + 1);
    } else {
      const bool is_picture = open > 0 && rest[open - 1] == '!';
      handout.text += rest.substr(0, is_picture ? open - 1 : open);
      handout.text += words;
      handout.decisions.push_back(
          fmt::format("README.md: \"{}\" was a link to {}, which the folder does not have; now it "
                      "is words only, so say where students find it",
                      in_one_line(words), in_one_line(whole)));
    }
    rest.remove_prefix(close + 1);
  }
  return handout;
}

}  // namespace warpgrade
