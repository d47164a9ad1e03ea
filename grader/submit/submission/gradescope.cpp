#include "grader/submit/submission/gradescope.h"

#include <fmt/core.h>

#include "grader/core/text.h"

namespace warpgrade {
namespace {

/// A line such as "  - :name: Jane Doe".
struct Line {
  std::size_t indent = 0;  // of the key
  bool starts_item = false;  // after "- "
  std::string key;  // without Ruby's leading colon
  std::string value;
};

/// A plain, 'single' or "double" quoted value; anchors (&1) are ignored.
std::string value_of(std::string_view text) {
  text = trimmed(text);
  if (text.starts_with('&')) {
    const std::size_t space = text.find(' ');
    text = space == std::string_view::npos ? std::string_view() : trimmed(text.substr(space));
  }
  const char quote = text.empty() ? ' ' : text.front();
  if ((quote != '\'' && quote != '"') || text.size() < 2 || text.back() != quote) {
    return std::string(text);
  }
  const std::string inner(text.substr(1, text.size() - 2));
  return quote == '\'' ? replace_all(inner, "''", "'")
                       : replace_all(replace_all(inner, "\\\"", "\""), "\\\\", "\\");
}

std::optional<Line> line_of(std::string_view text) {
  Line line;
  line.indent = text.find_first_not_of(' ');
  if (line.indent == std::string_view::npos) return std::nullopt;
  text.remove_prefix(line.indent);
  if (text.starts_with("- ")) {
    line.starts_item = true;
    line.indent += 2;
    text.remove_prefix(2);
  }
  if (text.starts_with(':')) text.remove_prefix(1);
  // A key may be quoted; a colon followed by a space or the end of the line ends it.
  std::size_t end = text.find(": ");
  if (end == std::string_view::npos && text.ends_with(':')) end = text.size() - 1;
  if (end == std::string_view::npos || end == 0) return std::nullopt;
  line.key = value_of(text.substr(0, end));
  line.value = value_of(text.substr(end + 1));
  return line;
}

/// "2020-10-12 21:18:14.402446000 Z", which is ISO 8601 except for the space before the zone.
std::optional<Instant> created_at(std::string text) {
  if (const std::size_t space = text.rfind(' '); space != std::string::npos && space > 12) {
    text.erase(space, 1);
  }
  std::string problem;
  return parse_instant(text, problem);
}

}  // namespace

std::vector<GradescopeEntry> parse_gradescope_metadata(std::string_view text,
                                                       std::string& problem) {
  std::vector<GradescopeEntry> entries;
  problem.clear();
  std::size_t number = 0;
  bool in_submitters = false;
  for (const std::string_view raw : split_lines(text)) {
    ++number;
    if (raw.empty() || raw.starts_with("---") || raw.starts_with('#')) continue;
    const std::optional<Line> line = line_of(raw);
    if (raw.front() != ' ' && raw.front() != '-') {  // the name of a folder
      if (!line || !line->value.empty()) {
        problem = fmt::format("line {} is not the name of a submission: {}", number,
                              one_line(raw).substr(0, 80));
        return entries;
      }
      entries.push_back({.folder = line->key, .submitters = {}, .created = std::nullopt});
      in_submitters = false;
      continue;
    }
    if (!line || entries.empty()) continue;  // text that a test printed, over several lines
    GradescopeEntry& entry = entries.back();
    if (line->indent == 2 && !line->starts_item) {
      in_submitters = line->key == "submitters";
      if (line->key == "created_at") entry.created = created_at(line->value);
    } else if (in_submitters) {
      if (line->starts_item) entry.submitters.emplace_back();
      if (entry.submitters.empty()) continue;
      GradescopePerson& person = entry.submitters.back();
      if (line->key == "name") person.name = line->value;
      if (line->key == "sid") person.sid = line->value;
      if (line->key == "email") person.email = line->value;
    }
  }
  if (entries.empty()) problem = "it names no submission";
  return entries;
}

}  // namespace warpgrade
