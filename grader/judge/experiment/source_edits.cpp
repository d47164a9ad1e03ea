#include "grader/judge/experiment/source_edits.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <iterator>
#include <map>
#include <optional>
#include <string_view>
#include <utility>

namespace warpgrade {
namespace {

using Kind = SourceToken::Kind;
using Tokens = std::vector<SourceToken>;

/// How soon an edit is tried.
enum Rank : std::uint8_t { kUsual, kOften, kSometimes, kRarely };

/// So many of a kind come before those of the next rank.
constexpr std::size_t kTurnsOfRank = 4;
/// A longer condition or expression is not repeated in a sentence.
constexpr std::size_t kLongestQuoted = 32;

struct Ranked {
  Rank rank;
  SourceEdit edit;
  std::size_t turn = 0;  // the later, the more of its kind come before
};

/// Tokens that name one value: a variable, or threadIdx.x.
struct Use {
  std::size_t first = 0, last = 0;  // tokens
  std::string name;
  std::string type;
};

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

std::string quoted_or(std::string_view text, const char* otherwise) {
  return text.size() <= kLongestQuoted && text.find('\n') == text.npos ? fmt::format("`{}`", text)
                                                                       : otherwise;
}

class EditsOf {
 public:
  EditsOf(const Tokens& tokens, const std::vector<SourceFunction>& functions, std::size_t number,
          std::vector<Ranked>& found)
      : tokens_(tokens),
        functions_(functions),
        function_(functions[number]),
        number_(number),
        found_(found) {
    find_uses();
    find_loops();
  }

  void find() {
    exchanged_variables();
    for (std::size_t i = function_.open + 1; i < function_.last; ++i) {
      exchanged_indices(i);
      exchanged_arguments(i);
      loop_numbers(i);
      loop_comparisons(i);
      step(i);
      type(i);
      missing_loop(i);
      condition(i);
      assignment(i);
      term(i);
    }
    twins();
    for (const Use& use : uses_) {
      other_variable(use);
      other_limit(use);
      first_element(use);
      missing_operand(use);
    }
  }

 private:
  [[nodiscard]] std::string_view text(std::size_t first, std::size_t last) const {
    const char* const begin = tokens_[first].text.data();
    const std::string_view end = tokens_[last].text;
    return {begin, static_cast<std::size_t>(end.data() + end.size() - begin)};
  }

  [[nodiscard]] SourceEdit::Replacement replaced(std::size_t first, std::size_t last,
                                                 std::string by) const {
    return {tokens_[first].begin, tokens_[last].end(), std::move(by)};
  }

  void add(Rank rank, std::size_t at, std::vector<SourceEdit::Replacement> replacements,
           std::string kind, std::string fix) {
    found_.push_back({rank,
                      {.replacements = std::move(replacements),
                       .function = number_,
                       .line = tokens_[at].line,
                       .kind = std::move(kind),
                       .fix = std::move(fix)}});
  }

  /// "`to` in place of `from`".
  void replace(Rank rank, std::size_t first, std::size_t last, const std::string& to,
               const char* what) {
    const std::string from(text(first, last));
    if (from == to) return;
    add(rank, first, {replaced(first, last, to)}, fmt::format("another {} than `{}`", what, from),
        fmt::format("`{}` in place of `{}`", to, from));
  }

  [[nodiscard]] const SourceVariable* visible(std::string_view name, std::size_t at) const {
    const SourceVariable* found = nullptr;
    for (const SourceVariable& variable : function_.variables) {
      if (variable.name == name && variable.begin <= at && at < variable.end) found = &variable;
    }
    return found;
  }

  void find_uses() {
    for (std::size_t i = function_.open + 1; i < function_.last; ++i) {
      const SourceToken& token = tokens_[i];
      const SourceToken& before = tokens_[i - 1];
      if (token.kind != Kind::name || before.is(".") || before.is("->") || before.is("::"))
        continue;
      if (is_index(token.text) && tokens_[i + 1].is(".")) {
        uses_.push_back({i, i + 2, std::string(text(i, i + 2)), "int"});
      } else if (const SourceVariable* variable = visible(token.text, i)) {
        uses_.push_back({i, i, std::string(token.text), variable->type});
      }
    }
  }

  /// Tokens in the parentheses of `for` and `while`.
  void find_loops() {
    for (std::size_t i = function_.open + 1; i < function_.last; ++i) {
      if (!tokens_[i].is("(") || !(tokens_[i - 1].is("for") || tokens_[i - 1].is("while")))
        continue;
      const std::size_t close = closing(tokens_, i);
      for (std::size_t k = i; k < close; ++k) in_loop_.insert(k);
      loops_.push_back({i, close});
    }
  }

  [[nodiscard]] bool is_written(const Use& use) const {
    const SourceToken& after = tokens_[use.last + 1];
    const SourceToken& before = tokens_[use.first - 1];
    return is_assignment(after) || after.is("++") || after.is("--") || before.is("++") ||
           before.is("--");
  }

  void exchanged_variables() {
    std::map<std::uint32_t, std::vector<const Use*>> lines;
    for (const Use& use : uses_) lines[tokens_[use.first].line].push_back(&use);
    for (const auto& [line, uses] : lines) {
      std::map<std::string, const Use*> names;
      for (const Use* use : uses) {
        if (!is_written(*use)) names.try_emplace(use->name, use);
      }
      for (auto a = names.begin(); a != names.end(); ++a) {
        for (auto b = std::next(a); b != names.end(); ++b) {
          if (a->second->type != b->second->type) continue;
          const bool alike = origin_of(*a->second) == origin_of(*b->second);
          exchange(alike ? kUsual : kRarely, uses, a->first, b->first);
        }
      }
    }
  }

  /// Indices are exchanged with indices, and parameters with parameters.
  enum class Origin : std::uint8_t { index, parameter, loop, local };

  [[nodiscard]] Origin origin_of(const Use& use) const {
    if (is_index(tokens_[use.first].text)) return Origin::index;
    const SourceVariable& variable = *visible(use.name, use.first);
    if (variable.begin == function_.open) return Origin::parameter;
    return in_loop_.contains(variable.begin) ? Origin::loop : Origin::local;
  }

  void exchange(Rank rank, const std::vector<const Use*>& uses, const std::string& a,
                const std::string& b) {
    std::vector<SourceEdit::Replacement> replacements;
    for (const Use* use : uses) {
      const bool one = use->name == a;
      if (!one && use->name != b) continue;
      if (is_written(*use)) return;
      if (visible_as(one ? b : a, *use)) {
        replacements.push_back(replaced(use->first, use->last, one ? b : a));
      }
    }
    const auto first = std::ranges::find_if(
        uses, [&](const Use* use) { return use->name == a || use->name == b; });
    const std::string& other = (*first)->name == a ? b : a;
    add(rank, (*first)->first, std::move(replacements), "two variables exchanged",
        fmt::format("`{}` and `{}` exchanged", (*first)->name, other));
  }

  /// Whether a name means a value of the same type where another one is used.
  [[nodiscard]] bool visible_as(std::string_view name, const Use& use) const {
    if (is_index(name.substr(0, name.find('.')))) return use.type == "int";
    const SourceVariable* const variable = visible(name, use.first);
    return variable != nullptr && variable->type == use.type;
  }

  /// tile[a][b].
  void exchanged_indices(std::size_t i) {
    if (!tokens_[i].is("[") || tokens_[i - 1].kind != Kind::name) return;
    const std::size_t close = closing(tokens_, i);
    if (close + 1 >= function_.last || !tokens_[close + 1].is("[")) return;
    const std::size_t end = closing(tokens_, close + 1);
    if (visible(tokens_[i - 1].text, i) == nullptr || end >= function_.last) return;
    add(kUsual, i, {replaced(i, end, fmt::format("{}{}", text(close + 1, end), text(i, close)))},
        "two indices exchanged",
        fmt::format("the two indices of `{}` exchanged", tokens_[i - 1].text));
  }

  /// combine(a, b), of a function of the submission.
  void exchanged_arguments(std::size_t i) {
    const auto is_callee = [&](const SourceFunction& f) { return tokens_[i].is(f.name); };
    if (!tokens_[i + 1].is("(") || std::ranges::none_of(functions_, is_callee)) return;
    const std::size_t close = closing(tokens_, i + 1);
    std::vector<std::size_t> commas;
    int depth = 0;
    for (std::size_t k = i + 2; k < close; ++k) {
      if (tokens_[k].is("(") || tokens_[k].is("[") || tokens_[k].is("{")) ++depth;
      if (tokens_[k].is(")") || tokens_[k].is("]") || tokens_[k].is("}")) --depth;
      if (depth == 0 && tokens_[k].is(",")) commas.push_back(k);
    }
    if (commas.empty() || commas.size() > 2 || commas.front() == i + 2) return;
    // The first two, of which a third says what is to be done.
    const std::size_t end = commas.size() == 2 ? commas[1] : close;
    const std::string_view first = text(i + 2, commas[0] - 1);
    const std::string_view second = text(commas[0] + 1, end - 1);
    add(kUsual, i, {replaced(i + 2, end - 1, fmt::format("{}, {}", second, first))},
        "two arguments exchanged",
        fmt::format("the {}arguments of `{}` exchanged", commas.size() == 2 ? "first two " : "",
                    tokens_[i].text));
  }

  /// What a compiler that unrolls a loop leaves nothing of.
  void loop_numbers(std::size_t i) {
    const Rank rank = in_loop_.contains(i) ? kUsual : kOften;
    const std::optional<long> value = whole_number(tokens_[i]);
    const bool is_divisor = tokens_[i - 1].is("/");
    if (value && *value > 1 && (is_divisor || tokens_[i - 1].is("*"))) {
      const std::size_t before = i - 2;
      if (tokens_[before].kind == Kind::name && !tokens_[before - 1].is(".")) {
        replace(rank, before, i, std::string(tokens_[before].text), "number");
      }
      if (*value > 2 && *value % 2 == 0) {
        replace(rank, i, i, std::to_string(*value / 2), "number");
      }
      replace(rank, i, i, std::to_string(*value * 2), "number");
      return;
    }
    if (!in_loop_.contains(i)) return;
    if (value) {
      for (const long other : {*value + 1, *value - 1, *value * 2, *value / 2}) {
        if (other >= 0) replace(kOften, i, i, std::to_string(other), "number");
      }
      return;
    }
    if (!is_constant(i)) return;
    const std::string name(tokens_[i].text);
    for (const char* const change : {" / 2", " * 2", " - 1", " + 1"}) {
      replace(kOften, i, i, name + change, "number");
    }
  }

  /// A name of the source for a number: kBlock.
  [[nodiscard]] bool is_constant(std::size_t i) const {
    const SourceToken& token = tokens_[i];
    const SourceToken& next = tokens_[i + 1];
    const SourceToken& before = tokens_[i - 1];
    return token.kind == Kind::name && visible(token.text, i) == nullptr && !is_index(token.text) &&
           !next.is("(") && !next.is("::") && !before.is(".") && !before.is("->") &&
           (before.kind == Kind::sign && !before.is("(")) && next.kind == Kind::sign &&
           !next.is("*") && !next.is("/") && !next.is(".");
  }

  static std::string_view next_to(std::string_view comparison) {
    static const std::map<std::string_view, std::string_view> kOther = {
        {"<", "<="}, {"<=", "<"}, {">", ">="}, {">=", ">"}};
    const auto it = kOther.find(comparison);
    return it == kOther.end() ? std::string_view() : it->second;
  }

  void loop_comparisons(std::size_t i) {
    const std::string_view other = next_to(tokens_[i].text);
    if (!other.empty() && in_loop_.contains(i)) {
      replace(kUsual, i, i, std::string(other), "comparison");
    }
  }

  /// i += gridDim.x.
  void step(std::size_t i) {
    if (!tokens_[i].is("+=") || !in_loop_.contains(i)) return;
    const auto loop =
        std::ranges::find_if(loops_, [&](const auto& l) { return l.first < i && i < l.second; });
    if (loop == loops_.end()) return;
    const std::size_t last = loop->second - 1;
    for (const char* const other : {"blockDim.x", "gridDim.x * blockDim.x"}) {
      replace(kUsual, i + 1, last, other, "step");
    }
  }

  /// Of a declaration.
  void type(std::size_t i) {
    if (!tokens_[i - 1].is(";") && !tokens_[i - 1].is("{") && !tokens_[i - 1].is("}") &&
        !tokens_[i - 1].is("const") && !tokens_[i - 1].is("(")) {
      return;
    }
    std::size_t last = i;
    if (tokens_[i].is("unsigned") && (tokens_[i + 1].is("short") || tokens_[i + 1].is("char"))) {
      ++last;
    }
    if (tokens_[last + 1].kind != Kind::name ||
        visible(tokens_[last + 1].text, last + 4) == nullptr) {
      return;
    }
    static const std::multimap<std::string_view, const char*> kOther = {
        {"unsigned short", "int"}, {"short", "int"},          {"unsigned char", "int"},
        {"char", "int"},           {"char", "unsigned char"}, {"bool", "int"},
        {"float", "double"},       {"int", "float"},          {"int", "unsigned"},
        {"int", "long long"},      {"unsigned", "int"},       {"unsigned", "unsigned long long"}};
    const auto [begin, end] = kOther.equal_range(text(i, last));
    for (auto it = begin; it != end; ++it) {
      replace(tokens_[i].is("int") ? kSometimes : kUsual, i, last, it->second, "type");
    }
  }

  /// if (i < n) where one element per thread is not enough.
  void missing_loop(std::size_t i) {
    if (!tokens_[i].is("if") || !tokens_[i + 1].is("(")) return;
    const std::size_t close = closing(tokens_, i + 1);
    const std::string name(tokens_[i + 2].text);
    const SourceVariable* const variable = visible(name, i);
    if (variable == nullptr || variable->type != "int" || !tokens_[i + 3].is("<")) return;
    for (std::size_t k = i + 4; k < close; ++k) {
      if (tokens_[k].is("&&") || tokens_[k].is("||")) return;
    }
    std::size_t end = close + 1;
    if (tokens_[end].is("{")) {
      end = closing(tokens_, end);
    } else {
      while (end < function_.last && !tokens_[end].is(";")) ++end;
    }
    if (end >= function_.last || tokens_[end + 1].is("else")) return;
    for (const char* const by : {"blockDim.x", "gridDim.x * blockDim.x"}) {
      std::vector<SourceEdit::Replacement> replacements = {
          replaced(i, close,
                   fmt::format("for (int own_ = {0}; own_ < {1}; own_ += {2})", name,
                               text(i + 4, close - 1), by))};
      for (const Use& use : uses_) {
        if (use.first > close && use.first < end && use.name == name) {
          replacements.push_back(replaced(use.first, use.last, "own_"));
        }
      }
      add(kOften, i, std::move(replacements), "a loop in place of `if`",
          fmt::format("a loop in steps of `{}` in place of `if`", by));
    }
  }

  /// Where the operand of && or || ends, in one direction.
  [[nodiscard]] std::size_t end_of_operand(std::size_t from, int direction) const {
    int depth = 0;
    std::size_t i = from;
    for (;; i += static_cast<std::size_t>(direction)) {
      const std::string_view word = tokens_[i].text;
      const bool opens = word == "(" || word == "[";
      const bool closes = word == ")" || word == "]";
      depth += (direction > 0 ? opens : closes) ? 1 : 0;
      depth -= (direction > 0 ? closes : opens) ? 1 : 0;
      const bool ends = word == "&&" || word == "||" || word == ";" || word == "?" || word == "{" ||
                        word == "=" || word == "," || word == "return" || word == "}" ||
                        word == ":";
      if (depth < 0 || (depth == 0 && ends)) break;
    }
    return i - static_cast<std::size_t>(direction);
  }

  void condition(std::size_t i) {
    if (!tokens_[i].is("&&") && !tokens_[i].is("||")) return;
    const std::size_t left = end_of_operand(i - 1, -1);
    const std::size_t right = end_of_operand(i + 1, 1);
    if (left >= i || right <= i) return;
    const auto without = [&](std::size_t first, std::size_t last) {
      return fmt::format("the condition without {}", quoted_or(text(first, last), "one part"));
    };
    add(kSometimes, i + 1, {replaced(i, right, "")}, "one condition left out",
        without(i + 1, right));
    add(kSometimes, left, {replaced(left, i, "")}, "one condition left out", without(left, i - 1));
  }

  void assignment(std::size_t i) {
    if (tokens_[i].is("+=") && !in_loop_.contains(i)) replace(kOften, i, i, "=", "assignment");
    if (!tokens_[i].is("=") || in_loop_.contains(i)) return;
    const bool to_variable =
        tokens_[i - 1].is("]") ||
        (tokens_[i - 1].kind == Kind::name && visible(tokens_[i - 1].text, i - 1) != nullptr);
    if (to_variable) replace(kSometimes, i, i, "+=", "assignment");
  }

  /// "- 1" or "* factor" too much.
  void term(std::size_t i) {
    const bool is_sign =
        tokens_[i].is("+") || tokens_[i].is("-") || tokens_[i].is("*") || tokens_[i].is("/");
    const SourceToken& before = tokens_[i - 1];
    const bool binary = before.kind != Kind::sign || before.is(")") || before.is("]");
    const SourceToken& after = tokens_[i + 1];
    const bool simple = after.kind == Kind::name || after.kind == Kind::number;
    if (!is_sign || !binary || !simple) return;
    std::size_t last = i + 1;
    if (is_index(after.text)) last = i + 3;
    if (tokens_[last + 1].is("(") || tokens_[last + 1].is(".")) return;
    if (tokens_[last + 1].is("[")) last = closing(tokens_, last + 1);
    // A sum's term that is a product is more than this.
    const bool sum = tokens_[i].is("+") || tokens_[i].is("-");
    if (sum && (tokens_[last + 1].is("*") || tokens_[last + 1].is("/"))) return;
    // A declared pointer: float* name.
    if (tokens_[i].is("*") && visible(after.text, i) == nullptr && !is_constant(i + 1)) return;
    add(kSometimes, i, {replaced(i, last, "")}, "one operand less",
        fmt::format("the expression without {}", quoted_or(text(i, last), "one operand")));
  }

  /// Lines that say the same of two things, as of capitals and small letters, have the same slip.
  void twins() {
    std::map<std::uint32_t, std::vector<std::size_t>> lines;
    for (std::size_t i = function_.open + 1; i < function_.last; ++i) {
      lines[tokens_[i].line].push_back(i);
    }
    for (auto a = lines.begin(); a != lines.end(); ++a) {
      const auto b = std::find_if(std::next(a), lines.end(), [&](const auto& other) {
        return a->second.size() > 6 && is_like(a->second, other.second);
      });
      if (b == lines.end()) continue;
      for (std::size_t k = 0; k < a->second.size(); ++k) {
        twin(a->second[k], b->second[k]);
      }
    }
  }

  [[nodiscard]] bool is_like(const std::vector<std::size_t>& one,
                             const std::vector<std::size_t>& other) const {
    return std::ranges::equal(one, other, [&](std::size_t a, std::size_t b) {
      const SourceToken& x = tokens_[a];
      const SourceToken& y = tokens_[b];
      return x.kind == y.kind && (x.kind != Kind::sign || x.text == y.text);
    });
  }

  void twin(std::size_t a, std::size_t b) {
    std::vector<std::pair<std::string, const char*>> others;
    if (const std::string_view next = next_to(tokens_[a].text); !next.empty()) {
      others.emplace_back(next, "comparison");
    }
    if (const std::optional<long> value = whole_number(tokens_[a]);
        value && tokens_[a].text == tokens_[b].text) {
      for (const long other : {*value + 1, *value - 1}) {
        if (other >= 0) others.emplace_back(std::to_string(other), "number");
      }
    }
    for (const auto& [other, what] : others) {
      replace(kUsual, a, a, other, what);
      SourceEdit& edit = found_.back().edit;
      edit.replacements.push_back(replaced(b, b, other));
      edit.twin = tokens_[b].line;
    }
  }

  void other_variable(const Use& use) {
    if (is_written(use) || is_index(tokens_[use.first].text)) return;
    std::set<std::string_view> tried = {use.name};
    for (const SourceVariable& other : function_.variables) {
      if (other.type != use.type || visible(other.name, use.first) != &other) continue;
      if (!tried.insert(other.name).second) continue;
      const Use as_other = {use.first, use.last, std::string(other.name), use.type};
      const bool alike = origin_of(use) == origin_of(as_other);
      replace(alike ? kOften : kSometimes, use.first, use.last, as_other.name, "variable");
    }
  }

  /// x < n, where x < n - 1 is meant. The compiler may have left nothing of it, where another
  /// condition is stronger.
  void other_limit(const Use& use) {
    const SourceToken& before = tokens_[use.first - 1];
    const SourceToken& after = tokens_[use.last + 1];
    const bool ends = after.is(")") || after.is("&&") || after.is("||") || after.is(";");
    if (use.type != "int" || next_to(before.text).empty() || !ends) return;
    for (const char* const by : {" - 1", " + 1"}) {
      replace(kUsual, use.first, use.last, use.name + by, "limit");
    }
  }

  /// part[t], where the block's result is in part[0].
  void first_element(const Use& use) {
    if (use.type != "int" || !tokens_[use.first - 1].is("[") || !tokens_[use.last + 1].is("]")) {
      return;
    }
    replace(kSometimes, use.first, use.last, "0", "index");
  }

  /// sum, where sum * factor is meant.
  void missing_operand(const Use& use) {
    if (is_written(use)) return;
    std::size_t last = use.last;
    std::string type = use.type;
    for (; tokens_[last + 1].is("["); last = closing(tokens_, last + 1)) {
      if (type.ends_with("[]")) {
        type.erase(type.size() - 2);
      } else if (type.ends_with("*")) {
        type.pop_back();
      }
    }
    if (type.starts_with("const ")) type.erase(0, 6);
    if ((type != "float" && type != "double") || is_assignment(tokens_[last + 1])) return;
    const SourceToken& after = tokens_[last + 1];
    const SourceToken& before = tokens_[use.first - 1];
    const bool ends = after.is("+") || after.is("-") || after.is(";") || after.is(")");
    const bool begins = before.is("=") || before.is("+") || before.is("-") || before.is("(") ||
                        before.is("+=") || before.is("return");
    if (!ends || !begins) return;
    std::set<std::string_view> tried = {use.name};
    const std::string whole(text(use.first, last));
    for (const SourceVariable& other : function_.variables) {
      if (other.type != type || visible(other.name, use.first) != &other) continue;
      if (!tried.insert(other.name).second) continue;
      for (const char* const sign : {"*", "-", "/"}) {
        add(kSometimes, use.first,
            {replaced(use.first, last, fmt::format("{} {} {}", whole, sign, other.name))},
            "one operand more",
            fmt::format("`{} {} {}` in place of `{}`", whole, sign, other.name, whole));
      }
    }
  }

  const Tokens& tokens_;
  const std::vector<SourceFunction>& functions_;
  const SourceFunction& function_;
  std::size_t number_;
  std::vector<Ranked>& found_;
  std::vector<Use> uses_;
  std::vector<std::pair<std::size_t, std::size_t>> loops_;  // parentheses
  std::set<std::size_t> in_loop_;  // tokens
};

}  // namespace

std::vector<SourceEdit> source_edits(const Tokens& tokens,
                                     const std::vector<SourceFunction>& functions,
                                     const std::set<std::size_t>& edited) {
  std::vector<Ranked> found;
  for (const std::size_t number : edited) EditsOf(tokens, functions, number, found).find();
  // Of each kind some, since the compiler's time ends the list.
  std::map<std::pair<Rank, std::string>, std::size_t> turns;
  for (Ranked& ranked : found) {
    const std::string kind = ranked.edit.kind.substr(0, ranked.edit.kind.find('`'));
    ranked.turn = ranked.rank * kTurnsOfRank + turns[{ranked.rank, kind}]++;
  }
  std::ranges::stable_sort(found, {}, &Ranked::turn);
  std::vector<SourceEdit> edits;
  std::set<std::string> known;
  for (Ranked& ranked : found) {
    std::string key;
    for (const SourceEdit::Replacement& r : ranked.edit.replacements) {
      key += fmt::format("{}-{} {};", r.begin, r.end, r.text);
    }
    if (known.insert(std::move(key)).second) edits.push_back(std::move(ranked.edit));
  }
  return edits;
}

}  // namespace warpgrade
