#include "grader/judge/experiment/structural_search.h"

#include <fmt/core.h>

#include <algorithm>
#include <string>

namespace warpgrade {
namespace {

/// A longer condition is not tried before other statements.
constexpr std::size_t kLongestGuard = 24;  // tokens

}  // namespace

void StructuralSearch::conditions(const SourceUnit& unit) {
  const std::string text(in_.text(unit.first, unit.last));
  add(SourceEditList::Rank::kUsual, unit.first, {replaced(unit.first, unit.last, "true")},
      "one condition left out", fmt::format("no condition {}", quoted_part(text, "there")));
  add(SourceEditList::Rank::kOften, unit.first,
      {replaced(unit.first, unit.last, fmt::format("!({})", text))}, "the opposite condition",
      fmt::format("the opposite of {}", quoted_part(text, "the condition")));
}

void StructuralSearch::statements(const SourceUnit& unit) {
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

void StructuralSearch::guard(const SourceUnit& unit, const SourceUnit& condition) {
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

void StructuralSearch::guard_by(const SourceUnit& unit, const std::string& condition) {
  add(SourceEditList::Rank::kSometimes, unit.first,
      {{tokens_[unit.first].begin, tokens_[unit.first].begin, fmt::format("if ({}) ", condition)}},
      "one condition more",
      fmt::format("{} before {}", quoted_part(fmt::format("if ({})", condition), "a condition"),
                  quoted_part(in_.text(unit.first, unit.last), "the statement")));
}

void StructuralSearch::neighbors() {
  const SourceUnit* last = nullptr;
  for (const SourceUnit& unit : units_) {
    if (unit.kind != SourceUnit::Kind::statement) continue;
    if (last != nullptr && last->last + 1 == unit.first) exchange(*last, unit);
    last = &unit;
  }
}

void StructuralSearch::exchange(const SourceUnit& one, const SourceUnit& other) {
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

}  // namespace warpgrade
