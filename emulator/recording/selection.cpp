#include "emulator/recording/selection.h"

#include <fmt/format.h>

#include <charconv>

#include "emulator/recording/recording.h"

namespace warpsim::recording {
namespace {

template <class Number>
bool parse(std::string_view text, Number& number) {
  const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), number);
  return failure == std::errc{} && end == text.data() + text.size();
}

/// The part before the separator, which is removed with it.
std::string_view take(std::string_view& text, char separator) {
  const std::size_t end = text.find(separator);
  const std::string_view part = text.substr(0, end);
  text.remove_prefix(end == text.npos ? text.size() : end + 1);
  return part;
}

bool parse_block(std::string_view text, Selection& selection) {
  if (text == "all") return selection.all_blocks = true;
  if (text.ends_with(':')) return false;
  Dim3 id = {0, 0, 0};
  for (std::uint32_t* one : {&id.x, &id.y, &id.z}) {
    if (one != &id.x && text.empty()) break;
    if (!parse(take(text, ':'), *one)) return false;
  }
  selection.block = id;
  return text.empty();
}

bool parse_part(std::string_view name, std::string_view value, Selection& selection) {
  if (name == "launch") return parse(value, selection.launch) && selection.launch != 0;
  if (name == "block") return parse_block(value, selection);
  if (name == "sources") {
    selection.sources = value != "no";
    return value == "no" || value == "yes";
  }
  if (name == "bytes") {
    return parse(value, selection.bytes) && selection.bytes >= 1024 &&
           selection.bytes <= kMostBytes / 2;
  }
  selection.kernel = value;
  return name == "kernel" && !value.empty();
}

}  // namespace

std::optional<Selection> parse_selection(std::string_view text, std::string& error) {
  Selection selection;
  while (!text.empty()) {
    const std::string_view part = take(text, ',');
    std::string_view value = part;
    const std::string_view name = take(value, '=');
    if (parse_part(name, value, selection)) continue;
    error = fmt::format(
        "'{}' does not say what to record; known: launch=N, kernel=NAME, block=X:Y:Z or block=all, "
        "bytes=N (1024 to {}), sources=no",
        part, kMostBytes / 2);
    return std::nullopt;
  }
  return selection;
}

}  // namespace warpsim::recording
