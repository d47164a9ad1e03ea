#include "emulator/recording/page.h"

#include <initializer_list>
#include <string_view>
#include <utility>

#include "emulator/recording/base64.h"
#include "emulator/recording/pictures.h"

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

std::string to_page(const Recording& recording) {
  const std::string title =
      recording.blocks.empty() ? "warpsim" : escaped(recording.blocks.front().kernel);
  std::string script;
  for (const std::string_view part : kScripts) script += part;
  return fill(kPage, {{"title", title},
                      {"style", std::string(kStyle)},
                      {"script", script},
                      {"recording", base64(encode(recording))}});
}

}  // namespace warpsim::recording
