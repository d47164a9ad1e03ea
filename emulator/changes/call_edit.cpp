#include "emulator/changes/call_edit.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>

namespace warpsim {
namespace {

constexpr std::string_view kLater = "#later";

bool is_number(std::string_view text) {
  return !text.empty() &&
         std::ranges::all_of(text, [](unsigned char c) { return std::isdigit(c) != 0; });
}

}  // namespace

std::string to_text(const CallEdit& edit) {
  return fmt::format("{}{}:{}/{}/{}/{}{}", kCallEdit, edit.file, edit.line, edit.call, edit.part,
                     edit.to, edit.later ? kLater : "");
}

std::optional<CallEdit> parse_call_edit(std::string_view text) {
  if (!text.starts_with(kCallEdit)) return std::nullopt;
  text.remove_prefix(kCallEdit.size());
  CallEdit edit;
  if (text.ends_with(kLater)) {
    edit.later = true;
    text.remove_suffix(kLater.size());
  }
  std::array<std::string_view, 4> parts;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const auto slash = text.find('/');
    if ((slash == text.npos) != (i + 1 == parts.size())) return std::nullopt;
    parts[i] = text.substr(0, slash);
    if (parts[i].empty()) return std::nullopt;
    text.remove_prefix(std::min(text.size(), parts[i].size() + 1));
  }
  const auto colon = parts[0].rfind(':');
  if (colon == parts[0].npos || colon == 0) return std::nullopt;
  const std::string_view line = parts[0].substr(colon + 1);
  const auto read = std::from_chars(line.data(), line.data() + line.size(), edit.line);
  if (!is_number(line) || read.ec != std::errc{} || edit.line == 0) return std::nullopt;
  edit.file = std::string(parts[0].substr(0, colon));
  edit.call = std::string(parts[1]);
  edit.part = std::string(parts[2]);
  edit.to = std::string(parts[3]);
  return edit;
}

std::string_view kind_of(const CallEdit& edit) {
  if (edit.part == "call") return edit.to.starts_with("after=") ? "order" : "call";
  if (edit.part.starts_with("grid")) return "blocks";
  if (edit.part == "bytes" || edit.part == "shared") return "size";
  if (edit.part == "from" || edit.part == "to") return "array";
  if (edit.part == "value") return "value";
  if (edit.to.starts_with("<>")) return "arguments exchanged";
  const bool changed = edit.to.starts_with('+') || edit.to.starts_with('-') || is_number(edit.to);
  return changed ? "number" : "argument";
}

}  // namespace warpsim
