#include "grader/judge/diagnose/hidden_clue.h"

#include <fmt/core.h>

#include "grader/judge/diagnose/lab_clue.h"

namespace warpgrade {
namespace {

/// The pitfall from the lab's clues for this kind of finding, or of the kind itself.
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
    return Diagnosis{fmt::format("All visible cases pass. Hidden cases show: {}.", titles(kinds)),
                     pitfall_of(clues, *kinds.front())};
  }
  if (clues.evidence().hidden->stopped) {
    return Diagnosis{
        "All visible cases pass, and a hidden one was stopped at the time limit: with more "
        "elements than in the visible cases, the program takes far too long.",
        ""};
  }
  return Diagnosis{
      "All visible cases pass, and a hidden one fails. Try other sizes: 0 and 1, your block size "
      "minus and plus one, a prime, and more than the number of threads in your grid.",
      ""};
}

std::optional<Diagnosis> hidden_findings(const Clues& clues) {
  const std::optional<HiddenPart>& hidden = clues.evidence().hidden;
  if (!hidden || hidden->kinds.empty()) {
    return std::nullopt;
  }
  return Diagnosis{fmt::format("Correct, but hidden cases show: {}.", titles(hidden->kinds)),
                   pitfall_of(clues, *hidden->kinds.front())};
}

}  // namespace warpgrade
