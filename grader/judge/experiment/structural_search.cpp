#include "grader/judge/experiment/structural_search.h"

#include <fmt/core.h>

#include <algorithm>
#include <utility>

namespace warpgrade {
namespace {

/// A longer condition or statement is not repeated in a sentence.
constexpr std::size_t kLongestQuotedPart = 40;

}  // namespace

std::string quoted_part(std::string_view text, const char* otherwise) {
  return text.size() <= kLongestQuotedPart && text.find('\n') == text.npos
             ? fmt::format("`{}`", text)
             : otherwise;
}

StructuralSearch::StructuralSearch(const std::vector<SourceToken>& tokens,
                                   const SourceFunction& function, std::size_t number,
                                   SourceEditList& found)
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

void StructuralSearch::find() {
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

SourceEdit::Replacement StructuralSearch::replaced(std::size_t first, std::size_t last,
                                                   std::string by) const {
  return {tokens_[first].begin, tokens_[last].end(), std::move(by)};
}

SourceEdit& StructuralSearch::add(SourceEditList::Rank rank, std::size_t at,
                                  std::vector<Replacement> replacements, std::string kind,
                                  std::string fix) {
  return found_.add(rank, {.replacements = std::move(replacements),
                           .function = number_,
                           .line = tokens_[at].line,
                           .kind = std::move(kind),
                           .fix = std::move(fix)});
}

void StructuralSearch::replace(SourceEditList::Rank rank, std::size_t first, std::size_t last,
                               const std::string& to, const char* what) {
  const std::string from(in_.text(first, last));
  if (from == to) return;
  add(rank, first, {replaced(first, last, to)}, fmt::format("another {} than `{}`", what, from),
      fmt::format("`{}` in place of `{}`", to, from));
}

const SourceUse* StructuralSearch::use_until(std::size_t token) const {
  const auto it = std::ranges::find(in_.uses(), token, &SourceUse::last);
  return it == in_.uses().end() ? nullptr : &*it;
}

const SourceUse* StructuralSearch::use_at(std::size_t token) const {
  const auto it = std::ranges::find(in_.uses(), token, &SourceUse::first);
  return it == in_.uses().end() ? nullptr : &*it;
}

std::size_t StructuralSearch::end_of_limit(std::size_t first, std::size_t end) const {
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

bool StructuralSearch::are_visible(std::size_t first, std::size_t last, std::size_t at) const {
  return std::ranges::all_of(in_.uses(), [&](const SourceUse& use) {
    if (use.first < first || use.last > last || is_index(tokens_[use.first].text)) return true;
    return in_.visible(use.name, at) == in_.visible(use.name, use.first);
  });
}

}  // namespace warpgrade
