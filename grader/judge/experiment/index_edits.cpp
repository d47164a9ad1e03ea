#include "grader/judge/experiment/structural_search.h"

#include <fmt/core.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <string>
#include <string_view>
#include <utility>

namespace warpgrade {
void StructuralSearch::other_index(const SourceUse& use) {
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

bool StructuralSearch::has_axis(std::string_view axis) const {
  return std::ranges::any_of(in_.uses(), [&](const SourceUse& use) {
    return use.last == use.first + 2 && is_index(tokens_[use.first].text) &&
           tokens_[use.last].is(axis);
  });
}

void StructuralSearch::axes_of(const SourceUnit& unit) {
  if (unit.kind == SourceUnit::Kind::compound) return;
  for (const std::string_view to : {"x", "y"}) {
    std::vector<Replacement> changes;
    for (const SourceUse& use : in_.uses()) {
      if (use.last != use.first + 2 || !unit.contains(use.first, use.last)) continue;
      if (!is_index(tokens_[use.first].text) || tokens_[use.last].is(to)) continue;
      changes.push_back(replaced(use.last, use.last, std::string(to)));
    }
    if (changes.size() < 2) continue;
    add(SourceEditList::Rank::kUsual, unit.first, std::move(changes), "another axis of the indices",
        fmt::format("`.{}` in all indices", to));
  }
}

void StructuralSearch::exchanged_in_brackets(std::size_t i) {
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

void StructuralSearch::exchanged_locals() {
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

}  // namespace warpgrade
