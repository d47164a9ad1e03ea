#include "grader/judge/experiment/edit_words.h"

#include <fmt/core.h>

#include <array>
#include <cctype>
#include <filesystem>
#include <map>
#include <optional>
#include <sstream>
#include <string_view>
#include <utility>

#include "grader/core/comments.h"

namespace warpgrade {
namespace {

std::string line_of(const TriedEdit& edit, const std::vector<SourceFile>& sources) {
  for (const SourceFile& source : sources) {
    if (std::filesystem::path(source.name).filename() != edit.file) continue;
    std::istringstream lines(without_comments(source.text));
    std::string line;
    for (std::uint32_t i = 0; i < edit.line && std::getline(lines, line); ++i) {
    }
    return lines ? line : std::string();
  }
  return {};
}

bool is_in_operand(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '.';
}

bool is_operator(char c) {
  return std::string_view("<>=!+-*/%&|^").find(c) != std::string_view::npos;
}

/// Whether a line has this number, name or operator, and not as a part of another one.
bool has(const std::string& line, std::string_view token) {
  const bool word = is_in_operand(token.front());
  const auto joins = [&](std::size_t i) {
    return i < line.size() && (word ? is_in_operand(line[i]) : is_operator(line[i]));
  };
  for (std::size_t at = line.find(token); at != std::string::npos; at = line.find(token, at + 1)) {
    const bool assigns = !word && token.size() == 1 && at + 1 < line.size() && line[at + 1] == '=';
    if (!(at > 0 && joins(at - 1)) && (assigns || !joins(at + token.size()))) return true;
  }
  return false;
}

std::string quoted(std::string_view to, std::string_view from) {
  return fmt::format("`{}` in place of `{}`", to, from);
}

std::string_view comparison(std::string_view word) {
  static const std::map<std::string_view, std::string_view> kComparisons = {
      {"lt", "<"},  {"le", "<="},  {"gt", ">"},   {"ge", ">="}, {"eq", "=="}, {"ne", "!="},
      {"lo", "<"},  {"ls", "<="},  {"hi", ">"},   {"hs", ">="}, {"ltu", "<"}, {"leu", "<="},
      {"gtu", ">"}, {"geu", ">="}, {"equ", "=="}, {"neu", "!="}};
  const auto it = kComparisons.find(word);
  return it == kComparisons.end() ? std::string_view() : it->second;
}

std::string_view negated(std::string_view sign) {
  static const std::map<std::string_view, std::string_view> kOther = {
      {"<", ">="}, {">=", "<"}, {">", "<="}, {"<=", ">"}, {"==", "!="}, {"!=", "=="}};
  const auto it = kOther.find(sign);
  return it == kOther.end() ? std::string_view() : it->second;
}

/// With its operands exchanged.
std::string_view mirrored(std::string_view sign) {
  static const std::map<std::string_view, std::string_view> kOther = {
      {"<", ">"}, {">", "<"}, {"<=", ">="}, {">=", "<="}, {"==", "=="}, {"!=", "!="}};
  const auto it = kOther.find(sign);
  return it == kOther.end() ? std::string_view() : it->second;
}

/// The compiler turns comparisons round: a branch past what `i < n` guards asks for `i >= n`.
std::string comparison_fix(const TriedEdit& edit, const std::string& line) {
  const std::string_view from = comparison(edit.from);
  const std::string_view to = comparison(edit.to);
  const std::array<std::pair<std::string_view, std::string_view>, 4> forms = {
      {{negated(from), negated(to)},
       {from, to},
       {mirrored(negated(from)), mirrored(negated(to))},
       {mirrored(from), mirrored(to)}}};
  for (const auto& [was, is] : forms) {
    if (!was.empty() && has(line, was)) return quoted(is, was);
  }
  return {};
}

std::string operator_fix(const TriedEdit& edit, const std::string& line) {
  static const std::map<std::string_view, std::string_view> kOperators = {
      {"add", "+"}, {"sub", "-"}, {"mul", "*"}, {"div", "/"},
      {"rem", "%"}, {"and", "&"}, {"or", "|"},  {"xor", "^"}};
  if (edit.to == "negated") {
    if (has(line, "-") == has(line, "+")) return {};
    return has(line, "+") ? quoted("-", "+") : quoted("+", "-");
  }
  if (edit.from == "min" || edit.from == "max") {
    return edit.from == "min" ? "the maximum in place of the minimum"
                              : "the minimum in place of the maximum";
  }
  const auto from = kOperators.find(edit.from);
  const auto to = kOperators.find(edit.to);
  if (from == kOperators.end() || to == kOperators.end()) return {};
  if (has(line, from->second)) return quoted(to->second, from->second);
  const std::string twice = fmt::format("{0}{0}", from->second);  // && and ||
  return has(line, twice) ? quoted(fmt::format("{0}{0}", to->second), twice) : std::string();
}

std::string number_fix(const TriedEdit& edit, const std::string& line) {
  const bool of_value = edit.to.starts_with('+') || edit.to.starts_with('-');
  if (edit.to == "+1") return "1 more";
  if (edit.to == "-1" && (edit.from == "value" || edit.from.starts_with('p'))) return "1 less";
  if (of_value && edit.from == "value") return {};
  const auto plain = [](std::string_view text) {
    return std::string(text.starts_with('-') ? text.substr(1) : text);
  };
  if (plain(edit.from) == plain(edit.to)) {
    return edit.from.starts_with('-') ? quoted("+", "-") : quoted("-", "+");
  }
  if (has(line, plain(edit.from)) && edit.from.starts_with('-') == edit.to.starts_with('-')) {
    return quoted(plain(edit.to), plain(edit.from));
  }
  return {};
}

std::string_view index_name(std::string_view special) {
  static const std::map<std::string_view, std::string_view> kNames = {
      {"tid", "threadIdx"}, {"ctaid", "blockIdx"}, {"ntid", "blockDim"}, {"nctaid", "gridDim"}};
  const auto it = kNames.find(special.substr(0, special.find('.')));
  return it == kNames.end() ? std::string_view() : it->second;
}

std::string index_fix(const TriedEdit& edit) {
  const std::string_view from = index_name(edit.from);
  const std::string_view to = index_name(edit.to);
  if (from.empty() || to.empty()) return {};
  return quoted(fmt::format("{}.{}", to, edit.to.back()),
                fmt::format("{}.{}", from, edit.from.back()));
}

std::string fix_of(const TriedEdit& edit, const std::string& line) {
  if (edit.kind == "comparison") return comparison_fix(edit, line);
  if (edit.kind == "operator") return operator_fix(edit, line);
  if (edit.kind == "number") return number_fix(edit, line);
  if (edit.kind == "factor") return fmt::format("a factor of {}", edit.to.substr(1));
  if (edit.kind == "index") return index_fix(edit);
  if (edit.kind == "element") {
    return edit.to.starts_with('-') ? "the element before the one that is accessed"
                                    : "the element after the one that is accessed";
  }
  if (edit.kind == "start value") return fmt::format("{} as the start value", edit.to);
  return {};
}

std::string kind_words(std::string_view kind) {
  if (kind == "comparison") return "another comparison";
  if (kind == "factor") return "another factor";
  if (kind == "sign") return "another type, signed or unsigned,";
  if (kind == "operator") return "another operator";
  if (kind == "variable") return "another variable";
  if (kind == "index") return "another index of thread or block";
  if (kind == "start value") return "another start value";
  if (kind == "condition") return "the opposite condition";
  if (kind == "order") return "two operands exchanged";
  if (kind == "element") return "a neighbouring element accessed";
  return "another number";
}

}  // namespace

/// What a fix replaces, as the source spells it: "`<`"; empty if it does not say.
std::string_view replaced_by(std::string_view fix) {
  constexpr std::string_view kBetween = " in place of ";
  const auto at = fix.find(kBetween);
  return at == std::string_view::npos ? std::string_view() : fix.substr(at + kBetween.size());
}

/// An operand that only one instruction has, by what it is for.
std::string_view use_of(const TriedEdit& edit) {
  if (edit.part == "word" || edit.part == "guard" || edit.part == "order") return {};
  const std::string_view opcode = edit.opcode;
  if (opcode.starts_with("atom")) {
    // At its limit, atomicInc begins again at 0, and atomicDec at the limit.
    if (opcode.find(".inc") != opcode.npos) return "another limit of atomicInc";
    if (opcode.find(".dec") != opcode.npos) return "another limit of atomicDec";
    return {};
  }
  if (opcode.starts_with("shfl")) return "another lane or distance of the shuffle";
  return {};
}

EditWords words_of(const TriedEdit& edit, const std::vector<SourceFile>& sources) {
  EditWords words{.kind = kind_words(edit.kind), .fix = fix_of(edit, line_of(edit, sources))};
  if (words.fix.empty()) words.fix = words.kind;
  if (const std::string_view use = use_of(edit); !use.empty()) words.kind = use;
  if (const std::string_view was = replaced_by(words.fix); was.starts_with('`')) {
    words.kind += fmt::format("{} than {}", words.kind.ends_with(',') ? " other" : "", was);
  }
  return words;
}

bool is_of_compiled_loop(const TriedEdit& edit, const std::vector<SourceFile>& sources) {
  const std::string line = line_of(edit, sources);
  const std::size_t first = line.find_first_not_of(" \t}");
  const std::string_view code = first == line.npos ? "" : std::string_view(line).substr(first);
  const auto begins_with = [&](std::string_view word) {
    return code.starts_with(word) && code.find_first_of(" (") == word.size();
  };
  if (!begins_with("for") && !begins_with("while")) return false;
  if (edit.kind == "condition") return code.find_first_of("<>=") != code.npos;
  return edit.kind == "start value" && !has(line, edit.from);
}

}  // namespace warpgrade
