#include "grader/judge/experiment/structural_edits.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>

#include "grader/judge/experiment/source_edit_list.h"
#include "grader/judge/experiment/source_units.h"
#include "grader/judge/experiment/source_uses.h"

namespace warpgrade {
namespace {

/// A longer condition or statement is not repeated in a sentence.
constexpr std::size_t kLongestQuotedPart = 40;
/// A longer condition is not tried before other statements.
constexpr std::size_t kLongestGuard = 24;  // tokens

std::string quoted_part(std::string_view text, const char* otherwise) {
  return text.size() <= kLongestQuotedPart && text.find('\n') == text.npos
             ? fmt::format("`{}`", text)
             : otherwise;
}

class StructuralEdits {
 public:
  StructuralEdits(const std::vector<SourceToken>& tokens, const SourceFunction& function,
                  std::size_t number, SourceEditList& found)
      : tokens_(tokens),
        function_(function),
        number_(number),
        in_(tokens, function),
        units_(units_in(tokens, function)),
        found_(found) {
    // constexpr int kBlock = 256;
    for (std::size_t i = 0; i + 3 < tokens.size(); ++i) {
      const bool whole = tokens[i + 1].is("int") || tokens[i + 1].is("unsigned");
      if (tokens[i].is("constexpr") && whole && tokens[i + 3].is("=")) {
        constants_.insert(tokens[i + 2].text);
      }
    }
  }

  void find() {
    for (const SourceUse& use : in_.uses()) other_index(use);
    for (const SourceUnit& unit : units_) {
      axes_of(unit);
      if (unit.kind == SourceUnit::Kind::condition && !unit.of_loop) conditions(unit);
      if (unit.kind == SourceUnit::Kind::statement) statements(unit);
      if (unit.kind == SourceUnit::Kind::compound) loops(unit);
    }
    for (std::size_t i = function_.open + 1; i < function_.last; ++i) {
      exchanged_in_brackets(i);
      operators(i);
      functions(i);
      numbers(i);
      compared_with(i);
      parentheses(i);
      alternatives(i);
    }
    neighbors();
    exchanged_locals();
  }

 private:
  using Replacement = SourceEdit::Replacement;

  [[nodiscard]] Replacement replaced(std::size_t first, std::size_t last, std::string by) const {
    return {tokens_[first].begin, tokens_[last].end(), std::move(by)};
  }

  SourceEdit& add(SourceEditList::Rank rank, std::size_t at, std::vector<Replacement> replacements,
                  std::string kind, std::string fix) {
    return found_.add(rank, {.replacements = std::move(replacements),
                             .function = number_,
                             .line = tokens_[at].line,
                             .kind = std::move(kind),
                             .fix = std::move(fix)});
  }

  void replace(SourceEditList::Rank rank, std::size_t first, std::size_t last,
               const std::string& to, const char* what) {
    const std::string from(in_.text(first, last));
    if (from == to) return;
    add(rank, first, {replaced(first, last, to)}, fmt::format("another {} than `{}`", what, from),
        fmt::format("`{}` in place of `{}`", to, from));
  }

  /// threadIdx.x, where threadIdx.y or blockIdx.x is meant.
  void other_index(const SourceUse& use) {
    if (use.last != use.first + 2) return;
    const std::string_view name = tokens_[use.first].text;
    const std::string_view axis = tokens_[use.last].text;
    if (!is_index(name) || (axis != "x" && axis != "y" && axis != "z")) return;
    const auto become = [&](std::string_view other, std::string_view to) {
      replace(SourceEditList::Rank::kUsual, use.first, use.last, fmt::format("{}.{}", other, to),
              "index of thread or block");
    };
    become(name, axis == "x" ? "y" : "x");
    if (axis != "z" && has_axis("z")) become(name, "z");
    static const std::map<std::string_view, const char*> kOther = {{"threadIdx", "blockIdx"},
                                                                   {"blockIdx", "threadIdx"},
                                                                   {"blockDim", "gridDim"},
                                                                   {"gridDim", "blockDim"}};
    become(kOther.at(name), axis);
  }

  [[nodiscard]] bool has_axis(std::string_view axis) const {
    return std::ranges::any_of(in_.uses(), [&](const SourceUse& use) {
      return use.last == use.first + 2 && is_index(tokens_[use.first].text) &&
             tokens_[use.last].is(axis);
    });
  }

  /// All x and y of one expression: of blockIdx.y * blockDim.x + threadIdx.y.
  void axes_of(const SourceUnit& unit) {
    if (unit.kind == SourceUnit::Kind::compound) return;
    for (const std::string_view to : {"x", "y"}) {
      std::vector<Replacement> changes;
      for (const SourceUse& use : in_.uses()) {
        if (use.last != use.first + 2 || !unit.contains(use.first, use.last)) continue;
        if (!is_index(tokens_[use.first].text) || tokens_[use.last].is(to)) continue;
        changes.push_back(replaced(use.last, use.last, std::string(to)));
      }
      if (changes.size() < 2) continue;
      add(SourceEditList::Rank::kUsual, unit.first, std::move(changes),
          "another axis of the indices", fmt::format("`.{}` in all indices", to));
    }
  }

  /// One part of a[i * n + j], or of f(i, j).
  void exchanged_in_brackets(std::size_t i) {
    if (!tokens_[i].is("[") && !tokens_[i].is("(")) return;
    const std::size_t close = closing(tokens_, i);
    if (close >= function_.last || in_.is_in_loop(i)) return;
    std::map<std::string, const SourceUse*> names;
    for (const SourceUse& use : in_.uses()) {
      if (use.first > i && use.last < close && !in_.is_written(use)) {
        names.try_emplace(use.name, &use);
      }
    }
    for (auto a = names.begin(); a != names.end(); ++a) {
      for (auto b = std::next(a); b != names.end(); ++b) {
        if (a->second->type != b->second->type) continue;
        std::vector<Replacement> changes;
        for (const SourceUse& use : in_.uses()) {
          const bool is_a = use.name == a->first;
          if (use.first < i || use.last > close || (!is_a && use.name != b->first)) continue;
          changes.push_back(replaced(use.first, use.last, is_a ? b->first : a->first));
        }
        add(SourceEditList::Rank::kUsual, i, std::move(changes), "two variables exchanged",
            fmt::format("`{}` and `{}` exchanged", a->first, b->first));
      }
    }
  }

  void operators(std::size_t i) {
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
    const bool of_pointer =
        in_.is_to_pointer(i) ||
        (right != nullptr && right->type.ends_with('*') && !tokens_[right->last + 1].is("["));
    if (of_pointer && !tokens_[i].is("==") && !tokens_[i].is("!=")) return;
    for (auto it = begin; it != end; ++it) {
      const bool rest = tokens_[i].is("%") || it->second == std::string_view("%");
      if (rest && !(is_whole_until(i - 1) && is_whole_at(i + 1))) continue;
      replace(SourceEditList::Rank::kOften, i, i, it->second, "operator");
    }
  }

  /// Whether an operand is one name or number, of whole numbers.
  [[nodiscard]] bool is_whole_until(std::size_t token) const {
    const SourceUse* const use = use_until(token);
    return use != nullptr ? use->type == "int"
                          : whole_number(tokens_[token]) || in_.is_constant(token);
  }
  [[nodiscard]] bool is_whole_at(std::size_t token) const {
    const SourceUse* const use = use_at(token);
    return use != nullptr ? use->type == "int"
                          : whole_number(tokens_[token]) || in_.is_constant(token);
  }

  /// Whether a sign is part of a declaration: float* a, int& b, (const float4*).
  [[nodiscard]] bool is_declarator(std::size_t i) const {
    if (!tokens_[i].is("*") && !tokens_[i].is("&")) return false;
    const SourceToken& before = tokens_[i - 1];
    if (before.kind != SourceToken::Kind::name) return false;
    return in_.visible(before.text, i) == nullptr && !in_.is_constant(i - 1) &&
           !tokens_[i - 2].is(".") && !tokens_[i - 2].is("->");
  }

  /// max for min, __shfl_down_sync for __shfl_up_sync, break for continue.
  void functions(std::size_t i) {
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

  [[nodiscard]] bool is_in_loop_body(std::size_t token) const {
    return std::ranges::any_of(units_, [&](const SourceUnit& unit) {
      return unit.kind == SourceUnit::Kind::compound && unit.contains(token, token) &&
             (tokens_[unit.first].is("for") || tokens_[unit.first].is("while"));
    });
  }

  void numbers(std::size_t i) {
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
      replace(SourceEditList::Rank::kSometimes, i, i, fmt::format("({}{})", name, change),
              "number");
    }
  }

  /// The last thread of a block for the first one, and a constant for a number.
  void compared_with(std::size_t i) {
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

  /// a + b * c for (a + b) * c, and the other way round.
  void parentheses(std::size_t i) {
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
        "other parentheses",
        fmt::format("`({})` in parentheses", in_.text(left->first, right_last)));
  }

  [[nodiscard]] const SourceUse* use_until(std::size_t token) const {
    const auto it = std::ranges::find(in_.uses(), token, &SourceUse::last);
    return it == in_.uses().end() ? nullptr : &*it;
  }
  [[nodiscard]] const SourceUse* use_at(std::size_t token) const {
    const auto it = std::ranges::find(in_.uses(), token, &SourceUse::first);
    return it == in_.uses().end() ? nullptr : &*it;
  }

  /// The last token of a name or a number. @returns 0 if there is none
  [[nodiscard]] std::size_t end_of_simple(std::size_t token) const {
    if (tokens_[token].kind == SourceToken::Kind::number) return token;
    if (const SourceUse* const use = use_at(token)) return use->last;
    return in_.is_constant(token) ? token : 0;
  }

  /// c ? a : b.
  void alternatives(std::size_t i) {
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
        {replaced(
            i + 1, end - 1,
            fmt::format("{} : {}", in_.text(colon + 1, end - 1), in_.text(i + 1, colon - 1)))},
        "the two values after `?` exchanged", "the two values after `?` exchanged");
  }

  void conditions(const SourceUnit& unit) {
    const std::string text(in_.text(unit.first, unit.last));
    add(SourceEditList::Rank::kUsual, unit.first, {replaced(unit.first, unit.last, "true")},
        "one condition left out", fmt::format("no condition {}", quoted_part(text, "there")));
    add(SourceEditList::Rank::kOften, unit.first,
        {replaced(unit.first, unit.last, fmt::format("!({})", text))}, "the opposite condition",
        fmt::format("the opposite of {}", quoted_part(text, "the condition")));
  }

  void statements(const SourceUnit& unit) {
    const SourceToken& first = tokens_[unit.first];
    if (first.is("return") && unit.last > unit.first + 1) return;
    const std::string text(in_.text(unit.first, unit.last));
    add(SourceEditList::Rank::kOften, unit.first, {replaced(unit.first, unit.last, ";")},
        "one statement left out", fmt::format("{} left out", quoted_part(text, "the statement")));
    if (first.is("return") || first.is("break") || first.is("continue") ||
        first.is("__syncthreads")) {
      return;
    }
    for (const SourceUnit& other : units_) {
      if (other.kind != SourceUnit::Kind::condition || other.of_loop) continue;
      if (other.last - other.first > kLongestGuard) continue;
      if (are_visible(other.first, other.last, unit.first)) guard(unit, other);
    }
    guard_by(unit, "threadIdx.x == 0");
  }

  void guard(const SourceUnit& unit, const SourceUnit& condition) {
    const std::string text(in_.text(condition.first, condition.last));
    // if (i >= n) return;
    const bool leaves =
        tokens_[condition.last + 2].is("return") || tokens_[condition.last + 2].is("continue");
    const bool is_in_it = std::ranges::any_of(units_, [&](const SourceUnit& compound) {
      return compound.kind == SourceUnit::Kind::compound && compound.first + 2 == condition.first &&
             compound.contains(unit.first, unit.last);
    });
    if (!is_in_it) guard_by(unit, leaves ? fmt::format("!({})", text) : text);
  }

  void guard_by(const SourceUnit& unit, const std::string& condition) {
    add(SourceEditList::Rank::kSometimes, unit.first,
        {{tokens_[unit.first].begin, tokens_[unit.first].begin,
          fmt::format("if ({}) ", condition)}},
        "one condition more",
        fmt::format("{} before {}", quoted_part(fmt::format("if ({})", condition), "a condition"),
                    quoted_part(in_.text(unit.first, unit.last), "the statement")));
  }

  /// Whether all variables of some tokens are known at another one.
  [[nodiscard]] bool are_visible(std::size_t first, std::size_t last, std::size_t at) const {
    return std::ranges::all_of(in_.uses(), [&](const SourceUse& use) {
      if (use.first < first || use.last > last || is_index(tokens_[use.first].text)) return true;
      return in_.visible(use.name, at) == in_.visible(use.name, use.first);
    });
  }

  struct Header {
    std::size_t open = 0, first = 0, second = 0, close = 0;  // ( ; ; )
  };

  [[nodiscard]] std::optional<Header> header_of(const SourceUnit& loop) const {
    if (!tokens_[loop.first].is("for") || !tokens_[loop.first + 1].is("(")) return std::nullopt;
    Header header = {.open = loop.first + 1, .close = closing(tokens_, loop.first + 1)};
    if (header.close >= function_.last) return std::nullopt;
    int depth = 0;
    for (std::size_t k = header.open + 1; k < header.close; ++k) {
      if (tokens_[k].is("(") || tokens_[k].is("[")) ++depth;
      if (tokens_[k].is(")") || tokens_[k].is("]")) --depth;
      if (depth > 0 || !tokens_[k].is(";")) continue;
      (header.first == 0 ? header.first : header.second) = k;
    }
    if (header.second == 0) return std::nullopt;
    return header;
  }

  void loops(const SourceUnit& loop) {
    const bool is_while = tokens_[loop.first].is("while");
    const std::optional<Header> header = header_of(loop);
    if (header) {
      limits(*header);
      direction(*header);
    }
    if (header || is_while) {
      moved(loop, header ? header->close : closing(tokens_, loop.first + 1));
    }
  }

  /// Of for (int i = start; i < limit; i += step).
  void limits(const Header& header) {
    std::size_t start = 0;
    for (std::size_t k = header.open + 1; k < header.first; ++k) {
      if (tokens_[k].is("=")) start = k + 1;
    }
    if (start > 0 && start < header.first) {
      const std::size_t last = header.first - 1;
      const std::string text(in_.text(start, last));
      for (const std::string& by :
           {std::string("0"), std::string("threadIdx.x"), text + " + 1", text + " - 1"}) {
        replace(SourceEditList::Rank::kUsual, start, last, by, "start of the loop");
      }
      for (const char* const by :
           {"1", "blockIdx.x * blockDim.x + threadIdx.x", "threadIdx.y", "blockIdx.x"}) {
        replace(SourceEditList::Rank::kOften, start, last, by, "start of the loop");
      }
      for (const std::string& name : whole_names(header.open, false)) {
        replace(SourceEditList::Rank::kSometimes, start, last, name, "start of the loop");
      }
    }
    for (std::size_t k = header.first + 1; k + 1 < header.second; ++k) {
      const bool compares = tokens_[k].is("<") || tokens_[k].is("<=") || tokens_[k].is(">") ||
                            tokens_[k].is(">=") || tokens_[k].is("!=");
      if (!compares) continue;
      limit(k + 1, end_of_limit(k + 1, header.second), header);
      break;
    }
    for (std::size_t k = header.second + 1; k < header.close; ++k) step(k, header);
  }

  [[nodiscard]] std::size_t end_of_limit(std::size_t first, std::size_t end) const {
    std::size_t last = first;
    for (int depth = 0; last < end; ++last) {
      if (tokens_[last].is("(") || tokens_[last].is("[")) ++depth;
      if (tokens_[last].is(")") || tokens_[last].is("]")) --depth;
      const bool ends = tokens_[last].is("&&") || tokens_[last].is("||") || tokens_[last].is(";") ||
                        tokens_[last].is("?") || tokens_[last].is(",");
      if (depth < 0 || (depth == 0 && ends)) break;
    }
    return last - 1;
  }

  void limit(std::size_t first, std::size_t last, const Header& header) {
    const std::string text(in_.text(first, last));
    const auto become = [&](SourceEditList::Rank rank, const std::string& by) {
      replace(rank, first, last, by, "limit of the loop");
    };
    // One of its operands alone.
    for (const SourceUse& use : in_.uses()) {
      if (use.type == "int" && first <= use.first && use.last <= last && last > first)
        become(SourceEditList::Rank::kUsual, use.name);
    }
    become(SourceEditList::Rank::kUsual, text + " + 1");
    become(SourceEditList::Rank::kUsual, text + " - 1");
    for (const std::string& name : whole_names(header.open, true))
      become(SourceEditList::Rank::kUsual, name);
    become(SourceEditList::Rank::kOften, "(" + text + ") * 2");
    become(SourceEditList::Rank::kOften, "(" + text + ") / 2");
    for (const std::string& name : whole_names(header.open, false)) {
      become(SourceEditList::Rank::kSometimes, name);
    }
  }

  void step(std::size_t at, const Header& header) {
    const bool adds = tokens_[at].is("+=") || tokens_[at].is("-=");
    const auto become = [&](SourceEditList::Rank rank, const std::string& by) {
      replace(rank, at + 1, header.close - 1, by, "step of the loop");
    };
    if (adds && at + 1 < header.close) {
      const std::string text(in_.text(at + 1, header.close - 1));
      for (const std::string& by :
           {std::string("1"), std::string("blockDim.x"), std::string("gridDim.x * blockDim.x")}) {
        become(SourceEditList::Rank::kUsual, by);
      }
      become(SourceEditList::Rank::kOften, "(" + text + ") * 2");
      for (const char* const by : {"gridDim.x", "blockDim.y", "32"})
        become(SourceEditList::Rank::kOften, by);
      for (const std::string& name : whole_names(header.open, true)) {
        become(SourceEditList::Rank::kSometimes, name);
      }
    }
    if (!tokens_[at].is("++")) return;
    const SourceUse* const own = use_at(at + 1) != nullptr ? use_at(at + 1) : use_until(at - 1);
    if (own == nullptr || own->type != "int") return;
    for (const char* const by : {"blockDim.x", "gridDim.x * blockDim.x", "blockDim.y", "32"}) {
      replace(SourceEditList::Rank::kOften, header.second + 1, header.close - 1,
              fmt::format("{} += {}", own->name, by), "step of the loop");
    }
  }

  /// Variables of whole numbers that are known at a token: parameters, or the others.
  [[nodiscard]] std::vector<std::string> whole_names(std::size_t at, bool parameters) const {
    std::vector<std::string> names;
    for (const SourceVariable& variable : function_.variables) {
      const bool is_parameter = variable.begin == function_.open;
      if (variable.type == "int" && is_parameter == parameters &&
          in_.visible(variable.name, at) == &variable) {
        names.emplace_back(variable.name);
      }
    }
    return names;
  }

  /// Distances 1, 2, 4 in place of 4, 2, 1, and the other way round.
  void direction(const Header& header) {
    // int d = A ; d COMPARED B ; d *= 2
    std::size_t start = 0;
    for (std::size_t k = header.open + 1; k < header.first; ++k) {
      if (tokens_[k].is("=")) start = k + 1;
    }
    const std::size_t name = header.first + 1;
    const SourceUse* const own = use_at(name);
    if (start == 0 || own == nullptr || name + 2 >= header.second) return;
    const std::string from(in_.text(start, header.first - 1));
    const std::string to(in_.text(name + 2, header.second - 1));
    const std::string step(in_.text(header.second + 1, header.close - 1));
    const auto has = [&](const char* one, const char* other) {
      return step.find(one) != step.npos || step.find(other) != step.npos;
    };
    std::array<std::string, 3> others;
    if (has("/=", ">>=") && (tokens_[name + 1].is(">") || tokens_[name + 1].is(">="))) {
      others = {"1", fmt::format("{} <= {}", own->name, from), fmt::format("{} *= 2", own->name)};
    } else if (has("*=", "<<=") && (tokens_[name + 1].is("<") || tokens_[name + 1].is("<="))) {
      const std::string half = tokens_[name + 1].is("<") ? fmt::format("({}) / 2", to) : to;
      others = {half, fmt::format("{} > 0", own->name), fmt::format("{} /= 2", own->name)};
    } else if (has("++", "+= 1") && tokens_[name + 1].is("<")) {
      others = {fmt::format("({}) - 1", to), fmt::format("(int){} >= (int)({})", own->name, from),
                fmt::format("--{}", own->name)};
    } else {
      return;
    }
    add(SourceEditList::Rank::kUsual, header.open,
        {replaced(start, header.first - 1, others[0]),
         replaced(header.first + 1, header.second - 1, others[1]),
         replaced(header.second + 1, header.close - 1, others[2])},
        "the loop in the opposite order",
        fmt::format("the loop over `{}` in the opposite order", own->name));
  }

  /// The last statement of a loop's body after the loop, the first one before it, and the other way
  /// round.
  void moved(const SourceUnit& loop, std::size_t close) {
    const std::size_t open = close + 1;
    if (open >= function_.last || !tokens_[open].is("{")) return;
    const std::size_t end = closing(tokens_, open);
    if (end >= function_.last) return;
    std::vector<const SourceUnit*> body;
    const SourceUnit* before = nullptr;
    const SourceUnit* after = nullptr;
    for (const SourceUnit& unit : units_) {
      if (unit.kind != SourceUnit::Kind::statement) continue;
      if (open < unit.first && unit.last < end && is_directly_in(unit, open)) body.push_back(&unit);
      if (unit.last + 1 == loop.first) before = &unit;
      if (unit.first == loop.last + 1) after = &unit;
    }
    const auto may_move = [&](const SourceUnit& unit) {
      const SourceToken& first = tokens_[unit.first];
      return !first.is("return") && !first.is("break") && !first.is("continue");
    };
    const auto move = [&](const SourceUnit& unit, std::vector<Replacement> changes,
                          const char* kind, const char* where) {
      add(SourceEditList::Rank::kUsual, unit.first, std::move(changes), kind,
          fmt::format("{} {}", quoted_part(in_.text(unit.first, unit.last), "the statement"),
                      where));
    };
    const auto leaves_loop = [&](const SourceUnit& unit) {
      return may_move(unit) && are_visible(unit.first, unit.last, loop.first);
    };
    if (!body.empty() && body.back()->last + 1 == end && leaves_loop(*body.back())) {
      const SourceUnit& unit = *body.back();
      move(unit,
           {replaced(loop.first, loop.last,
                     fmt::format("{} }} {}", joined(loop.first, unit.first - 1),
                                 joined(unit.first, unit.last)))},
           "one statement after the loop, not in it,", "after the loop");
    }
    if (!body.empty() && body.front()->first == open + 1 && leaves_loop(*body.front())) {
      const SourceUnit& unit = *body.front();
      move(unit,
           {replaced(loop.first, loop.last,
                     fmt::format("{} {} {}", joined(unit.first, unit.last),
                                 joined(loop.first, open), joined(unit.last + 1, loop.last)))},
           "one statement before the loop, not in it,", "before the loop");
    }
    if (before != nullptr && may_move(*before)) {
      move(
          *before,
          {replaced(before->first, before->last, ";"),
           replaced(loop.first, loop.last,
                    fmt::format("{} {} {}", joined(loop.first, open),
                                joined(before->first, before->last), joined(open + 1, loop.last)))},
          "one statement in the loop, not before it,", "at the beginning of the loop's body");
    }
    if (after != nullptr && may_move(*after)) {
      move(*after,
           {replaced(loop.first, loop.last,
                     fmt::format("{} {} }}", joined(loop.first, end - 1),
                                 joined(after->first, after->last))),
            replaced(after->first, after->last, ";")},
           "one statement in the loop, not after it,", "at the end of the loop's body");
    }
  }

  /// In one line, without comments.
  [[nodiscard]] std::string joined(std::size_t first, std::size_t last) const {
    std::string text;
    for (std::size_t k = first; k <= last; ++k) {
      text += (k == first ? "" : " ") + std::string(tokens_[k].text);
    }
    return text;
  }

  /// Whether no other braces are around a statement.
  [[nodiscard]] bool is_directly_in(const SourceUnit& unit, std::size_t open) const {
    int depth = 0;
    for (std::size_t k = open + 1; k < unit.first; ++k) {
      depth += tokens_[k].is("{") ? 1 : tokens_[k].is("}") ? -1 : 0;
    }
    const bool of_control = tokens_[unit.first - 1].is(")") || tokens_[unit.first - 1].is("else");
    return depth == 0 && !of_control;
  }

  /// Two statements, one after the other, in the other order.
  void neighbors() {
    const SourceUnit* last = nullptr;
    for (const SourceUnit& unit : units_) {
      if (unit.kind != SourceUnit::Kind::statement) continue;
      if (last != nullptr && last->last + 1 == unit.first) exchange(*last, unit);
      last = &unit;
    }
  }

  void exchange(const SourceUnit& one, const SourceUnit& other) {
    const auto stays = [&](const SourceUnit& unit) {
      const SourceToken& first = tokens_[unit.first];
      return first.is("return") || first.is("break") || first.is("continue");
    };
    if (stays(one) || stays(other)) return;
    const SourceToken& before = tokens_[one.first - 1];
    if (before.is(")") || before.is("else")) return;  // only one of them is in it
    SourceEdit& edit =
        add(SourceEditList::Rank::kUsual, one.first,
            {replaced(one.first, one.last, std::string(in_.text(other.first, other.last))),
             replaced(other.first, other.last, std::string(in_.text(one.first, one.last)))},
            "two statements in the other order",
            fmt::format("{} before {}",
                        quoted_part(in_.text(other.first, other.last), "the second statement"),
                        quoted_part(in_.text(one.first, one.last), "the first one")));
    if (tokens_[other.first].line != edit.line) edit.also = {tokens_[other.first].line};
  }

  /// row and col, wherever they are used.
  void exchanged_locals() {
    std::vector<const SourceVariable*> whole;
    for (const SourceVariable& variable : function_.variables) {
      if (variable.type == "int" && variable.begin != function_.open) whole.push_back(&variable);
    }
    for (std::size_t a = 0; a < whole.size(); ++a) {
      for (std::size_t b = a + 1; b < whole.size(); ++b) {
        std::vector<Replacement> changes;
        bool written = false;
        std::uint32_t line = 0;
        for (const SourceUse& use : in_.uses()) {
          const SourceVariable* const at = in_.visible(use.name, use.first);
          if (at != whole[a] && at != whole[b]) continue;
          const SourceVariable* const to = at == whole[a] ? whole[b] : whole[a];
          if (in_.visible(to->name, use.first) != to) continue;
          written = written || in_.is_written(use);
          changes.push_back(replaced(use.first, use.last, std::string(to->name)));
          if (line == 0) line = tokens_[use.first].line;
        }
        if (written || changes.size() < 2 || changes.size() > 12) continue;
        SourceEdit& edit =
            add(SourceEditList::Rank::kOften, whole[a]->begin, std::move(changes),
                "two variables exchanged everywhere",
                fmt::format("`{}` and `{}` exchanged everywhere", whole[a]->name, whole[b]->name));
        edit.line = line;
      }
    }
  }

  const std::vector<SourceToken>& tokens_;
  const SourceFunction& function_;
  std::size_t number_;
  SourceUses in_;  // the function
  std::vector<SourceUnit> units_;
  SourceEditList& found_;
  std::set<std::string_view> constants_;  // of the source, of whole numbers
};

}  // namespace

std::vector<SourceEdit> structural_edits(const std::vector<SourceToken>& tokens,
                                         const std::vector<SourceFunction>& functions,
                                         const std::set<std::size_t>& edited) {
  SourceEditList found;
  for (const std::size_t number : edited) {
    StructuralEdits(tokens, functions[number], number, found).find();
    add_source_edits(tokens, functions, number, found);
  }
  // There are most of these, and students confuse variables more often than anything else.
  return std::move(found).in_turns({{"another variable than ", 6},
                                    {"another operator than ", 3},
                                    {"another index of thread or block than ", 3},
                                    {"two variables exchanged", 3},
                                    {"another number than ", 2}});
}

}  // namespace warpgrade
