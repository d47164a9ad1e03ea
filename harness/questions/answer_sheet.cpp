#include "harness/questions/answer_sheet.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

#include "harness/core/closest.h"
#include "harness/lab/question.h"

#define TOML_ENABLE_FORMATTERS 0
#include <toml++/toml.h>

namespace warpgrade {

namespace {

constexpr std::size_t kLongestText = 1000;  // bytes of an answer
constexpr std::size_t kMostChosen = 100;

constexpr const char* kAnswersTable = "answers";

/// The key that is defined twice, from the parser's "cannot redefine existing integer 'x'"; empty
/// for other errors.
std::string defined_twice(std::string_view description) {
  if (description.find("redefine") == std::string_view::npos) return {};
  const std::size_t open = description.find('\'');
  const std::size_t close = description.find('\'', open + 1);
  if (open == std::string_view::npos || close == std::string_view::npos) return {};
  const std::string key(description.substr(open + 1, close - open - 1));
  const std::size_t dot = key.rfind('.');
  return dot == std::string::npos ? key : key.substr(dot + 1);
}

std::string parse_problem(const toml::parse_error& error) {
  const auto line = error.source().begin.line;
  if (const std::string key = defined_twice(error.description()); !key.empty()) {
    return fmt::format("answers.toml:{}: '{}' is answered twice; keep one of the lines", line, key);
  }
  return fmt::format(
      "answers.toml:{} cannot be read: {}. Write one answer per line, such as "
      "blocks = 4 or reason = \"b\"",
      line, error.description().substr(0, 200));
}

std::optional<std::vector<std::string>> list_of(const toml::array& array) {
  std::vector<std::string> list;
  for (const toml::node& element : array) {
    const auto text = element.value_exact<std::string>();
    if (!text || text->size() > kLongestText || list.size() == kMostChosen) return std::nullopt;
    list.push_back(*text);
  }
  return list;
}

std::string trimmed(std::string_view text) {
  constexpr std::string_view kSpaces = " \t\r\n";
  const std::size_t first = text.find_first_not_of(kSpaces);
  if (first == std::string_view::npos) return {};
  return std::string(text.substr(first, text.find_last_not_of(kSpaces) - first + 1));
}

GivenAnswer answer_of(const toml::node& node) {
  GivenAnswer answer;
  answer.line = static_cast<std::uint32_t>(node.source().begin.line);
  if (node.is_number()) {
    answer.type = GivenAnswer::Type::number;
    answer.number = node.value<double>().value_or(0);
    answer.shown = number_text(answer.number);
  } else if (const auto text = node.value_exact<std::string>()) {
    answer.text = trimmed(*text);
    answer.type = answer.text.empty()                 ? GivenAnswer::Type::blank
                  : answer.text.size() > kLongestText ? GivenAnswer::Type::other
                                                      : GivenAnswer::Type::text;
    answer.shown = answer.text.substr(0, kLongestText);
  } else if (const toml::array* array = node.as_array()) {
    if (std::optional<std::vector<std::string>> list = list_of(*array)) {
      answer.list = *std::move(list);
      answer.type = answer.list.empty() ? GivenAnswer::Type::blank : GivenAnswer::Type::list;
      answer.shown = fmt::format("{}", fmt::join(answer.list, ", "));
    } else {
      answer.type = GivenAnswer::Type::other;
      answer.shown = "a list of something else than texts";
    }
  } else {
    answer.type = GivenAnswer::Type::other;
    answer.shown = node.is_boolean() ? (*node.value<bool>() ? "true" : "false")
                   : node.is_table() ? "a table"
                                     : "a date or time";
  }
  return answer;
}

/// A text at the top of the file; empty if it is missing.
std::string head_of(const toml::table& document, std::string_view key) {
  return trimmed(document[key].value_or(std::string()).substr(0, kLongestText));
}

}  // namespace

AnswerSheet read_answer_sheet(std::string_view text) {
  AnswerSheet sheet;
  if (text.size() > kMaxAnswerBytes) {
    sheet.problem = fmt::format(
        "answers.toml has {} bytes; at most {} are read. Submit only the "
        "answers, one line each",
        text.size(), kMaxAnswerBytes);
    return sheet;
  }
  toml::table document;
  try {
    document = toml::parse(text);
  } catch (const toml::parse_error& error) {
    sheet.problem = parse_problem(error);
    return sheet;
  }
  sheet.lab = head_of(document, "lab");
  sheet.student = head_of(document, "student");
  sheet.draw = head_of(document, "draw");
  const toml::table* answers = document[kAnswersTable].as_table();
  if (answers == nullptr) {
    sheet.problem = fmt::format(
        "answers.toml has no line [{}]; put it above the answers, as "
        "`warpgrade start` writes it",
        kAnswersTable);
    return sheet;
  }
  for (const auto& [key, node] : *answers) {
    sheet.answers.emplace(std::string(key.str()), answer_of(node));
  }
  return sheet;
}

}  // namespace warpgrade
