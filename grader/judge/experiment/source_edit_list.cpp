#include "grader/judge/experiment/source_edit_list.h"

#include <fmt/core.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <utility>

namespace warpgrade {
namespace {

/// So many of a kind come before those of the next rank.
constexpr std::size_t kTurnsOfRank = 4;

}  // namespace

SourceEdit& SourceEditList::add(Rank rank, SourceEdit edit) {
  found_.push_back({rank, std::move(edit)});
  return found_.back().edit;
}

std::vector<SourceEdit> SourceEditList::in_turns(
    const std::map<std::string, std::size_t>& shares) && {
  std::map<std::pair<Rank, std::string>, std::size_t> turns;
  std::vector<std::pair<std::size_t, SourceEdit>> in_order;  // the later, the more come before
  for (Ranked& ranked : found_) {
    const std::string kind = ranked.edit.kind.substr(0, ranked.edit.kind.find('`'));
    const auto share = shares.find(kind);
    const std::size_t at_once = share == shares.end() ? 1 : share->second;
    const std::size_t turn = ranked.rank * kTurnsOfRank + turns[{ranked.rank, kind}]++ / at_once;
    in_order.emplace_back(turn, std::move(ranked.edit));
  }
  std::ranges::stable_sort(in_order, {}, [](const auto& entry) { return entry.first; });
  std::vector<SourceEdit> edits;
  std::set<std::string> known;
  for (auto& [turn, edit] : in_order) {
    std::string key;
    for (const SourceEdit::Replacement& r : edit.replacements) {
      key += fmt::format("{}-{} {};", r.begin, r.end, r.text);
    }
    if (known.insert(std::move(key)).second) edits.push_back(std::move(edit));
  }
  return edits;
}

}  // namespace warpgrade
