#include "emulator/recording/page.h"

#include <initializer_list>
#include <string_view>
#include <utility>

#include "emulator/recording/base64.h"

namespace warpsim::recording {
namespace {

std::string escaped(std::string_view text) {
  std::string to;
  for (const char c : text) {
    switch (c) {
      case '&':
        to += "&amp;";
        break;
      case '<':
        to += "&lt;";
        break;
      case '>':
        to += "&gt;";
        break;
      case '"':
        to += "&quot;";
        break;
      default:
        to += c;
    }
  }
  return to;
}

/// Fills in the places of the page, which are marked as {{name}}.
std::string fill(std::string_view text,
                 std::initializer_list<std::pair<std::string_view, std::string>> values) {
  std::string to;
  while (!text.empty()) {
    const std::size_t open = text.find("{{");
    to += text.substr(0, open);
    if (open == text.npos) break;
    const std::size_t close = text.find("}}", open);
    const std::string_view name = text.substr(open + 2, close - open - 2);
    for (const auto& [key, value] : values) {
      if (key == name) to += value;
    }
    text.remove_prefix(close + 2);
  }
  return to;
}

}  // namespace

std::string to_page(const Recording& recording, const PageParts& parts,
                    const PageOpening& opening) {
  std::string title = opening.title;
  if (title.empty()) {
    title = recording.blocks.empty() ? "warpsim" : recording.blocks.front().kernel;
  }
  std::string options = "{}";
  if (opening.line != 0) options = "{ line: " + std::to_string(opening.line) + " }";
  if (opening.at_end) options = "{ end: true }";
  std::string script;
  for (const std::string_view part : parts.scripts) script += part;
  return fill(parts.page, {{"title", escaped(title)},
                           {"style", std::string(parts.style)},
                           {"script", script},
                           {"options", options},
                           {"recording", base64(encode(recording))}});
}

}  // namespace warpsim::recording
