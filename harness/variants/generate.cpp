#include "harness/variants/generate.h"

#include <fmt/core.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <map>
#include <optional>
#include <utility>

#include "harness/variants/changes.h"
#include "harness/variants/flow.h"

namespace warpgrade {
namespace {

using Node = SyntaxNode;
using Statement = SyntaxStatement;

/// More cost compile time, and say less each.
constexpr std::size_t kMostVariants = 400;
/// Runs of the compiler: each leaves out changes that do not compile.
constexpr int kMostRuns = 4;
/// Marks the line of a change in what is compiled.
constexpr std::string_view kMark = "/*change ";

/// What the changed function calls. Names begin with wg_, which no golden function uses.
constexpr std::string_view kPreamble = R"(
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <stdexcept>
#include <type_traits>

#include "harness/golden/golden.h"
#include "harness/golden/golden_variant.h"
#include "harness/golden/misreading.h"

#undef WARPGRADE_GOLDEN
#define WARPGRADE_GOLDEN(call) static void wg_golden(const warpgrade::GoldenCall& call)
#undef WARPGRADE_ACCEPTS
#define WARPGRADE_ACCEPTS(check) \
  [[maybe_unused]] static void wg_accepts(const warpgrade::AnswerCheck& check)

namespace {

std::uint32_t wg_variant = 0;
std::uint32_t wg_other = 0;
std::uint64_t wg_steps = 0;
std::uint64_t wg_most_steps = 0;
std::uint64_t wg_run = 0;

inline bool wg_is(std::uint32_t variant) { return wg_variant == variant || wg_other == variant; }
inline bool wg_in(std::uint32_t first, std::uint32_t last) {
  return wg_variant - first <= last - first || wg_other - first <= last - first;
}
inline bool wg_step() {
  if (++wg_steps > wg_most_steps) throw std::length_error("too many steps");
  return true;
}
template <class Array, class Index>
inline decltype(auto) wg_at(Array&& array, Index index) {
  if constexpr (!std::is_pointer_v<std::remove_cvref_t<Array>>) {
    if (static_cast<std::size_t>(index) >= std::size(array)) {
      throw std::out_of_range("outside of an array");
    }
  }
  return array[static_cast<std::size_t>(index)];
}
// A condition may be computed from a result that another formula makes negative.
[[maybe_unused]] inline double wg_condition(double value) { return std::abs(value); }
[[maybe_unused]] inline double wg_magnitude(double value) { return std::abs(value); }
[[maybe_unused]] inline double wg_not_negative(double value) { return value < 0 ? 0 : value; }
[[maybe_unused]] inline double wg_whole(double value) { return std::trunc(value); }
template <class To, class T>
T wg_rounded(T value) {
  if constexpr (std::is_floating_point_v<T>) {
    // Beyond an int there is no defined result.
    return value > -2e9 && value < 2e9 ? static_cast<T>(static_cast<To>(value)) : value;
  } else {
    return static_cast<T>(static_cast<To>(value));
  }
}
template <class T>
struct wg_Memory {
  std::uint64_t run = 0;
  T value = {};
};
// A variable that has the value of its last round.
template <class T>
class wg_Kept {
 public:
  wg_Kept(T& variable, wg_Memory<T>& memory, bool keeps)
      : variable_(variable), memory_(memory), keeps_(keeps) {
    if (keeps_ && memory_.run == wg_run) variable_ = memory_.value;
  }
  ~wg_Kept() {
    if (keeps_) memory_ = {wg_run, variable_};
  }

 private:
  T& variable_;
  wg_Memory<T>& memory_;
  bool keeps_;
};

}  // namespace
)";

constexpr std::string_view kEnd = R"(
namespace {
void wg_compute(const warpgrade::GoldenCall& call, std::uint32_t number, std::uint32_t other,
                std::uint64_t most_steps, std::uint64_t* steps) {
  wg_variant = number;
  wg_other = other;
  wg_steps = 0;
  wg_most_steps = most_steps;
  ++wg_run;
  try {
    wg_golden(call);
  } catch (...) {
    *steps = wg_steps;
    throw;
  }
  *steps = wg_steps;
}
}  // namespace

extern "C" const warpgrade::GoldenVariantTable* warpgrade_golden_variants();
extern "C" const warpgrade::GoldenVariantTable* warpgrade_golden_variants() {
  static const warpgrade::GoldenVariantTable table = {wg_count, wg_all, wg_compute};
  return &table;
}
)";

/// A change, and what it is called: `variant` at run time, `place` in the list of all.
struct Numbered {
  const GoldenChange* change = nullptr;
  std::size_t variant = 0, place = 0;
};

std::string is_variant(std::size_t variant) {
  return fmt::format("wg_is({})", variant);
}

class Writer {
 public:
  Writer(const SourceTokens& tokens, const std::vector<Numbered>& changes) : tokens_(tokens) {
    for (const Numbered& one : changes) {
      const GoldenChange& change = *one.change;
      for (const auto& [node, text] : change.replaced) replaced_[node].emplace_back(one, text);
      if (change.left_out != nullptr) left_out_[change.left_out].push_back(one);
      if (change.late != nullptr) late_[change.late].push_back(one);
      if (change.ends_loop != nullptr) ends_loop_[change.ends_loop].push_back(one);
      for (const Statement* made : change.rounded) rounded_[made].push_back(one);
      if (change.kept != nullptr) kept_[change.kept].push_back(one);
    }
  }

  [[nodiscard]] std::string whole(const std::vector<SyntaxFunction>& functions) const {
    std::string text;
    std::size_t at = 0;
    for (const SyntaxFunction& function : functions) {
      text += plain(at, function.body.begin);
      text += statement(function.body);
      at = function.body.end;
    }
    return text + plain(at, tokens_.size());
  }

 private:
  /// Tokens outside of expressions.
  [[nodiscard]] std::string plain(std::size_t begin, std::size_t end) const {
    std::string text;
    for (std::size_t i = begin; i < end; ++i) {
      text += tokens_[i].text;
      const bool ends_line = tokens_[i].is(";") || tokens_[i].is("{") || tokens_[i].is("}");
      text += ends_line ? "\n" : " ";
    }
    return text;
  }

  [[nodiscard]] std::string statement(const Statement& made) const {
    std::string text = bare(made, true);
    std::string not_done;
    for (const auto* several : {&left_out_, &late_}) {
      if (const auto found = several->find(&made); found != several->end()) {
        for (const Numbered& one : found->second) {
          not_done += (not_done.empty() ? "" : " || ") + is_variant(one.variant);
        }
      }
    }
    if (!not_done.empty()) text = fmt::format("if (!({})) {{\n{}}}\n", not_done, text);
    if (const auto found = ends_loop_.find(&made); found != ends_loop_.end()) {
      for (const Numbered& one : found->second) {
        text = fmt::format("{{ if ({}) break; {} }}\n", is_variant(one.variant), text);
      }
    }
    if (const auto found = rounded_.find(&made); found != rounded_.end()) {
      for (const Numbered& one : found->second) {
        const std::string& name = one.change->variable;
        const std::string value =
            one.change->rounded_to == "half"
                ? fmt::format(
                      "static_cast<std::remove_cvref_t<decltype({0})>>("
                      "warpgrade::rounded_to({0}, 11))",
                      name)
                : fmt::format("wg_rounded<{}>({})", one.change->rounded_to, name);
        text +=
            fmt::format("{}if ({}) {} = {};\n", mark(one), is_variant(one.variant), name, value);
      }
      text = "{\n" + text + "}\n";
    }
    if (const auto found = kept_.find(&made); found != kept_.end()) {
      for (const Numbered& one : found->second) {
        text += fmt::format(
            "{0}static wg_Memory<decltype({1})> wg_memory_{2}; wg_Kept<decltype({1})> "
            "wg_kept_{2}({1}, wg_memory_{2}, {3});\n",
            mark(one), one.change->variable, one.variant, is_variant(one.variant));
      }
    }
    return text;
  }

  /// The statements of a block; what is late comes after the next one.
  [[nodiscard]] std::string block(const Statement& made) const {
    std::string text = "{\n";
    std::string late;
    for (const Statement& child : made.children) {
      text += statement(child) + std::exchange(late, "");
      if (const auto found = late_.find(&child); found != late_.end()) {
        for (const Numbered& one : found->second) {
          late += fmt::format("if ({}) {{\n{}}}\n", is_variant(one.variant), bare(child, false));
        }
      }
    }
    return text + late + "}\n";
  }

  /// A statement without what is done in place of it.
  /// @param changes  with those in its expressions
  [[nodiscard]] std::string bare(const Statement& made, bool changes) const {
    using Kind = Statement::Kind;
    switch (made.kind) {
      case Kind::block:
        return block(made);
      case Kind::expression: {
        const Node& node = made.expressions.front();
        const std::vector<std::size_t> in = variants_in(node);
        const std::string unchanged = code(node, false) + ";\n";
        if (!changes || in.empty() || has_body(node)) {
          return has_body(node) && changes ? code(node, true) + ";\n" : unchanged;
        }
        return fmt::format("if ({}) {{\n{};\n}} else {{\n{}}}\n", any_of(in), code(node, true),
                           unchanged);
      }
      case Kind::other:
        return plain(made.begin, made.end);
      default:
        break;
    }
    std::string text;
    std::size_t at = made.begin;
    std::size_t next = 0;
    const auto add = [&](std::size_t begin, std::size_t end, const std::string& part) {
      text += plain(at, begin) + part;
      at = end;
    };
    // Expressions and statements in the order of the source.
    std::size_t child = 0;
    while (next < made.expressions.size() || child < made.children.size()) {
      const bool is_child = child < made.children.size() &&
                            (next == made.expressions.size() ||
                             made.children[child].begin < made.expressions[next].begin);
      if (is_child) {
        const Statement& inner = made.children[child++];
        const bool is_init = made.kind == Kind::loop && inner.begin < inner.end &&
                             tokens_[made.begin].is("for") && child == 1 &&
                             made.children.size() == 2;
        const std::string code_of =
            is_init ? bare(inner, inner.kind != Kind::expression) : statement(inner);
        const bool needs_braces = !is_init && inner.kind != Kind::block;
        add(inner.begin, inner.end, needs_braces ? "{\n" + code_of + "}\n" : code_of);
      } else {
        const Node& node = made.expressions[next];
        std::string code_of = full(node, changes);
        const bool is_step = made.step != 0 && next >= made.step;
        if (made.kind == Kind::loop && !is_step) {
          code_of = fmt::format("wg_step() && ({})", code_of);
        }
        if (is_step) code_of = step(node);
        ++next;
        add(node.begin, node.end, code_of);
      }
    }
    return text + plain(at, made.end);
  }

  [[nodiscard]] std::string step(const Node& node) const {
    const std::vector<std::size_t> in = variants_in(node);
    if (in.empty()) return code(node, false);
    return fmt::format("(({}) ? static_cast<void>({}) : static_cast<void>({}))", any_of(in),
                       code(node, true), code(node, false));
  }

  /// An expression that is not a part of another one: few of the variants are in it.
  [[nodiscard]] std::string full(const Node& node, bool changes) const {
    const std::vector<std::size_t> in = variants_in(node);
    if (!changes) return code(node, false);
    if (in.empty() || has_body(node) || node.kind == Node::Kind::braces) return code(node, true);
    return fmt::format("(({}) ? {} :\n {})", any_of(in), code(node, true), code(node, false));
  }

  void add_variants(const Node& node, std::vector<std::size_t>& found) const {
    if (const auto own = replaced_.find(&node); own != replaced_.end()) {
      for (const auto& [one, text] : own->second) found.push_back(one.variant);
    }
    for (const Node& child : node.children) add_variants(child, found);
  }
  [[nodiscard]] std::vector<std::size_t> variants_in(const Node& node) const {
    std::vector<std::size_t> found;
    add_variants(node, found);
    std::sort(found.begin(), found.end());
    return found;
  }

  /// Whether the variant is one of these, by runs of numbers.
  [[nodiscard]] static std::string any_of(const std::vector<std::size_t>& variants) {
    std::string text;
    for (std::size_t i = 0; i < variants.size();) {
      std::size_t end = i + 1;
      while (end < variants.size() && variants[end] <= variants[end - 1] + 1) ++end;
      text += fmt::format("{}wg_in({}, {})", text.empty() ? "" : " || ", variants[i],
                          variants[end - 1]);
      i = end;
    }
    return text;
  }

  [[nodiscard]] static bool has_body(const Node& node) {
    return !node.body.empty() || std::any_of(node.children.begin(), node.children.end(), has_body);
  }

  [[nodiscard]] static std::string mark(const Numbered& one) {
    return fmt::format("{}{}*/ ", kMark, one.place);
  }

  /// An expression with checked indices.
  [[nodiscard]] std::string code(const Node& node, bool changes) const {
    std::string text = unchanged(node, changes);
    if (!changes) return text;
    const auto own = replaced_.find(&node);
    if (own == replaced_.end()) return text;
    for (const auto& [one, other] : own->second) {
      const bool is_effect = node.kind == Node::Kind::assign || is_step(node);
      const std::string type = is_effect ? "void"
                                         : fmt::format("std::remove_cvref_t<decltype({})>",
                                                       text_of(tokens_, node.begin, node.end));
      text =
          fmt::format("({}\n? {}static_cast<{}>({}) :\n {})", is_variant(one.variant), mark(one),
                      type, checked(other), is_effect ? "static_cast<void>(" + text + ")" : text);
    }
    return text;
  }

  [[nodiscard]] bool is_step(const Node& node) const {
    return node.kind == Node::Kind::unary && tokens_[node.op].is("++");
  }

  [[nodiscard]] std::string unchanged(const Node& node, bool changes) const {
    if (node.kind == Node::Kind::subscript) {
      return fmt::format("wg_at({}, {})", code(node.children[0], changes),
                         code(node.children[1], changes));
    }
    if (node.kind == Node::Kind::assign && tokens_[node.op].is("=") &&
        written_by(tokens_, node.children[0]) == "condition") {
      return fmt::format("{} = wg_condition({})", code(node.children[0], changes),
                         code(node.children[1], changes));
    }
    std::string text;
    std::size_t at = node.begin;
    const auto add = [&](std::size_t begin, std::size_t end, const std::string& part) {
      for (; at < begin; ++at) text += std::string(tokens_[at].text) + " ";
      text += part + " ";
      at = end;
    };
    for (const Node& child : node.children) add(child.begin, child.end, code(child, changes));
    for (const Statement& body : node.body) add(body.begin, body.end, statement(body));
    for (; at < node.end; ++at) text += std::string(tokens_[at].text) + " ";
    return text;
  }

  /// What a change computes, with checked indices.
  [[nodiscard]] static std::string checked(const std::string& text) {
    const SourceTokens own = tokens_of(text);
    try {
      return Writer(own, {}).code(expression_of(own), false);
    } catch (const std::invalid_argument&) {
      return text;  // `a, b`
    }
  }

  const SourceTokens& tokens_;
  std::map<const Node*, std::vector<std::pair<Numbered, std::string>>> replaced_;
  std::map<const Statement*, std::vector<Numbered>> left_out_, late_, ends_loop_, rounded_, kept_;
};

std::string quoted_text(std::string_view text) {
  std::string quoted = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') quoted += '\\';
    quoted += c;
  }
  return quoted + "\"";
}

/// The lines of the preprocessor, and names of the namespace that golden functions see.
std::string directives_of(std::string_view golden) {
  std::string text;
  for (std::size_t at = 0; at < golden.size();) {
    const std::size_t end = std::min(golden.find('\n', at), golden.size());
    const std::string_view line = golden.substr(at, end - at);
    if (line.starts_with("#")) text += std::string(line) + "\n";
    at = end + 1;
  }
  return text;
}

/// The changes in which the compiler found an error, by the lines' marks.
std::set<std::size_t> wrong_changes(const std::string& text, const std::string& log) {
  std::vector<std::string_view> lines;
  for (std::size_t at = 0; at <= text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    lines.push_back(std::string_view(text).substr(at, end - at));
    at = end + 1;
  }
  std::set<std::size_t> wrong;
  constexpr std::string_view kFile = "variants.cpp:";
  for (std::size_t at = 0; at < log.size();) {
    const std::size_t end = std::min(log.find('\n', at), log.size());
    const std::string_view line = std::string_view(log).substr(at, end - at);
    at = end + 1;
    const std::size_t file = line.find(kFile);
    if (file == line.npos) continue;
    const auto number = static_cast<std::size_t>(
        std::strtoul(std::string(line.substr(file + kFile.size())).c_str(), nullptr, 10));
    if (number == 0 || number > lines.size()) continue;
    const std::string_view source = lines[number - 1];
    if (const std::size_t mark = source.find(kMark); mark != source.npos) {
      wrong.insert(static_cast<std::size_t>(
          std::strtoul(std::string(source.substr(mark + kMark.size())).c_str(), nullptr, 10)));
    }
  }
  return wrong;
}

}  // namespace

GoldenVariantSource golden_variant_source(std::string_view golden,
                                          const std::set<std::size_t>& without) {
  GoldenVariantSource made;
  const SourceTokens tokens = tokens_of(golden);
  const std::vector<SyntaxFunction> functions = functions_of(tokens);
  if (std::none_of(functions.begin(), functions.end(),
                   [](const SyntaxFunction& f) { return f.name == "WARPGRADE_GOLDEN"; })) {
    made.problem = "it has no WARPGRADE_GOLDEN(call) { ... } that could be read";
    return made;
  }
  const std::vector<GoldenChange> changes = changes_of(tokens, functions, kMostVariants);
  std::vector<Numbered> numbered;
  for (std::size_t i = 0; i < changes.size(); ++i) {
    if (without.contains(i)) continue;
    numbered.push_back({.change = &changes[i], .variant = numbered.size() + 1, .place = i});
  }
  if (numbered.empty()) {
    made.problem = "nothing in it could be changed";
    return made;
  }
  made.variants = numbered.size();
  made.text = directives_of(golden) + std::string(kPreamble) +
              Writer(tokens, numbered).whole(functions) +
              "\nnamespace {\nconstexpr std::size_t wg_count = " + std::to_string(numbered.size()) +
              ";\nconstexpr warpgrade::GoldenVariant wg_all[] = {\n";
  for (const Numbered& one : numbered) {
    made.text +=
        fmt::format("{{{}, {}, {}, {}}},\n", one.change->line, quoted_text(one.change->says),
                    quoted_text(one.change->pitfall), one.change->rank);
  }
  made.text += "};\n}  // namespace\n" + std::string(kEnd);
  return made;
}

GoldenVariantSource compile_golden_variants(
    std::string_view golden, const std::function<GoldenCompilation(const std::string&)>& compile) {
  std::set<std::size_t> without;
  for (int run = 0; run < kMostRuns; ++run) {
    GoldenVariantSource made = golden_variant_source(golden, without);
    if (!made.problem.empty()) return made;
    const GoldenCompilation compiled = compile(made.text);
    if (compiled.done) return made;
    const std::set<std::size_t> wrong = wrong_changes(made.text, compiled.log);
    if (wrong.empty()) {
      const std::size_t error = compiled.log.find("error");
      const std::size_t end = compiled.log.find('\n', error);
      return {.text = {},
              .variants = 0,
              .problem = "the changed function does not compile: " +
                         (error == compiled.log.npos ? "the compiler did not end"
                                                     : compiled.log.substr(error, end - error))};
    }
    without.insert(wrong.begin(), wrong.end());
  }
  return {.text = {}, .variants = 0, .problem = "too many changes of it do not compile"};
}

}  // namespace warpgrade
