#include "grader/judge/experiment/source_units.h"

#include <algorithm>
#include <array>
#include <utility>

#include "grader/judge/experiment/source_uses.h"

namespace warpgrade {
namespace {

class UnitsOf {
 public:
  UnitsOf(const std::vector<SourceToken>& tokens, const SourceFunction& function)
      : tokens_(tokens), function_(function), in_(tokens, function) {}

  std::vector<SourceUnit> find() {
    for (std::size_t i = function_.open + 1; i < function_.last;) i = statement(i);
    return std::move(units_);
  }

 private:
  /// @returns the token after the statement that begins at one
  std::size_t statement(std::size_t i) {
    const SourceToken& token = tokens_[i];
    if (token.is(";")) return i + 1;
    if (token.is("case") || token.is("default")) return after_label(i);
    const std::size_t number = units_.size();
    const bool is_compound = token.is("{") || token.is("if") || token.is("for") ||
                             token.is("while") || token.is("do") || token.is("switch");
    if (!is_compound) return simple(i);
    units_.push_back({.kind = SourceUnit::Kind::compound, .first = i, .last = i});
    const std::size_t end = std::min(compound(i), function_.last);
    units_[number].last = end - 1;
    return end;
  }

  std::size_t compound(std::size_t i) {
    const SourceToken& token = tokens_[i];
    if (token.is("{")) {
      const std::size_t close = std::min(closing(tokens_, i), function_.last);
      for (std::size_t k = i + 1; k < close;) k = statement(k);
      return close + 1;
    }
    if (token.is("do")) {
      std::size_t k = statement(i + 1);
      if (k + 1 < function_.last && tokens_[k].is("while")) k = condition(k + 1, true);
      return k + 1;
    }
    if (token.is("if") && tokens_[i + 1].is("constexpr")) return simple(i);
    if (!tokens_[i + 1].is("(")) return simple(i);
    std::size_t k = i;
    if (token.is("for")) {
      k = for_parts(i + 1);
    } else if (token.is("switch")) {
      k = closing(tokens_, i + 1) + 1;
    } else {
      k = condition(i + 1, token.is("while"));
    }
    if (k >= function_.last) return k;
    k = statement(k);
    if (token.is("if") && k < function_.last && tokens_[k].is("else")) k = statement(k + 1);
    return k;
  }

  /// In parentheses. @returns the token after them
  std::size_t condition(std::size_t open, bool of_loop) {
    const std::size_t close = closing(tokens_, open);
    if (close > open + 1 && close < function_.last && !declares(open + 1, close)) {
      units_.push_back({.kind = SourceUnit::Kind::condition,
                        .first = open + 1,
                        .last = close - 1,
                        .of_loop = of_loop});
    }
    return close + 1;
  }

  std::size_t for_parts(std::size_t open) {
    const std::size_t close = closing(tokens_, open);
    if (close >= function_.last) return close + 1;
    std::array<std::size_t, 2> ends = {};
    std::size_t found = 0;
    for (std::size_t k = open + 1; k < close; k = next_at_depth(k)) {
      if (!tokens_[k].is(";")) continue;
      if (found == ends.size()) return close + 1;
      ends[found++] = k;
    }
    if (found < ends.size()) return close + 1;  // over a range
    if (declares(open + 1, ends[0])) {
      values(open + 1, ends[0], true);
    } else if (ends[0] > open + 1) {
      units_.push_back({.kind = SourceUnit::Kind::step,
                        .first = open + 1,
                        .last = ends[0] - 1,
                        .of_loop = true});
    }
    if (ends[1] > ends[0] + 1) {
      units_.push_back({.kind = SourceUnit::Kind::condition,
                        .first = ends[0] + 1,
                        .last = ends[1] - 1,
                        .of_loop = true});
    }
    if (close > ends[1] + 1) {
      units_.push_back({.kind = SourceUnit::Kind::step,
                        .first = ends[1] + 1,
                        .last = close - 1,
                        .of_loop = true});
    }
    return close + 1;
  }

  /// The token after one, or after what it opens.
  [[nodiscard]] std::size_t next_at_depth(std::size_t k) const {
    const bool opens = tokens_[k].is("(") || tokens_[k].is("[") || tokens_[k].is("{");
    return opens ? std::min(closing(tokens_, k), function_.last) + 1 : k + 1;
  }

  /// A declaration, or a statement without others in it.
  std::size_t simple(std::size_t i) {
    std::size_t end = i;
    while (end < function_.last && !tokens_[end].is(";")) end = next_at_depth(end);
    if (end >= function_.last) return function_.last;
    if (declares(i, end)) {
      values(i, end, false);
    } else if (!tokens_[i].is("using") && !tokens_[i].is("typedef") && !tokens_[i].is("goto") &&
               !tokens_[i].is("auto") && !tokens_[i].is("const")) {
      units_.push_back({.kind = SourceUnit::Kind::statement, .first = i, .last = end});
    }
    return end + 1;
  }

  std::size_t after_label(std::size_t i) {
    while (i < function_.last && !tokens_[i].is(":")) i = next_at_depth(i);
    return i + 1;
  }

  [[nodiscard]] bool is_declared_at(std::size_t token) const {
    return std::ranges::any_of(function_.variables, [&](const SourceVariable& variable) {
      return variable.name.data() == tokens_[token].text.data();
    });
  }

  /// Whether a variable is declared in these tokens, or what may be one.
  [[nodiscard]] bool declares(std::size_t first, std::size_t end) const {
    constexpr std::array kWords = {"__shared__", "static", "constexpr", "extern", "auto"};
    if (std::ranges::any_of(kWords, [&](const char* word) { return tokens_[first].is(word); })) {
      return true;
    }
    for (std::size_t k = first; k < end; k = next_at_depth(k)) {
      if (is_declared_at(k)) return true;
    }
    // Of a type that is not known: a name after a name.
    const bool two_names = tokens_[first].kind == SourceToken::Kind::name &&
                           tokens_[first + 1].kind == SourceToken::Kind::name;
    return two_names && !tokens_[first].is("return");
  }

  /// The values of variables that are declared.
  void values(std::size_t first, std::size_t end, bool of_loop) {
    constexpr std::array kFixed = {"__shared__", "static", "constexpr", "extern", "volatile"};
    bool is_auto = false;
    std::string_view name;
    for (std::size_t k = first; k < end;) {
      if (std::ranges::any_of(kFixed, [&](const char* word) { return tokens_[k].is(word); })) {
        return;
      }
      is_auto = is_auto || tokens_[k].is("auto");
      if (tokens_[k].kind == SourceToken::Kind::name) name = tokens_[k].text;
      if (!tokens_[k].is("=")) {
        k = next_at_depth(k);
        continue;
      }
      std::size_t last = k + 1;
      while (last < end && !tokens_[last].is(",")) last = next_at_depth(last);
      if (!tokens_[k + 1].is("{") && !tokens_[k - 1].is("]") && is_computed(k + 1, last)) {
        units_.push_back({.kind = SourceUnit::Kind::value,
                          .first = k + 1,
                          .last = last - 1,
                          .variable = is_auto ? std::string_view() : name,
                          .of_loop = of_loop});
      }
      k = last + 1;
    }
  }

  /// Whether a value is known only when the function runs: another one may be the extent of an
  /// array, but for the start of a loop.
  [[nodiscard]] bool is_computed(std::size_t first, std::size_t last) const {
    const auto& uses = in_.uses();
    return in_.is_in_loop(first) || std::ranges::any_of(uses, [&](const SourceUse& use) {
             return first <= use.first && use.last < last;
           });
  }

  const std::vector<SourceToken>& tokens_;
  const SourceFunction& function_;
  SourceUses in_;
  std::vector<SourceUnit> units_;
};

}  // namespace

std::vector<SourceUnit> units_in(const std::vector<SourceToken>& tokens,
                                 const SourceFunction& function) {
  return UnitsOf(tokens, function).find();
}

}  // namespace warpgrade
