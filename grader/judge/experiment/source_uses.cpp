#include "grader/judge/experiment/source_uses.h"

#include <algorithm>
#include <array>
#include <charconv>

namespace warpgrade {
namespace {

using Kind = SourceToken::Kind;

}  // namespace

bool is_assignment(const SourceToken& token) {
  static const std::set<std::string_view> kSigns = {
      "=", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "<<=", ">>="};
  return kSigns.contains(token.text);
}

bool is_index(std::string_view name) {
  return name == "threadIdx" || name == "blockIdx" || name == "blockDim" || name == "gridDim";
}

std::optional<long> whole_number(const SourceToken& token) {
  if (token.kind != Kind::number) return std::nullopt;
  long value = 0;
  const char* const end = token.text.data() + token.text.size();
  const auto [rest, error] = std::from_chars(token.text.data(), end, value);
  if (error != std::errc{} || rest != end) return std::nullopt;
  return value;
}

std::string_view SourceUses::text(std::size_t first, std::size_t last) const {
  const char* const begin = tokens_[first].text.data();
  const std::string_view end = tokens_[last].text;
  return {begin, static_cast<std::size_t>(end.data() + end.size() - begin)};
}

const SourceVariable* SourceUses::visible(std::string_view name, std::size_t at) const {
  const SourceVariable* found = nullptr;
  for (const SourceVariable& variable : function_.variables) {
    if (variable.name == name && variable.begin <= at && at < variable.end) found = &variable;
  }
  return found;
}

bool SourceUses::is_counter(const SourceUse& use) const {
  return std::ranges::any_of(loops_, [&](const auto& loop) {
    const auto is_inside = [&](const SourceUse& u) {
      return loop.first < u.first && u.first < loop.second;
    };
    return is_inside(use) && std::ranges::any_of(uses_, [&](const SourceUse& other) {
             return is_inside(other) && other.name == use.name && is_written(other);
           });
  });
}

bool SourceUses::is_written(const SourceUse& use) const {
  const SourceToken& after = tokens_[use.last + 1];
  const SourceToken& before = tokens_[use.first - 1];
  return is_assignment(after) || after.is("++") || after.is("--") || before.is("++") ||
         before.is("--");
}

SourceUses::Origin SourceUses::origin_of(const SourceUse& use) const {
  if (is_index(tokens_[use.first].text)) return Origin::index;
  const SourceVariable& variable = *visible(use.name, use.first);
  if (variable.begin == function_.open) return Origin::parameter;
  return is_in_loop(variable.begin) ? Origin::loop : Origin::local;
}

bool SourceUses::visible_as(std::string_view name, const SourceUse& use) const {
  if (is_index(name.substr(0, name.find('.')))) return use.type == "int";
  const SourceVariable* const variable = visible(name, use.first);
  return variable != nullptr && variable->type == use.type;
}

bool SourceUses::is_constant(std::size_t i) const {
  const SourceToken& token = tokens_[i];
  const SourceToken& next = tokens_[i + 1];
  const SourceToken& before = tokens_[i - 1];
  constexpr std::array kWords = {"return", "else",  "case",     "default", "true",
                                 "false",  "break", "continue", "const",   "nullptr"};
  const bool is_word =
      std::any_of(kWords.begin(), kWords.end(), [&](const char* word) { return token.is(word); });
  return token.kind == Kind::name && !is_word && !token.text.ends_with("_cast") && !next.is("{") &&
         !next.is("[") && visible(token.text, i) == nullptr && !is_index(token.text) &&
         !next.is("(") && !next.is("::") && !before.is(".") && !before.is("->") &&
         (before.kind == Kind::sign && !before.is("(")) && next.kind == Kind::sign &&
         !next.is("*") && !next.is("/") && !next.is(".");
}

bool SourceUses::ends_control(std::size_t token) const {
  if (!tokens_[token].is(")")) return false;
  int depth = 0;
  for (std::size_t i = token; i > function_.open; --i) {
    depth += tokens_[i].is(")") ? 1 : tokens_[i].is("(") ? -1 : 0;
    if (depth > 0) continue;
    const SourceToken& word = tokens_[i - 1];
    return word.is("if") || word.is("for") || word.is("while") || word.is("switch");
  }
  return false;
}

bool SourceUses::is_of_template(std::size_t token) const {
  const auto opens = [&](std::size_t i) {
    const SourceToken& before = tokens_[i - 1];
    return tokens_[i].is("<") && before.kind == Kind::name &&
           (before.text.ends_with("_cast") || before.is("numeric_limits") || before.is("min") ||
            before.is("max") || tokens_[i - 2].is("::"));
  };
  constexpr std::size_t kMost = 8;  // tokens between brackets
  for (std::size_t i = token; i + kMost > token && i > function_.open; --i) {
    if (opens(i)) return true;
    if (i < token && (tokens_[i].is("(") || tokens_[i].is(";"))) return false;
  }
  return false;
}

bool SourceUses::is_to_pointer(std::size_t assignment) const {
  const auto left = std::find_if(uses_.begin(), uses_.end(),
                                 [&](const SourceUse& use) { return use.last + 1 == assignment; });
  return left != uses_.end() && left->type.ends_with('*');
}

bool SourceUses::is_in_brackets(std::size_t token) const {
  std::size_t closed = 0;
  for (std::size_t i = token; i-- > function_.open;) {
    if (tokens_[i].is(";") || tokens_[i].is("{") || tokens_[i].is("}")) return false;
    if (tokens_[i].is("]")) ++closed;
    if (tokens_[i].is("[") && closed-- == 0) return true;
  }
  return false;
}

std::size_t SourceUses::end_of_operand(std::size_t from, int direction) const {
  int depth = 0;
  std::size_t i = from;
  for (;; i += static_cast<std::size_t>(direction)) {
    const std::string_view word = tokens_[i].text;
    const bool opens = word == "(" || word == "[";
    const bool closes = word == ")" || word == "]";
    depth += (direction > 0 ? opens : closes) ? 1 : 0;
    depth -= (direction > 0 ? closes : opens) ? 1 : 0;
    const bool ends = word == "&&" || word == "||" || word == ";" || word == "?" || word == "{" ||
                      word == "=" || word == "," || word == "return" || word == "}" || word == ":";
    if (depth < 0 || (depth == 0 && ends)) break;
  }
  return i - static_cast<std::size_t>(direction);
}

void SourceUses::find_uses() {
  for (std::size_t i = function_.open + 1; i < function_.last; ++i) {
    const SourceToken& token = tokens_[i];
    const SourceToken& before = tokens_[i - 1];
    if (token.kind != Kind::name || before.is(".") || before.is("->") || before.is("::")) continue;
    if (is_index(token.text) && tokens_[i + 1].is(".")) {
      uses_.push_back({i, i + 2, std::string(text(i, i + 2)), "int"});
    } else if (const SourceVariable* variable = visible(token.text, i)) {
      uses_.push_back({i, i, std::string(token.text), variable->type});
    }
  }
}

void SourceUses::find_loops() {
  for (std::size_t i = function_.open + 1; i < function_.last; ++i) {
    if (!tokens_[i].is("(") || !(tokens_[i - 1].is("for") || tokens_[i - 1].is("while"))) continue;
    const std::size_t close = closing(tokens_, i);
    for (std::size_t k = i; k < close; ++k) in_loop_.insert(k);
    loops_.push_back({i, close});
  }
}

void SourceUses::find_guards() {
  for (std::size_t i = function_.open + 1; i < function_.last; ++i) {
    if (!tokens_[i].is("(") || !tokens_[i - 1].is("if")) continue;
    const std::size_t close = closing(tokens_, i);
    std::size_t comparisons = 0;
    for (std::size_t k = i; k < close; ++k) {
      comparisons += tokens_[k].is("<") || tokens_[k].is(">=") ? 1 : 0;
    }
    for (std::size_t k = i; comparisons >= 2 && k < close; ++k) in_guard_.insert(k);
  }
}

}  // namespace warpgrade
