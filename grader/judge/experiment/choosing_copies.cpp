#include "grader/judge/experiment/choosing_copies.h"

#include <fmt/core.h>

#include <algorithm>
#include <charconv>
#include <iterator>
#include <map>
#include <optional>
#include <string_view>

#include "grader/core/text.h"

namespace warpgrade {
namespace {

/// Of all copies together, with what can be chosen in them: the compiler takes about a second.
constexpr std::size_t kMostTokensOfChoices = 12000;
/// Edits of one copy: more would make each slower.
constexpr std::size_t kMostOfGroup = 16;
/// All numbers have four digits, so that mangled names are as long in all copies.
constexpr std::size_t kFirstNumber = 1000;
constexpr std::size_t kLastNumber = 9999;
/// What compiled code says of the number; the next four digits are its own.
constexpr std::string_view kConstant = "9183";
/// Begins the lines of an edit in the program.
constexpr std::string_view kMark = "/*edit ";

/// The innermost unit that has a change; nothing if none has.
std::optional<std::size_t> unit_with(const std::vector<SourceUnit>& units,
                                     const std::vector<SourceToken>& tokens,
                                     const SourceEdit::Replacement& change) {
  std::optional<std::size_t> found;
  for (std::size_t u = 0; u < units.size(); ++u) {
    const bool has =
        tokens[units[u].first].begin <= change.begin && change.end <= tokens[units[u].last].end();
    if (has) found = u;  // units come before those in them
  }
  return found;
}

/// Whether a change is of `case 1:`.
bool is_label(const std::vector<SourceToken>& tokens, const SourceEdit::Replacement& change) {
  const auto at = std::ranges::lower_bound(tokens, change.begin, {}, &SourceToken::begin);
  return at != tokens.begin() && at != tokens.end() &&
         (at->is("case") || at->is("default") || std::prev(at)->is("case"));
}

/// Whether there is a line of the preprocessor before a token, such as #pragma unroll.
bool follows_directive(const std::string& source, const std::vector<SourceToken>& tokens,
                       std::size_t token) {
  if (token == 0) return false;
  const std::size_t begin = tokens[token - 1].end();
  return source.substr(begin, tokens[token].begin - begin).find('#') != source.npos;
}

/// How a unit begins and ends with a choice; `one` of an alternative that is not the last.
struct ChoiceWords {
  std::string one;
  std::string then;
  std::string last;
  std::string end;
};

ChoiceWords choice_words(const SourceUnit& unit) {
  switch (unit.kind) {
    case SourceUnit::Kind::statement:
    case SourceUnit::Kind::compound:
      return {.one = "if (chosen_ == {}) {{", .then = "} else ", .last = "{ ", .end = " }"};
    case SourceUnit::Kind::condition:
      return {.one = "chosen_ == {} ? (bool)(", .then = ") : ", .last = "(bool)(", .end = ")"};
    case SourceUnit::Kind::step:
      return {.one = "chosen_ == {} ? (void)(", .then = ") : ", .last = "(void)(", .end = ")"};
    case SourceUnit::Kind::value:
      break;
  }
  const std::string type =
      unit.variable.empty() ? "" : fmt::format("(decltype({}))", unit.variable);
  return {.one = "chosen_ == {} ? " + type + "(", .then = ") : ", .last = type + "(", .end = ")"};
}

/// "copy1000" with another number, and the constant of the choice.
std::string with_number(std::string_view text, std::size_t from, std::size_t to) {
  std::string made(text);
  for (const std::string_view before : {std::string_view("_copy"), kConstant}) {
    const std::string old = fmt::format("{}{}", before, from);
    const std::string now = fmt::format("{}{}", before, to);
    for (auto at = made.find(old); at != made.npos; at = made.find(old, at + now.size())) {
      made.replace(at, old.size(), now);
    }
  }
  return made;
}

/// The parts of a module at its outermost level: declarations, and functions with their bodies.
std::vector<std::string_view> parts_of_module(std::string_view ptx) {
  std::vector<std::string_view> items;
  std::size_t begin = 0;
  bool in_body = false;
  for (std::size_t at = 0; at < ptx.size();) {
    const std::size_t end = std::min(ptx.find('\n', at), ptx.size() - 1) + 1;
    const std::string_view line = ptx.substr(at, end - at);
    at = end;
    if (line.starts_with('{')) in_body = true;
    const bool is_comment =
        line.substr(std::min(line.find_first_not_of(" \t"), line.size())).starts_with("//");
    const bool ends = in_body ? line.starts_with('}')
                              : line.find(';') != line.npos || is_comment ||
                                    line.starts_with(".version") || line.starts_with(".target") ||
                                    line.starts_with(".address_size");
    if (!ends) continue;
    items.push_back(ptx.substr(begin, at - begin));
    begin = at;
    in_body = false;
  }
  items.push_back(ptx.substr(begin));
  return items;
}

}  // namespace

ChoosingCopies::ChoosingCopies(const KernelSource& source, const std::vector<SourceEdit>& edits)
    : source_(source), units_(source.functions().size()) {
  const std::vector<SourceToken>& tokens = source.tokens();
  for (const std::size_t f : source.edited()) units_[f] = units_in(tokens, source.functions()[f]);
  // A loop that the compiler no longer unrolls may need other memory, so that such edits are among
  // themselves.
  std::map<std::pair<std::size_t, bool>, std::size_t> open;  // groups that are not full
  std::size_t total = 0;
  std::set<std::string> known;  // edits that make the same text
  for (const SourceEdit& edit : edits) {
    std::size_t cost = 0;
    bool of_loop = false;
    bool can_choose = !edit.replacements.empty();
    std::string made = fmt::format("{}:", edit.function);
    for (const SourceEdit::Replacement& change : edit.replacements) {
      const auto unit = unit_with(units_[edit.function], tokens, change);
      can_choose = can_choose && unit.has_value() && !is_label(tokens, change);
      if (!can_choose) break;
      const SourceUnit& in = units_[edit.function][*unit];
      can_choose = in.kind != SourceUnit::Kind::compound ||
                   !follows_directive(source.text(), tokens, in.first);
      of_loop = of_loop || in.of_loop;
      cost += 8 + in.last - in.first;
      made += fmt::format("{} {};", *unit, with_changes(in, {change}));
    }
    std::erase(made, ' ');
    if (!can_choose || !known.insert(std::move(made)).second) continue;
    const auto [it, is_new] = open.try_emplace({edit.function, of_loop}, groups_.size());
    const bool is_full = !is_new && groups_[it->second].edits.size() >= kMostOfGroup;
    if (is_new || is_full) cost += source.size_of_copy(edit.function);
    if (total + cost > kMostTokensOfChoices) {
      if (is_full || is_new) continue;
      break;
    }
    total += cost;
    if (is_new || is_full) {
      it->second = groups_.size();
      groups_.push_back({.function = edit.function, .first = 0, .edits = {}});
    }
    groups_[it->second].edits.push_back(edit);
  }
  std::size_t number = kFirstNumber;
  for (Group& group : groups_) {
    group.first = number;
    number += 1 + group.edits.size();
  }
  while (!groups_.empty() && groups_.back().first + groups_.back().edits.size() > kLastNumber) {
    groups_.pop_back();
  }
}

/// Without comments and lines of the preprocessor.
std::string ChoosingCopies::with_changes(
    const SourceUnit& unit, const std::vector<SourceEdit::Replacement>& changes) const {
  std::string text;
  auto next = changes.begin();
  for (std::size_t k = unit.first; k <= unit.last; ++k) {
    const SourceToken& token = source_.tokens()[k];
    for (; next != changes.end() && next->begin <= token.begin; ++next) text += next->text + " ";
    const bool is_replaced = next != changes.begin() && token.begin < std::prev(next)->end;
    if (!is_replaced) text += std::string(token.text) + " ";
  }
  for (; next != changes.end(); ++next) text += next->text + " ";
  return text;
}

std::vector<SourceEdit::Replacement> ChoosingCopies::choices_in(
    const Group& group, const std::set<std::size_t>& without) const {
  const std::vector<SourceUnit>& units = units_[group.function];
  const std::vector<SourceToken>& tokens = source_.tokens();
  std::map<std::size_t, std::vector<Choice>> by_unit;
  for (std::size_t e = 0; e < group.edits.size(); ++e) {
    const std::size_t number = group.first + 1 + e;
    if (without.contains(number)) continue;
    std::map<std::size_t, std::vector<SourceEdit::Replacement>> changes;
    std::set<std::size_t> of_edit;
    for (const SourceEdit::Replacement& change : group.edits[e].replacements) {
      of_edit.insert(*unit_with(units, tokens, change));
    }
    for (const SourceEdit::Replacement& change : group.edits[e].replacements) {
      const std::size_t own = *unit_with(units, tokens, change);
      // The outermost one, of which there is one text with all changes.
      const auto outer = std::ranges::find_if(of_edit, [&](std::size_t u) {
        return units[u].contains(units[own].first, units[own].last);
      });
      changes[*outer].push_back(change);
    }
    for (const auto& [unit, of_unit] : changes) {
      by_unit[unit].push_back({unit, number, with_changes(units[unit], of_unit)});
    }
  }
  const SourceToken& open = tokens[source_.functions()[group.function].open];
  std::vector<SourceEdit::Replacement> made = {
      {open.end(), open.end(),
       fmt::format(
           " int chosen_; asm(\"mov.u32 %0, {0}{1};\" : \"=r\"(chosen_)); chosen_ -= {0}0000;",
           kConstant, group.first)}};
  // Where units meet, one ends before the next one begins, and the innermost ends first.
  std::vector<SourceEdit::Replacement> begins;
  std::vector<SourceEdit::Replacement> ends;
  for (const auto& [number, choices] : by_unit) {
    const SourceUnit& unit = units[number];
    const ChoiceWords words = choice_words(unit);
    const bool is_statement =
        unit.kind == SourceUnit::Kind::statement || unit.kind == SourceUnit::Kind::compound;
    std::string text = is_statement ? "{ " : "(";
    for (const Choice& choice : choices) {
      text +=
          fmt::format("\n{}{}*/ {}{}{}", kMark, choice.number,
                      fmt::format(fmt::runtime(words.one), choice.number), choice.text, words.then);
    }
    const std::size_t begin = tokens[unit.first].begin;
    const std::size_t end = tokens[unit.last].end();
    begins.push_back({begin, begin, text + "\n" + words.last});
    ends.push_back({end, end, words.end + (is_statement ? " }" : ")")});
  }
  made.insert(made.end(), ends.rbegin(), ends.rend());
  made.insert(made.end(), begins.begin(), begins.end());
  std::ranges::stable_sort(made, {}, &SourceEdit::Replacement::begin);
  return made;
}

std::string ChoosingCopies::program(const std::set<std::size_t>& without) {
  std::string text = source_.common();
  first_lines_.clear();
  edit_lines_.clear();
  for (std::size_t g = 0; g < groups_.size(); ++g) {
    const Group& group = groups_[g];
    if (without.contains(group.first)) continue;
    first_lines_.emplace_back(1 + lines_in(text), g);
    text += source_.copy(group.first, source_.callers_of(group.function), group.function,
                         choices_in(group, without));
  }
  std::uint32_t line = 0;
  for (const std::string_view words : split_lines(text)) {
    ++line;
    if (!words.starts_with(kMark)) continue;
    std::size_t number = 0;
    std::from_chars(words.data() + kMark.size(), words.data() + words.size(), number);
    edit_lines_.emplace_back(line, number);
  }
  return text;
}

std::set<std::size_t> ChoosingCopies::numbers_at(const std::set<std::uint32_t>& lines) const {
  std::set<std::size_t> numbers;
  for (const std::uint32_t line : lines) {
    const auto edit =
        std::ranges::find(edit_lines_, line, &std::pair<std::uint32_t, std::size_t>::first);
    if (edit != edit_lines_.end()) {
      numbers.insert(edit->second);
      continue;
    }
    const auto after = std::ranges::upper_bound(first_lines_, line, {},
                                                [](const auto& entry) { return entry.first; });
    if (after != first_lines_.begin()) numbers.insert(groups_[std::prev(after)->second].first);
  }
  return numbers;
}

std::string ChoosingCopies::written_out(const std::string& ptx,
                                        const std::set<std::size_t>& numbers) const {
  std::string text;
  for (const std::string_view item : parts_of_module(ptx)) {
    const Group* of = nullptr;
    if (const auto at = item.find("_copy"); at != item.npos) {
      for (const Group& group : groups_) {
        if (item.substr(at + 5).starts_with(std::to_string(group.first))) of = &group;
      }
    }
    if (of == nullptr) text += item;
    for (std::size_t i = 0; of != nullptr && i <= of->edits.size(); ++i) {
      if (numbers.contains(of->first + i)) text += with_number(item, of->first, of->first + i);
    }
  }
  return text;
}

}  // namespace warpgrade
