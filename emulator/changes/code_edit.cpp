#include "emulator/changes/code_edit.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>

namespace warpsim {
namespace {

bool read_counting_number(std::string_view text, std::uint32_t& value) {
  const auto result = std::from_chars(text.data(), text.data() + text.size(), value);
  return result.ec == std::errc{} && result.ptr == text.data() + text.size() && value != 0;
}

/// FILE:LINE or FILE:LINE.COLUMN.
bool read_place(std::string_view text, CodeEdit& edit) {
  const auto colon = text.rfind(':');
  if (colon == text.npos || colon == 0) return false;
  edit.file = std::string(text.substr(0, colon));
  const std::string_view place = text.substr(colon + 1);
  const auto dot = place.find('.');
  if (!read_counting_number(place.substr(0, dot), edit.line)) return false;
  return dot == place.npos || read_counting_number(place.substr(dot + 1), edit.column);
}

bool is_comparison(std::string_view word) {
  constexpr std::array<std::string_view, 14> kComparisons = {
      "eq", "ne", "lt", "le", "gt", "ge", "lo", "ls", "hi", "hs", "ltu", "leu", "gtu", "geu"};
  return std::ranges::find(kComparisons, word) != kComparisons.end();
}

bool is_integer_type(std::string_view word) {
  return word.size() >= 2 && (word[0] == 's' || word[0] == 'u') &&
         std::isdigit(static_cast<unsigned char>(word[1])) != 0;
}

/// Of a sum, a minimum or a maximum.
bool is_neutral(std::string_view constant) {
  return constant == "0" || constant.ends_with("inf") || constant.ends_with("_MAX") ||
         constant.ends_with("_MIN");
}

bool is_parameter(std::string_view name) {
  return name.size() >= 2 && name[0] == 'p' &&
         std::isdigit(static_cast<unsigned char>(name[1])) != 0;
}

}  // namespace

std::string to_text(const CodeEdit& edit) {
  std::string text = fmt::format("{}:{}", edit.file, edit.line);
  if (edit.column != 0) text += fmt::format(".{}", edit.column);
  text += fmt::format("/{}/{}/{}/{}", edit.opcode, edit.part, edit.from, edit.to);
  if (edit.only != 0) text += fmt::format("#{}", edit.only);
  return text;
}

std::optional<CodeEdit> parse_code_edit(std::string_view text) {
  CodeEdit edit;
  if (const auto hash = text.rfind('#'); hash != text.npos) {
    if (!read_counting_number(text.substr(hash + 1), edit.only)) return std::nullopt;
    text = text.substr(0, hash);
  }
  std::array<std::string_view, 5> parts;
  for (std::size_t i = parts.size(); i-- > 0;) {
    const auto slash = i == 0 ? text.npos : text.rfind('/');
    if (i != 0 && slash == text.npos) return std::nullopt;
    parts[i] = slash == text.npos ? text : text.substr(slash + 1);
    if (parts[i].empty()) return std::nullopt;
    text = text.substr(0, slash == text.npos ? 0 : slash);
  }
  if (!read_place(parts[0], edit)) return std::nullopt;
  edit.opcode = std::string(parts[1]);
  edit.part = std::string(parts[2]);
  edit.from = std::string(parts[3]);
  edit.to = std::string(parts[4]);
  return edit;
}

std::string_view kind_of(const CodeEdit& edit) {
  if (edit.part == "guard") return "condition";
  if (edit.part == "order") return "order";
  if (edit.part == "word") {
    if (is_comparison(edit.from)) return "comparison";
    return is_integer_type(edit.from) ? "sign" : "operator";
  }
  if (edit.from == "address") return "element";
  if (edit.to.starts_with('*')) return "factor";
  if (edit.from == "value") return edit.to == "negated" ? "operator" : "number";
  if (is_parameter(edit.from)) return is_parameter(edit.to) ? "variable" : "number";
  // What starts a sum, a minimum or a maximum; other constants are put into registers, too.
  if (is_neutral(edit.from)) return edit.opcode.starts_with("mov.") ? "start value" : "number";
  return std::isalpha(static_cast<unsigned char>(edit.from[0])) != 0 ? "index" : "number";
}

}  // namespace warpsim
