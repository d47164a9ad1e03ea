#include "grader/diagnose/hidden_clue.h"

#include <fmt/core.h>

namespace warpgrade {

std::optional<Diagnosis> hidden_fails(const Clues& clues) {
  if (!clues.fails_where_hidden()) {
    return std::nullopt;
  }
  const auto& kinds = clues.evidence().hidden->kinds;
  if (!kinds.empty() && kinds.front()->effect == warpsim::FindingEffect::unsafe) {
    return Diagnosis{
        fmt::format("All cases that are shown are right. Hidden ones show: {}.", titles(kinds)),
        std::string(kinds.front()->pitfall)};
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
                   std::string(hidden->kinds.front()->pitfall)};
}

}  // namespace warpgrade
