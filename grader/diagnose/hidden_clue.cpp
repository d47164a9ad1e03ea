#include "grader/diagnose/hidden_clue.h"

#include <fmt/core.h>

#include "grader/diagnose/lab_clue.h"

namespace warpgrade {
namespace {

/// What the lab knows of this kind of finding in such a program, or what the kind implies.
std::string pitfall_of(const Clues& clues, const warpsim::FindingInfo& kind) {
  const std::optional<Diagnosis> known =
      find_lab_clue(clues, [&](const Clue& clue) { return clue.finding == kind.slug; });
  return known ? known->pitfall : std::string(kind.pitfall);
}

}  // namespace

std::optional<Diagnosis> hidden_fails(const Clues& clues) {
  if (!clues.fails_where_hidden()) {
    return std::nullopt;
  }
  const auto& kinds = clues.evidence().hidden->kinds;
  if (!kinds.empty() && kinds.front()->effect == warpsim::FindingEffect::unsafe) {
    return Diagnosis{
        fmt::format("All cases that are shown are right. Hidden ones show: {}.", titles(kinds)),
        pitfall_of(clues, *kinds.front())};
  }
  return Diagnosis{
      "All cases that are shown are right, and a hidden one is not. Try other sizes: 0 and 1, one "
      "less and one more than your block's, a prime, and more than your grid has threads.",
      ""};
}

std::optional<Diagnosis> hidden_findings(const Clues& clues) {
  const std::optional<HiddenPart>& hidden = clues.evidence().hidden;
  if (!hidden || hidden->kinds.empty()) {
    return std::nullopt;
  }
  return Diagnosis{fmt::format("Right, but hidden cases show: {}.", titles(hidden->kinds)),
                   pitfall_of(clues, *hidden->kinds.front())};
}

}  // namespace warpgrade
