#include "grader/judge/experiment/structural_search.h"

#include <fmt/core.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>

namespace warpgrade {
void StructuralSearch::operators(std::size_t i) {
  static const std::multimap<std::string_view, const char*> kOther = {
      {"/", "%"},   {"%", "/"},   {"*", "/"},   {"/", "*"},   {"+", "-"},   {"-", "+"},
      {"+", "*"},   {"*", "+"},   {"&&", "||"}, {"||", "&&"}, {"&", "|"},   {"|", "&"},
      {"&", "^"},   {"^", "&"},   {"<<", ">>"}, {">>", "<<"}, {"==", "!="}, {"!=", "=="},
      {"<", "<="},  {"<=", "<"},  {">", ">="},  {">=", ">"},  {"<", ">"},   {">", "<"},
      {"<=", ">="}, {">=", "<="}, {"+=", "="},  {"+=", "-="}, {"-=", "+="}, {"*=", "+="},
      {"+=", "*="}, {"/=", "*="}, {"*=", "/="}};
  const auto [begin, end] = kOther.equal_range(tokens_[i].text);
  if (begin == end) return;
  const SourceToken& before = tokens_[i - 1];
  const bool binary = before.kind != SourceToken::Kind::sign || before.is(")") || before.is("]");
  if (!binary || before.is("return") || is_declarator(i) || in_.ends_control(i - 1)) return;
  if (in_.is_of_template(i)) return;
  const SourceUse* const right = use_at(i + 1);
  const bool of_pointer = in_.is_to_pointer(i) || (right != nullptr && right->type.ends_with('*') &&
                                                   !tokens_[right->last + 1].is("["));
  if (of_pointer && !tokens_[i].is("==") && !tokens_[i].is("!=")) return;
  for (auto it = begin; it != end; ++it) {
    const bool rest = tokens_[i].is("%") || it->second == std::string_view("%");
    if (rest && !(is_whole_until(i - 1) && is_whole_at(i + 1))) continue;
    replace(SourceEditList::Rank::kOften, i, i, it->second, "operator");
  }
}

bool StructuralSearch::is_whole_until(std::size_t token) const {
  const SourceUse* const use = use_until(token);
  return use != nullptr ? use->type == "int"
                        : whole_number(tokens_[token]) || in_.is_constant(token);
}

bool StructuralSearch::is_whole_at(std::size_t token) const {
  const SourceUse* const use = use_at(token);
  return use != nullptr ? use->type == "int"
                        : whole_number(tokens_[token]) || in_.is_constant(token);
}

bool StructuralSearch::is_declarator(std::size_t i) const {
  if (!tokens_[i].is("*") && !tokens_[i].is("&")) return false;
  const SourceToken& before = tokens_[i - 1];
  if (before.kind != SourceToken::Kind::name) return false;
  return in_.visible(before.text, i) == nullptr && !in_.is_constant(i - 1) &&
         !tokens_[i - 2].is(".") && !tokens_[i - 2].is("->");
}

void StructuralSearch::functions(std::size_t i) {
  static const std::multimap<std::string_view, const char*> kOther = {
      {"max", "min"},
      {"min", "max"},
      {"fmaxf", "fminf"},
      {"fminf", "fmaxf"},
      {"fmax", "fmin"},
      {"fmin", "fmax"},
      {"atomicAdd", "atomicMax"},
      {"atomicMax", "atomicAdd"},
      {"atomicMax", "atomicMin"},
      {"atomicMin", "atomicMax"},
      {"atomicExch", "atomicAdd"},
      {"__shfl_down_sync", "__shfl_up_sync"},
      {"__shfl_up_sync", "__shfl_down_sync"},
      {"__shfl_xor_sync", "__shfl_down_sync"},
      {"__shfl_down_sync", "__shfl_xor_sync"},
      {"__any_sync", "__all_sync"},
      {"__all_sync", "__any_sync"},
      {"__ffs", "__clz"},
      {"floorf", "ceilf"},
      {"ceilf", "floorf"},
      {"floorf", "rintf"},
      {"sqrtf", "rsqrtf"},
      {"rsqrtf", "sqrtf"}};
  if (tokens_[i].is("break") && tokens_[i + 1].is(";") && is_in_loop_body(i)) {
    replace(SourceEditList::Rank::kUsual, i, i, "continue", "statement");
  } else if (tokens_[i].is("continue")) {
    replace(SourceEditList::Rank::kUsual, i, i, "break", "statement");
  } else if (tokens_[i].is("return") && tokens_[i + 1].is(";") && is_in_loop_body(i)) {
    replace(SourceEditList::Rank::kUsual, i, i, "continue", "statement");
  }
  if (!tokens_[i + 1].is("(")) return;
  // Those of floats are functions that not all types have.
  const std::size_t close = closing(tokens_, i + 1);
  const bool is_atomic = tokens_[i].text.starts_with("atomic");
  const bool all_whole = std::ranges::all_of(in_.uses(), [&](const SourceUse& use) {
    return use.first < i || use.last > close || use.type.find("float") == std::string::npos;
  });
  if (is_atomic && !all_whole) return;
  const auto [begin, end] = kOther.equal_range(tokens_[i].text);
  for (auto it = begin; it != end; ++it) {
    replace(SourceEditList::Rank::kUsual, i, i, it->second, "function");
  }
}

bool StructuralSearch::is_in_loop_body(std::size_t token) const {
  return std::ranges::any_of(units_, [&](const SourceUnit& unit) {
    return unit.kind == SourceUnit::Kind::compound && unit.contains(token, token) &&
           (tokens_[unit.first].is("for") || tokens_[unit.first].is("while"));
  });
}

void StructuralSearch::numbers(std::size_t i) {
  const std::optional<long> value = whole_number(tokens_[i]);
  if (value && !tokens_[i - 1].is("case") && !tokens_[i - 1].is("[") && !tokens_[i + 1].is("]")) {
    std::set<long> others = {*value + 1, *value - 1, *value * 2, *value / 2};
    for (const long other : others) {
      if (other >= 0)
        replace(SourceEditList::Rank::kSometimes, i, i, std::to_string(other), "number");
    }
  }
  if (!in_.is_constant(i) || tokens_[i + 1].is("=") || tokens_[i + 1].is(",")) return;
  const std::string name(tokens_[i].text);
  for (const char* const change : {" - 1", " + 1", " / 2", " * 2"}) {
    replace(SourceEditList::Rank::kSometimes, i, i, fmt::format("({}{})", name, change), "number");
  }
}

void StructuralSearch::compared_with(std::size_t i) {
  const bool is_one = tokens_[i].is("==");
  const bool is_limit = tokens_[i].is("<") || tokens_[i].is("<=") || tokens_[i].is(">=");
  const SourceUse* const left = use_until(i - 1);
  if ((!is_one && !is_limit) || left == nullptr || left->type != "int") return;
  const std::size_t last = end_of_limit(i + 1, function_.last);
  if (last <= i || last > i + 6) return;  // tokens
  const bool is_constant =
      last == i + 1 && (whole_number(tokens_[last]) || constants_.contains(tokens_[last].text));
  if (is_limit && !is_constant) return;
  const char* const what = is_one ? "thread" : "limit";
  if (is_one) {
    replace(SourceEditList::Rank::kUsual, i + 1, last, "0", what);
    replace(SourceEditList::Rank::kOften, i + 1, last, "blockDim.x - 1", what);
    replace(SourceEditList::Rank::kOften, i + 1, last, "31", what);
  }
  for (const std::string_view constant : constants_) {
    const std::string name(constant);
    replace(SourceEditList::Rank::kOften, i + 1, last, is_one ? name + " - 1" : name, what);
  }
}

void StructuralSearch::parentheses(std::size_t i) {
  if (tokens_[i].is("(")) {
    const std::size_t close = closing(tokens_, i);
    if (close >= function_.last || tokens_[i - 1].kind == SourceToken::Kind::name) return;
    bool sum = false;
    for (std::size_t k = i + 2; k + 1 < close; ++k) {
      if (tokens_[k].is("(") || tokens_[k].is("[")) k = std::min(closing(tokens_, k), close);
      if (tokens_[k].is(",") || tokens_[k].is("?") || tokens_[k].is("<")) return;
      sum = sum || tokens_[k].is("+") || tokens_[k].is("-");
    }
    const auto binds = [&](std::size_t k) {
      return tokens_[k].is("*") || tokens_[k].is("/") || tokens_[k].is("%");
    };
    if (!sum || (!binds(i - 1) && !binds(close + 1))) return;
    add(SourceEditList::Rank::kOften, i, {replaced(i, i, " "), replaced(close, close, " ")},
        "other parentheses",
        fmt::format("{} without parentheses", quoted_part(in_.text(i, close), "a sum")));
    return;
  }
  // A sum of two operands, the second of which is a factor.
  if (!tokens_[i].is("+") && !tokens_[i].is("-")) return;
  const SourceUse* const left = use_until(i - 1);
  const std::size_t right_last = end_of_simple(i + 1);
  if (left == nullptr || left->type.ends_with('*') || right_last == 0) return;
  const SourceToken& after = tokens_[right_last + 1];
  if (!after.is("*") && !after.is("/") && !after.is("%")) return;
  add(SourceEditList::Rank::kOften, i,
      {{tokens_[left->first].begin, tokens_[left->first].begin, "("},
       {tokens_[right_last].end(), tokens_[right_last].end(), ")"}},
      "other parentheses", fmt::format("`({})` in parentheses", in_.text(left->first, right_last)));
}

std::size_t StructuralSearch::end_of_simple(std::size_t token) const {
  if (tokens_[token].kind == SourceToken::Kind::number) return token;
  if (const SourceUse* const use = use_at(token)) return use->last;
  return in_.is_constant(token) ? token : 0;
}

void StructuralSearch::alternatives(std::size_t i) {
  if (!tokens_[i].is("?")) return;
  std::size_t colon = 0;
  std::size_t end = i + 1;
  for (int depth = 0; end < function_.last; ++end) {
    const SourceToken& token = tokens_[end];
    if (token.is("(") || token.is("[")) ++depth;
    if (token.is(")") || token.is("]")) --depth;
    if (depth < 0 || (depth == 0 && (token.is(";") || token.is(",")))) break;
    if (depth == 0 && token.is("?")) return;
    if (depth == 0 && token.is(":")) colon = end;
  }
  if (colon <= i + 1 || end <= colon + 1 || end >= function_.last) return;
  add(SourceEditList::Rank::kOften, i,
      {replaced(i + 1, end - 1,
                fmt::format("{} : {}", in_.text(colon + 1, end - 1), in_.text(i + 1, colon - 1)))},
      "the two values after `?` exchanged", "the two values after `?` exchanged");
}

}  // namespace warpgrade
