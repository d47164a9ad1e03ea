#include "grader/judge/experiment/repeated_edits.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>

#include "grader/judge/experiment/source_uses.h"

namespace warpgrade {
namespace {

/// In a function, more places than these say the same for other reasons than one mistake.
constexpr std::size_t kMostPlaces = 12;
/// Only numbers from here on that are the extent of a block or tile are replaced by an extent.
constexpr long kLeastExtent = 8;
/// More limits are those of several conditions.
constexpr std::size_t kMostLimits = 4;

class RepeatedEdits {
 public:
  RepeatedEdits(const std::vector<SourceToken>& tokens, const SourceFunction& function,
                std::size_t number, SourceEditList& found)
      : tokens_(tokens),
        function_(function),
        number_(number),
        in_(tokens, function),
        found_(found) {}

  void find() {
    float_bits();
    one_thread();
    differences();
    quotients();
    extents();
    axes();
    comparisons();
    numbers();
    terms();
    variables();
  }

 private:
  using TokenKind = SourceToken::Kind;
  using Rank = SourceEditList::Rank;

  struct Change {
    std::size_t first, last;  // tokens
    std::string text;  // in their place
  };

  /// @param changes  in the order of the source
  SourceEdit* add(Rank rank, const std::vector<Change>& changes, std::string kind,
                  std::string fix) {
    if (changes.empty() || changes.size() > kMostPlaces) return nullptr;
    SourceEdit edit = {.replacements = {},
                       .function = number_,
                       .line = tokens_[changes.front().first].line,
                       .kind = std::move(kind),
                       .fix = std::move(fix)};
    for (const Change& change : changes) {
      edit.replacements.push_back(
          {tokens_[change.first].begin, tokens_[change.last].end(), change.text});
      const std::uint32_t line = tokens_[change.first].line;
      const std::uint32_t last = edit.also.empty() ? edit.line : edit.also.back();
      if (line != last) edit.also.push_back(line);
    }
    return &found_.add(rank, std::move(edit));
  }

  /// The same in several places.
  void add_everywhere(Rank rank, const std::vector<Change>& changes, const char* what,
                      const std::string& from, const std::string& to) {
    if (changes.size() < 2) return;
    add(rank, changes, fmt::format("another {} than `{}` everywhere", what, from),
        fmt::format("`{}` in place of `{}` everywhere", to, from));
  }

  /// atomicMax((int*)p, __float_as_int(x)): as integers, the bits of negative floats are in the
  /// opposite order.
  void float_bits() {
    std::vector<Change> changes;
    std::set<std::string> names;
    for (std::size_t i = function_.open + 1; i < function_.last; ++i) {
      const bool is_max = tokens_[i].is("atomicMax");
      if ((!is_max && !tokens_[i].is("atomicMin")) || !tokens_[i + 1].is("(")) continue;
      const std::size_t close = closing(tokens_, i + 1);
      if (close >= function_.last) return;
      const bool has_bits = std::any_of(
          tokens_.begin() + static_cast<std::ptrdiff_t>(i),
          tokens_.begin() + static_cast<std::ptrdiff_t>(close), [](const SourceToken& token) {
            return token.is("__float_as_int") || token.is("__float_as_uint");
          });
      if (!has_bits) continue;
      names.insert(fmt::format("`{}`", tokens_[i].text));
      changes.push_back(
          {i, close,
           fmt::format("[&](auto* p_, auto v_) {{ int o_ = *(volatile int*)p_; for (;;) {{ "
                       "if (!(__int_as_float((int)v_) {} __int_as_float(o_))) break; "
                       "const int a_ = o_; o_ = atomicCAS((int*)p_, a_, (int)v_); "
                       "if (o_ == a_) break; }} return o_; }}({})",
                       is_max ? ">" : "<", in_.text(i + 2, close - 1))});
    }
    std::string all;
    for (const std::string& name : names) all += (all.empty() ? "" : " and ") + name;
    const std::string text = fmt::format(
        "the bits of floats compared as floats, not as integers, whose order is reversed "
        "for negative floats, in {}",
        all);
    SourceEdit* const edit = add(Rank::kUsual, changes, text, text);
    if (edit != nullptr) edit->names_mistake = true;
  }

  /// Whether a statement begins at a token.
  [[nodiscard]] bool begins_statement(std::size_t i) const {
    return tokens_[i - 1].is(";") || tokens_[i - 1].is("{") || tokens_[i - 1].is("}");
  }

  /// atomicAdd(total, part[0]) by each thread of a block.
  void one_thread() {
    for (std::size_t i = function_.open + 1; i < function_.last; ++i) {
      const bool is_atomic = tokens_[i].text.starts_with("atomic") && tokens_[i + 1].is("(");
      if (!is_atomic || !begins_statement(i)) continue;
      const std::string call(tokens_[i].text);
      add(Rank::kUsual, {{i, i, "if (threadIdx.x == 0) " + call}},
          fmt::format("`{}` by one thread of a block, not by all,", call),
          fmt::format("`if (threadIdx.x == 0)` before `{}`", call));
    }
  }

  /// A variable or an index at a token, of whole numbers.
  [[nodiscard]] const SourceUse* whole_at(std::size_t token) const {
    for (const SourceUse& use : in_.uses()) {
      if (use.first == token) return use.type == "int" ? &use : nullptr;
    }
    return nullptr;
  }
  [[nodiscard]] const SourceUse* whole_until(std::size_t token) const {
    for (const SourceUse& use : in_.uses()) {
      if (use.last == token) return use.type == "int" ? &use : nullptr;
    }
    return nullptr;
  }

  /// (last - first) of two ends that both count: all of a line.
  void differences() {
    std::map<std::uint32_t, std::vector<Change>> lines;
    for (std::size_t i = function_.open + 2; i + 1 < function_.last; ++i) {
      if (!tokens_[i].is("-")) continue;
      const SourceUse* const left = whole_until(i - 1);
      const SourceUse* const right = whole_at(i + 1);
      if (left == nullptr || right == nullptr) continue;
      const SourceToken& before = tokens_[left->first - 1];
      const SourceToken& after = tokens_[right->last + 1];
      const bool alone = (before.is("(") && after.is(")")) || (before.is("=") && after.is(";"));
      if (!alone) continue;
      lines[tokens_[i].line].push_back(
          {left->first, right->last, fmt::format("{} + 1", in_.text(left->first, right->last))});
    }
    for (const auto& [line, changes] : lines) {
      const std::string difference(in_.text(changes.front().first, changes.front().last));
      const char* const all = changes.size() == 1 ? "" : " and each other difference";
      add(Rank::kUsual, changes, fmt::format("1 added to `{}`{}", difference, all),
          fmt::format("`{} + 1` in place of `{}`{}", difference, difference,
                      changes.size() == 1 ? "" : ", and so for each other difference"));
    }
  }

  /// Whether an operand is a name or a number of whole numbers that stands alone at a token.
  [[nodiscard]] bool is_whole_operand(std::size_t token) const {
    return whole_number(tokens_[token]) || whole_at(token) != nullptr || in_.is_constant(token);
  }

  /// n / size, where the rest needs one more.
  void quotients() {
    for (std::size_t i = function_.open + 2; i + 1 < function_.last; ++i) {
      if (!tokens_[i].is("/")) continue;
      const SourceUse* const left = whole_until(i - 1);
      if (left == nullptr || in_.origin_of(*left) != SourceUses::Origin::parameter) continue;
      const SourceUse* const divisor = whole_at(i + 1);
      const std::size_t last = divisor == nullptr ? i + 1 : divisor->last;
      const SourceToken& before = tokens_[left->first - 1];
      const bool is_name = tokens_[last].kind == TokenKind::name;
      const bool is_operand = divisor != nullptr || whole_number(tokens_[last]) || is_name;
      if (!is_operand || tokens_[last + 1].is("(") || before.is("*") || before.is("/")) continue;
      const std::string by(in_.text(i + 1, last));
      add(Rank::kUsual,
          {{left->first, last, fmt::format("(({0} + {1} - 1) / {1})", left->name, by)}},
          fmt::format("`{} / {}` rounded up", left->name, by),
          fmt::format("`({0} + {1} - 1) / {1}` in place of `{0} / {1}`", left->name, by));
    }
  }

  /// c < kColumns, where c < depth is meant.
  void extents() {
    for (std::size_t i = function_.open + 2; i + 1 < function_.last; ++i) {
      const bool compares = tokens_[i - 1].is("<") || tokens_[i - 1].is("<=");
      const bool ends = tokens_[i + 1].is(";") || tokens_[i + 1].is(")") ||
                        tokens_[i + 1].is("&&") || tokens_[i + 1].is("||");
      if (!compares || !ends) continue;
      const std::optional<long> value = whole_number(tokens_[i]);
      const bool is_name = tokens_[i].kind == TokenKind::name && whole_at(i) == nullptr &&
                           in_.visible(tokens_[i].text, i) == nullptr;
      if (!is_name && (!value || *value < kLeastExtent)) continue;
      const std::string from(tokens_[i].text);
      for (const SourceVariable& other : function_.variables) {
        if (other.begin != function_.open || other.type != "int") continue;
        add(Rank::kUsual, {{i, i, std::string(other.name)}},
            fmt::format("another limit than `{}`", from),
            fmt::format("`{}` in place of `{}`", other.name, from));
      }
    }
  }

  /// x and y of the indices of thread, block or both.
  void axes() {
    const auto exchange = [&](const std::set<std::string_view>& names, const std::string& what) {
      std::vector<Change> changes;
      std::set<std::string_view> used;
      for (const SourceUse& use : in_.uses()) {
        if (use.last != use.first + 2 || !names.contains(tokens_[use.first].text)) continue;
        const std::string_view axis = tokens_[use.last].text;
        if (axis != "x" && axis != "y") continue;
        used.insert(axis);
        changes.push_back({use.last, use.last, axis == "x" ? "y" : "x"});
      }
      if (used.size() < 2) return;
      SourceEdit* const edit = add(Rank::kUsual, changes, "x and y exchanged in " + what,
                                   "`.x` and `.y` exchanged in " + what);
      if (edit != nullptr) edit->pitfall = "P5";
    };
    exchange({"threadIdx", "blockIdx", "blockDim"}, "the indices of thread and block");
    exchange({"blockIdx"}, "`blockIdx`");
    exchange({"threadIdx"}, "`threadIdx`");
  }

  /// x < width and y < height, in one condition or in the loops of a function.
  void comparisons() {
    std::map<std::pair<std::string_view, std::uint32_t>, std::vector<std::size_t>> groups;
    for (std::size_t i = function_.open + 2; i + 1 < function_.last; ++i) {
      if (next_comparison(tokens_[i].text).empty() || !is_in_condition(i)) continue;
      if (in_.is_of_template(i)) continue;
      groups[{tokens_[i].text, tokens_[i].line}].push_back(i);
      // 0 stands for any line.
      if (in_.is_in_loop(i)) groups[{tokens_[i].text, 0}].push_back(i);
    }
    for (const auto& [group, at] : groups) {
      if (at.size() < 2 || at.size() > kMostLimits) continue;
      if (group.second == 0 && tokens_[at.front()].line == tokens_[at.back()].line) continue;
      const char* const where = group.second == 0 ? "of the loops" : "of the condition";
      std::vector<Change> others;
      std::vector<Change> less;
      std::vector<Change> more;
      const std::string_view other = next_comparison(group.first);
      for (const std::size_t i : at) {
        others.push_back({i, i, std::string(other)});
        const SourceUse* const limit = whole_at(i + 1);
        if (limit == nullptr) continue;
        less.push_back({limit->first, limit->last, limit->name + " - 1"});
        more.push_back({limit->first, limit->last, limit->name + " + 1"});
      }
      add(Rank::kUsual, others,
          fmt::format("another comparison than `{}` in all {}", group.first, where),
          fmt::format("`{}` in place of `{}` in all {}", other, group.first, where));
      if (less.size() < at.size()) continue;
      add(Rank::kUsual, less, fmt::format("1 less in all limits {}", where),
          fmt::format("1 less in all limits {}", where));
      add(Rank::kOften, more, fmt::format("1 more in all limits {}", where),
          fmt::format("1 more in all limits {}", where));
    }
  }

  static std::string_view next_comparison(std::string_view comparison) {
    static const std::map<std::string_view, std::string_view> kOther = {
        {"<", "<="}, {"<=", "<"}, {">", ">="}, {">=", ">"}};
    const auto it = kOther.find(comparison);
    return it == kOther.end() ? std::string_view() : it->second;
  }

  /// Of an `if` or a loop, in its parentheses.
  [[nodiscard]] bool is_in_condition(std::size_t token) const {
    if (in_.is_in_loop(token)) return true;
    for (std::size_t i = token; i-- > function_.open + 1;) {
      if (tokens_[i].is(";") || tokens_[i].is("{") || tokens_[i].is("}")) return false;
      if (tokens_[i].is("if")) return closing(tokens_, i + 1) > token;
    }
    return false;
  }

  /// The same number or constant in several places.
  void numbers() {
    std::map<std::string, std::vector<std::size_t>> places;
    for (std::size_t i = function_.open + 2; i + 1 < function_.last; ++i) {
      const std::optional<long> value = whole_number(tokens_[i]);
      if ((value && *value > 1) || (!value && in_.is_constant(i))) {
        places[std::string(tokens_[i].text)].push_back(i);
      }
    }
    for (const auto& [number, at] : places) {
      const std::optional<long> value = whole_number(tokens_[at.front()]);
      std::vector<std::string> others = {number + " - 1", number + " + 1"};
      if (value) {
        others = {std::to_string(*value + 1), std::to_string(*value - 1),
                  std::to_string(*value * 2), std::to_string(*value / 2)};
      }
      for (const std::string& other : others) {
        std::vector<Change> changes;
        for (const std::size_t i : at) {
          changes.push_back({i, i, value ? other : "(" + other + ")"});
        }
        add_everywhere(Rank::kSometimes, changes, "number", number, other);
      }
    }
  }

  /// The same "- 1" in several places.
  void terms() {
    std::map<std::string, std::vector<std::size_t>> places;
    for (std::size_t i = function_.open + 2; i + 2 < function_.last; ++i) {
      const bool is_sign = tokens_[i].is("+") || tokens_[i].is("-");
      const SourceToken& before = tokens_[i - 1];
      const bool binary = before.kind != TokenKind::sign || before.is(")") || before.is("]");
      const SourceToken& after = tokens_[i + 2];
      const bool ends = after.kind == TokenKind::sign && !after.is("(") && !after.is("[") &&
                        !after.is(".") && !after.is("*") && !after.is("/") && !after.is("%");
      if (!is_sign || !binary || !ends || !is_whole_operand(i + 1)) continue;
      places[std::string(in_.text(i, i + 1))].push_back(i);
    }
    for (const auto& [term, at] : places) {
      std::vector<Change> without;
      std::vector<Change> opposite;
      for (const std::size_t i : at) {
        without.push_back({i, i + 1, ""});
        opposite.push_back({i, i, tokens_[i].is("+") ? "-" : "+"});
      }
      if (at.size() < 2) continue;
      add(Rank::kOften, without, fmt::format("no `{}` everywhere", term),
          fmt::format("the expressions without `{}`", term));
      add(Rank::kOften, opposite, fmt::format("another sign of `{}` everywhere", term),
          fmt::format("the opposite sign in `{}` everywhere", term));
    }
  }

  /// One extent in place of another wherever it is used, or both exchanged.
  void variables() {
    std::vector<const SourceVariable*> whole;
    for (const SourceVariable& variable : function_.variables) {
      if (variable.begin == function_.open && variable.type == "int") whole.push_back(&variable);
    }
    for (const SourceVariable* a : whole) {
      for (const SourceVariable* b : whole) {
        if (a == b) continue;
        std::vector<Change> changes;
        std::vector<Change> both;
        for (const SourceUse& use : in_.uses()) {
          const bool is_a = in_.visible(use.name, use.first) == a;
          const bool is_b = in_.visible(use.name, use.first) == b;
          if ((is_a || is_b) && in_.is_written(use)) return;
          if (is_a) changes.push_back({use.first, use.last, std::string(b->name)});
          if (is_a || is_b) {
            both.push_back({use.first, use.last, std::string(is_a ? b->name : a->name)});
          }
        }
        add_everywhere(Rank::kSometimes, changes, "variable", std::string(a->name),
                       std::string(b->name));
        if (a > b || changes.empty() || changes.size() == both.size()) continue;
        add(Rank::kOften, both, "two variables exchanged everywhere",
            fmt::format("`{}` and `{}` exchanged everywhere", a->name, b->name));
      }
    }
  }

  const std::vector<SourceToken>& tokens_;
  const SourceFunction& function_;
  std::size_t number_;
  SourceUses in_;  // the function
  SourceEditList& found_;
};

}  // namespace

void add_repeated_edits(const std::vector<SourceToken>& tokens,
                        const std::vector<SourceFunction>& functions, std::size_t number,
                        SourceEditList& found) {
  RepeatedEdits(tokens, functions[number], number, found).find();
}

}  // namespace warpgrade
