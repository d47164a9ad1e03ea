#include "emulator/changes/call_edit.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "emulator/changes/read_number.h"

namespace warpsim {
namespace {

using Part = CallPart::Kind;
using To = CallValue::Kind;

constexpr std::string_view kLater = "#later";

/// Parts and values that are one word.
constexpr std::array<std::pair<std::string_view, Part>, 7> kPartWords = {{{"grid", Part::grid},
                                                                          {"shared", Part::shared},
                                                                          {"bytes", Part::bytes},
                                                                          {"value", Part::value},
                                                                          {"from", Part::from},
                                                                          {"to", Part::to},
                                                                          {"call", Part::call}}};
constexpr std::array<std::pair<std::string_view, To>, 9> kValueWords = {
    {{"+1", To::more},
     {"-1", To::less},
     {"<>y", To::exchanged_with_y},
     {"<>block", To::exchanged_with_block},
     {"all", To::all},
     {"blocks", To::blocks},
     {"blocks-1", To::blocks_less_1},
     {"none", To::none},
     {"twice", To::twice}}};
/// Values that begin with a word, and what follows it.
enum class ValueRest : std::uint8_t { number, line, place, name, name_and_number };
struct ValueForm {
  std::string_view begin;
  To kind;
  ValueRest rest;
};
constexpr std::array<ValueForm, 8> kValueForms = {{{"*", To::times, ValueRest::number},
                                                   {"<>", To::exchanged, ValueRest::number},
                                                   {"@", To::argument, ValueRest::place},
                                                   {"array=", To::array, ValueRest::name},
                                                   {"count=", To::count, ValueRest::name},
                                                   {"ceil=", To::ceil, ValueRest::number},
                                                   {"rows=", To::rows, ValueRest::name_and_number},
                                                   {"after=", To::after, ValueRest::line}}};
constexpr ValueForm kNumberForm = {"", To::number, ValueRest::number};

const ValueForm& form_of(To kind) {
  const auto* const form = std::ranges::find(kValueForms, kind, &ValueForm::kind);
  return form == kValueForms.end() ? kNumberForm : *form;
}

std::optional<CallPart> parse_part(std::string_view text) {
  const auto* const word =
      std::ranges::find(kPartWords, text, [](const auto& p) { return p.first; });
  if (word != kPartWords.end()) return CallPart{.kind = word->second};
  for (const char axis : {'x', 'y', 'z'}) {
    const CallPart part = {.kind = Part::grid_axis, .axis = axis};
    if (text == to_text(part)) return part;
  }
  const std::optional<std::uint32_t> number = read_number(text);
  if (!number) return std::nullopt;
  return CallPart{.kind = Part::argument, .argument = *number};
}

bool read_rest(std::string_view rest, ValueRest form, CallValue& value) {
  const auto colon = rest.rfind(':');
  const bool has_colon = colon != rest.npos;
  const bool may_have_name = form == ValueRest::name || form == ValueRest::name_and_number;
  if (may_have_name) value.array = std::string(rest.substr(0, has_colon ? colon : rest.size()));
  if (form == ValueRest::name) return !has_colon && !rest.empty();
  if (form == ValueRest::name_and_number && (!has_colon || colon == 0)) return false;
  if (form == ValueRest::line || (form == ValueRest::place && has_colon)) {
    const std::optional<std::uint32_t> line = read_number(rest.substr(0, colon));
    value.line = line.value_or(0);
    if (value.line == 0 || form == ValueRest::line) return value.line != 0;
  }
  const std::optional<std::uint32_t> number =
      read_number(has_colon && form != ValueRest::number ? rest.substr(colon + 1) : rest);
  value.number = number.value_or(0);
  return number.has_value();
}

std::optional<CallValue> parse_value(std::string_view text) {
  const auto* const word =
      std::ranges::find(kValueWords, text, [](const auto& w) { return w.first; });
  if (word != kValueWords.end()) return CallValue{.kind = word->second};
  const auto* const found = std::ranges::find_if(
      kValueForms, [&](const ValueForm& form) { return text.starts_with(form.begin); });
  const ValueForm& form = found == kValueForms.end() ? kNumberForm : *found;
  CallValue value = {.kind = form.kind};
  if (!read_rest(text.substr(form.begin.size()), form.rest, value)) return std::nullopt;
  return value;
}

}  // namespace

std::string to_text(const CallPart& part) {
  if (part.kind == Part::argument) return std::to_string(part.argument);
  if (part.kind == Part::grid_axis) return fmt::format("grid.{}", part.axis);
  return std::string(
      std::ranges::find(kPartWords, part.kind, [](const auto& p) { return p.second; })->first);
}

std::string to_text(const CallValue& value) {
  const auto* const word =
      std::ranges::find(kValueWords, value.kind, [](const auto& w) { return w.second; });
  if (word != kValueWords.end()) return std::string(word->first);
  const ValueForm& form = form_of(value.kind);
  switch (form.rest) {
    case ValueRest::name:
      return fmt::format("{}{}", form.begin, value.array);
    case ValueRest::name_and_number:
      return fmt::format("{}{}:{}", form.begin, value.array, value.number);
    case ValueRest::line:
      return fmt::format("{}{}", form.begin, value.line);
    case ValueRest::place:
      if (value.line != 0) return fmt::format("{}{}:{}", form.begin, value.line, value.number);
      break;
    case ValueRest::number:
      break;
  }
  return fmt::format("{}{}", form.begin, value.number);
}

std::string to_text(const CallEdit& edit) {
  return fmt::format("{}{}:{}/{}/{}/{}{}", kCallEdit, edit.file, edit.line, edit.call,
                     to_text(edit.part), to_text(edit.to), edit.later ? kLater : "");
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
  const std::optional<std::uint32_t> line = read_number(parts[0].substr(colon + 1));
  const std::optional<CallPart> part = parse_part(parts[2]);
  std::optional<CallValue> to = parse_value(parts[3]);
  if (line.value_or(0) == 0 || !part || !to) return std::nullopt;
  edit.line = *line;
  edit.file = std::string(parts[0].substr(0, colon));
  edit.call = std::string(parts[1]);
  edit.part = *part;
  edit.to = *std::move(to);
  return edit;
}

std::string_view kind_of(const CallEdit& edit) {
  switch (edit.part.kind) {
    case Part::call:
      return edit.to.kind == To::after ? "order" : "call";
    case Part::grid:
    case Part::grid_axis:
      return "blocks";
    case Part::bytes:
    case Part::shared:
      return "size";
    case Part::from:
    case Part::to:
      return "array";
    case Part::value:
      return "value";
    case Part::argument:
      break;
  }
  if (edit.to.kind == To::exchanged) return "arguments exchanged";
  const bool changed =
      edit.to.kind == To::more || edit.to.kind == To::less || edit.to.kind == To::number;
  return changed ? "number" : "argument";
}

}  // namespace warpsim
