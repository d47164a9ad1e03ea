#include "grader/judge/experiment/source_edits.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <map>
#include <optional>
#include <string_view>
#include <utility>

#include "grader/judge/experiment/repeated_edits.h"
#include "grader/judge/experiment/source_edit_list.h"
#include "grader/judge/experiment/source_uses.h"

namespace warpgrade {
namespace {

using Kind = SourceToken::Kind;
using Tokens = std::vector<SourceToken>;
using enum SourceEditList::Rank;
using Rank = SourceEditList::Rank;

/// A longer condition or expression is not repeated in a sentence.
constexpr std::size_t kLongestQuoted = 32;

/// The page about an operator whose order matters.
constexpr const char* kOrder = "P53";
/// The page about a guard for one axis only, or with the wrong extent.
constexpr const char* kGuard = "P4";

std::string quoted_or(std::string_view text, const char* otherwise) {
  return text.size() <= kLongestQuoted && text.find('\n') == text.npos ? fmt::format("`{}`", text)
                                                                       : otherwise;
}

class EditsOf {
 public:
  EditsOf(const Tokens& tokens, const std::vector<SourceFunction>& functions, std::size_t number,
          SourceEditList& found)
      : tokens_(tokens),
        functions_(functions),
        function_(functions[number]),
        number_(number),
        in_(tokens, functions[number]),
        found_(found) {}

  void find() {
    exchanged_variables();
    for (std::size_t i = function_.open + 1; i < function_.last; ++i) {
      exchanged_in_condition(i);
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
    for (const SourceUse& use : in_.uses()) {
      other_variable(use);
      other_limit(use);
      first_element(use);
      missing_operand(use);
    }
  }

 private:
  [[nodiscard]] SourceEdit::Replacement replaced(std::size_t first, std::size_t last,
                                                 std::string by) const {
    return {tokens_[first].begin, tokens_[last].end(), std::move(by)};
  }

  SourceEdit& add(Rank rank, std::size_t at, std::vector<SourceEdit::Replacement> replacements,
                  std::string kind, std::string fix) {
    return found_.add(rank, {.replacements = std::move(replacements),
                             .function = number_,
                             .line = tokens_[at].line,
                             .kind = std::move(kind),
                             .fix = std::move(fix)});
  }

  /// "`to` in place of `from`". @returns null if they are the same
  SourceEdit* replace(Rank rank, std::size_t first, std::size_t last, const std::string& to,
                      const char* what) {
    const std::string from(in_.text(first, last));
    if (from == to) return nullptr;
    return &add(rank, first, {replaced(first, last, to)},
                fmt::format("another {} than `{}`", what, from),
                fmt::format("`{}` in place of `{}`", to, from));
  }

  void exchanged_variables() {
    std::map<std::uint32_t, std::vector<const SourceUse*>> lines;
    for (const SourceUse& use : in_.uses()) lines[tokens_[use.first].line].push_back(&use);
    for (const auto& [line, uses] : lines) exchange_all(uses, "");
  }

  /// In the condition of an `if` alone, whose statement may be in the same line.
  void exchanged_in_condition(std::size_t i) {
    if (!tokens_[i].is("if") || !tokens_[i + 1].is("(")) return;
    const std::size_t close = closing(tokens_, i + 1);
    std::vector<const SourceUse*> uses;
    for (const SourceUse& use : in_.uses()) {
      if (i + 1 < use.first && use.last < close) uses.push_back(&use);
    }
    exchange_all(uses, " in the condition");
  }

  /// @param where  words that follow the names
  void exchange_all(const std::vector<const SourceUse*>& uses, const char* where) {
    std::map<std::string, const SourceUse*> names;
    for (const SourceUse* use : uses) {
      if (!in_.is_written(*use)) names.try_emplace(use->name, use);
    }
    for (auto a = names.begin(); a != names.end(); ++a) {
      for (auto b = std::next(a); b != names.end(); ++b) {
        if (a->second->type != b->second->type) continue;
        const bool alike = in_.origin_of(*a->second) == in_.origin_of(*b->second);
        exchange(alike ? kUsual : kRarely, uses, a->first, b->first, where);
      }
    }
  }

  void exchange(Rank rank, const std::vector<const SourceUse*>& uses, const std::string& a,
                const std::string& b, const char* where) {
    std::vector<SourceEdit::Replacement> replacements;
    for (const SourceUse* use : uses) {
      const bool one = use->name == a;
      if (!one && use->name != b) continue;
      if (in_.is_written(*use)) return;
      if (in_.visible_as(one ? b : a, *use)) {
        replacements.push_back(replaced(use->first, use->last, one ? b : a));
      }
    }
    const auto first = std::ranges::find_if(
        uses, [&](const SourceUse* use) { return use->name == a || use->name == b; });
    const std::string& other = (*first)->name == a ? b : a;
    SourceEdit& edit = add(rank, (*first)->first, std::move(replacements),
                           fmt::format("two variables exchanged{}", where),
                           fmt::format("`{}` and `{}` exchanged{}", (*first)->name, other, where));
    const bool all_in_guard = std::ranges::all_of(
        uses, [&](const SourceUse* use) { return in_.is_in_guard(use->first); });
    if (all_in_guard && (*first)->type == "int") edit.pitfall = kGuard;
  }

  /// tile[a][b].
  void exchanged_indices(std::size_t i) {
    if (!tokens_[i].is("[") || tokens_[i - 1].kind != Kind::name) return;
    const std::size_t close = closing(tokens_, i);
    if (close + 1 >= function_.last || !tokens_[close + 1].is("[")) return;
    const std::size_t end = closing(tokens_, close + 1);
    if (in_.visible(tokens_[i - 1].text, i) == nullptr || end >= function_.last) return;
    add(kUsual, i,
        {replaced(i, end, fmt::format("{}{}", in_.text(close + 1, end), in_.text(i, close)))},
        "two indices exchanged",
        fmt::format("the two indices of `{}` exchanged", tokens_[i - 1].text));
  }

  /// combine(a, b), of a function of the submission.
  void exchanged_arguments(std::size_t i) {
    const auto callee = std::ranges::find_if(
        functions_, [&](const SourceFunction& f) { return tokens_[i].is(f.name); });
    if (!tokens_[i + 1].is("(") || callee == functions_.end()) return;
    if (!takes_in_any_order(*callee)) return;
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
    const std::string_view first = in_.text(i + 2, commas[0] - 1);
    const std::string_view second = in_.text(commas[0] + 1, end - 1);
    SourceEdit& edit =
        add(kUsual, i, {replaced(i + 2, end - 1, fmt::format("{}, {}", second, first))},
            "two arguments exchanged",
            fmt::format("the {}arguments of `{}` exchanged", commas.size() == 2 ? "first two " : "",
                        tokens_[i].text));
    if (is_operator(*callee)) edit.pitfall = kOrder;
  }

  /// Not a pointer and a value, or a struct and a number, which the compiler would have refused the
  /// other way round.
  [[nodiscard]] static bool takes_in_any_order(const SourceFunction& f) {
    if (f.variables.size() < 2 || f.variables[1].begin != f.open) return true;
    const auto is_number = [](const std::string& type) {
      return type == "int" || type == "float" || type == "double" || type == "bool";
    };
    const std::string& first = f.variables[0].type;
    const std::string& second = f.variables[1].type;
    return first == second || (is_number(first) && is_number(second));
  }

  /// Map combine(Map, Map), and not an index of two numbers.
  [[nodiscard]] bool is_operator(const SourceFunction& f) const {
    if (f.variables.size() < 2 || f.variables[1].begin != f.open) return false;
    const std::string& type = f.variables[0].type;
    if (type != f.variables[1].type || type == "int") return false;
    for (std::size_t i = f.first; i + 1 < f.open; ++i) {
      if (tokens_[i + 1].is(f.name)) return tokens_[i].is(type);
    }
    return false;
  }

  /// What a compiler that unrolls a loop leaves nothing of.
  void loop_numbers(std::size_t i) {
    const Rank rank = in_.is_in_loop(i) ? kUsual : kOften;
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
    if (!in_.is_in_loop(i)) return;
    if (value) {
      for (const long other : {*value + 1, *value - 1, *value * 2, *value / 2}) {
        if (other >= 0) replace(kOften, i, i, std::to_string(other), "number");
      }
      return;
    }
    if (!in_.is_constant(i)) return;
    const std::string name(tokens_[i].text);
    for (const char* const change : {" / 2", " * 2", " - 1", " + 1"}) {
      replace(kOften, i, i, name + change, "number");
    }
  }

  static std::string_view next_to(std::string_view comparison) {
    static const std::map<std::string_view, std::string_view> kOther = {
        {"<", "<="}, {"<=", "<"}, {">", ">="}, {">=", ">"}};
    const auto it = kOther.find(comparison);
    return it == kOther.end() ? std::string_view() : it->second;
  }

  void loop_comparisons(std::size_t i) {
    const std::string_view other = next_to(tokens_[i].text);
    if (!other.empty() && in_.is_in_loop(i)) {
      replace(kUsual, i, i, std::string(other), "comparison");
    }
  }

  /// i += gridDim.x.
  void step(std::size_t i) {
    if (!tokens_[i].is("+=") || !in_.is_in_loop(i)) return;
    const auto loop = std::ranges::find_if(
        in_.loops(), [&](const auto& l) { return l.first < i && i < l.second; });
    if (loop == in_.loops().end()) return;
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
        in_.visible(tokens_[last + 1].text, last + 4) == nullptr) {
      return;
    }
    static const std::multimap<std::string_view, const char*> kOther = {
        {"unsigned short", "int"}, {"short", "int"},          {"unsigned char", "int"},
        {"char", "int"},           {"char", "unsigned char"}, {"bool", "int"},
        {"float", "double"},       {"int", "float"},          {"int", "unsigned"},
        {"int", "long long"},      {"unsigned", "int"},       {"unsigned", "unsigned long long"}};
    const auto [begin, end] = kOther.equal_range(in_.text(i, last));
    for (auto it = begin; it != end; ++it) {
      // It would not compile, and the compiler would have to run again for the others.
      if (it->second == std::string_view("float") && is_whole(tokens_[last + 1].text)) continue;
      replace(tokens_[i].is("int") ? kSometimes : kUsual, i, last, it->second, "type");
    }
  }

  /// Whether a variable is used where a float cannot be: in an index, or with an operator of whole
  /// numbers.
  [[nodiscard]] bool is_whole(std::string_view name) const {
    return std::ranges::any_of(in_.uses(), [&](const SourceUse& use) {
      return use.name == name &&
             (in_.is_in_brackets(use.first) || is_of_whole_numbers(use.last + 1) ||
              (is_of_whole_numbers(use.first - 1) && ends_operand(use.first - 2)));
    });
  }

  [[nodiscard]] bool is_of_whole_numbers(std::size_t token) const {
    constexpr std::array kWholeSigns = {"%",  "&",  "|",  "^",  "<<",  ">>",
                                        "%=", "&=", "|=", "^=", "<<=", ">>="};
    return std::ranges::any_of(kWholeSigns,
                               [&](const char* sign) { return tokens_[token].is(sign); });
  }

  /// Of a binary operator after it.
  [[nodiscard]] bool ends_operand(std::size_t token) const {
    const SourceToken& last = tokens_[token];
    return last.kind != Kind::sign || last.is(")") || last.is("]");
  }

  /// if (i < n) where one element per thread is not enough.
  void missing_loop(std::size_t i) {
    if (!tokens_[i].is("if") || !tokens_[i + 1].is("(")) return;
    const std::size_t close = closing(tokens_, i + 1);
    const std::string name(tokens_[i + 2].text);
    const SourceVariable* const variable = in_.visible(name, i);
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
                               in_.text(i + 4, close - 1), by))};
      for (const SourceUse& use : in_.uses()) {
        if (use.first > close && use.first < end && use.name == name) {
          replacements.push_back(replaced(use.first, use.last, "own_"));
        }
      }
      add(kOften, i, std::move(replacements), "a loop in place of `if`",
          fmt::format("a loop in steps of `{}` in place of `if`", by));
    }
  }

  void condition(std::size_t i) {
    if (!tokens_[i].is("&&") && !tokens_[i].is("||")) return;
    const std::size_t left = in_.end_of_operand(i - 1, -1);
    const std::size_t right = in_.end_of_operand(i + 1, 1);
    if (left >= i || right <= i) return;
    const auto without = [&](std::size_t first, std::size_t last) {
      return fmt::format("the condition without {}", quoted_or(in_.text(first, last), "one part"));
    };
    add(kSometimes, i + 1, {replaced(i, right, "")}, "one condition left out",
        without(i + 1, right));
    add(kSometimes, left, {replaced(left, i, "")}, "one condition left out", without(left, i - 1));
  }

  void assignment(std::size_t i) {
    if (tokens_[i].is("+=") && !in_.is_in_loop(i) && !in_.is_to_pointer(i))
      replace(kOften, i, i, "=", "assignment");
    if (!tokens_[i].is("=") || in_.is_in_loop(i)) return;
    const bool to_variable =
        tokens_[i - 1].is("]") ||
        (tokens_[i - 1].kind == Kind::name && in_.visible(tokens_[i - 1].text, i - 1) != nullptr);
    if (to_variable && may_be_added(i - 1)) replace(kSometimes, i, i, "+=", "assignment");
  }

  /// Whether a variable, or an array's element, may have +=, for all that is known of its type.
  /// @param last  its last token
  [[nodiscard]] bool may_be_added(std::size_t last) const {
    if (function_.is_template) return true;
    std::size_t name = last;
    for (int depth = 0; tokens_[name].kind != Kind::name || depth > 0; --name) {
      if (tokens_[name].is("]")) ++depth;
      if (tokens_[name].is("[")) --depth;
      if (name == function_.open) return true;
    }
    const SourceVariable* const variable = in_.visible(tokens_[name].text, name);
    if (variable == nullptr) return true;
    std::string type = variable->type.substr(0, variable->type.find_first_of("*["));
    if (type.starts_with("const ")) type.erase(0, 6);
    constexpr std::array kNumbers = {"unsigned", "int",   "float", "double", "bool",
                                     "char",     "short", "long",  "half"};
    return type.ends_with("_t") ||
           std::ranges::any_of(kNumbers, [&](const char* of) { return type.starts_with(of); });
  }

  /// "- 1" or "* factor" too much.
  void term(std::size_t i) {
    const bool is_sign =
        tokens_[i].is("+") || tokens_[i].is("-") || tokens_[i].is("*") || tokens_[i].is("/");
    const SourceToken& before = tokens_[i - 1];
    const bool binary = before.kind != Kind::sign || before.is(")") || before.is("]");
    const SourceToken& after = tokens_[i + 1];
    const bool simple = after.kind == Kind::name || after.kind == Kind::number;
    if (!is_sign || !binary || !simple || in_.ends_control(i - 1) || before.is("return")) return;
    std::size_t last = i + 1;
    if (is_index(after.text)) last = i + 3;
    if (tokens_[last + 1].is("(") || tokens_[last + 1].is(".")) return;
    while (tokens_[last + 1].is("[")) last = closing(tokens_, last + 1);
    // A sum's term that is a product is more than this.
    const bool sum = tokens_[i].is("+") || tokens_[i].is("-");
    if (sum && (tokens_[last + 1].is("*") || tokens_[last + 1].is("/"))) return;
    // A declared pointer: float* name.
    if (tokens_[i].is("*") && tokens_[last + 1].is("=")) return;
    if (tokens_[i].is("*") && in_.visible(after.text, i) == nullptr && !in_.is_constant(i + 1))
      return;
    add(kSometimes, i, {replaced(i, last, "")}, "one operand less",
        fmt::format("the expression without {}", quoted_or(in_.text(i, last), "one operand")));
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
    if (const std::string_view next = next_to(tokens_[a].text);
        !next.empty() && !in_.is_of_template(a)) {
      others.emplace_back(next, "comparison");
    }
    if (const std::optional<long> value = whole_number(tokens_[a]);
        value && tokens_[a].text == tokens_[b].text) {
      for (const long other : {*value + 1, *value - 1}) {
        if (other >= 0) others.emplace_back(std::to_string(other), "number");
      }
    }
    for (const auto& [other, what] : others) {
      SourceEdit* const edit = replace(kUsual, a, a, other, what);
      if (edit == nullptr) continue;
      edit->replacements.push_back(replaced(b, b, other));
      edit->also = {tokens_[b].line};
    }
  }

  void other_variable(const SourceUse& use) {
    if (in_.is_written(use) || in_.is_counter(use) || is_index(tokens_[use.first].text)) return;
    std::set<std::string_view> tried = {use.name};
    for (const SourceVariable& other : function_.variables) {
      if (other.type != use.type || in_.visible(other.name, use.first) != &other) continue;
      if (!tried.insert(other.name).second) continue;
      const SourceUse as_other = {use.first, use.last, std::string(other.name), use.type};
      const bool alike = in_.origin_of(use) == in_.origin_of(as_other);
      SourceEdit* const edit =
          replace(alike ? kOften : kSometimes, use.first, use.last, as_other.name, "variable");
      if (edit != nullptr && alike && use.type == "int" && in_.is_in_guard(use.first)) {
        edit->pitfall = kGuard;
      }
    }
  }

  /// x < n, where x < n - 1 is meant. The compiler may have left nothing of it, where another
  /// condition is stronger.
  void other_limit(const SourceUse& use) {
    const SourceToken& before = tokens_[use.first - 1];
    const SourceToken& after = tokens_[use.last + 1];
    const bool ends = after.is(")") || after.is("&&") || after.is("||") || after.is(";");
    if (use.type != "int" || next_to(before.text).empty() || !ends) return;
    for (const char* const by : {" - 1", " + 1"}) {
      replace(kUsual, use.first, use.last, use.name + by, "limit");
    }
  }

  /// part[t], where the block's result is in part[0].
  void first_element(const SourceUse& use) {
    if (use.type != "int" || !tokens_[use.first - 1].is("[") || !tokens_[use.last + 1].is("]")) {
      return;
    }
    replace(kSometimes, use.first, use.last, "0", "index");
  }

  /// sum, where sum * factor is meant.
  void missing_operand(const SourceUse& use) {
    if (in_.is_written(use)) return;
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
    const std::string whole(in_.text(use.first, last));
    for (const SourceVariable& other : function_.variables) {
      if (other.type != type || in_.visible(other.name, use.first) != &other) continue;
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
  SourceUses in_;  // the function
  SourceEditList& found_;
};

}  // namespace

void add_source_edits(const Tokens& tokens, const std::vector<SourceFunction>& functions,
                      std::size_t number, SourceEditList& found) {
  EditsOf(tokens, functions, number, found).find();
  add_repeated_edits(tokens, functions, number, found);
}

std::vector<SourceEdit> source_edits(const Tokens& tokens,
                                     const std::vector<SourceFunction>& functions,
                                     const std::set<std::size_t>& edited) {
  SourceEditList found;
  for (const std::size_t number : edited) add_source_edits(tokens, functions, number, found);
  return std::move(found).in_turns();
}

}  // namespace warpgrade
