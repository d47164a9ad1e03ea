#include "grader/score/rung.h"

#include "grader/score/formula.h"

namespace warpgrade {
namespace {

/// A condition that divides by a count of zero is about something that is not done here.
bool stands_on(const Rung& rung, const CaseOutcome& outcome) {
  try {
    return evaluate_formula(rung.when, outcome.spec->data.dims, [&](const CounterName& counter) {
             return counter_value(counter, outcome.emulator->kernels);
           }) != 0;
  } catch (const ExpressionError&) {
    return false;
  }
}

}  // namespace

std::optional<RungReport> find_rung(const Evidence& evidence) {
  const std::vector<Rung>& rungs = evidence.lab->rungs;
  const CaseOutcome* outcome = evidence.find_case(evidence.lab->performance_case);
  if (outcome == nullptr || outcome->report.verdict != CaseVerdict::passed || !outcome->emulator ||
      outcome->emulator->kernels.empty()) {
    return std::nullopt;
  }
  for (std::size_t i = rungs.size(); i > 0; --i) {
    const Rung& rung = rungs[i - 1];
    if (stands_on(rung, *outcome)) {
      return RungReport{.index = i,
                        .count = rungs.size(),
                        .stage = rung.stage,
                        .title = rung.title,
                        .next_title = i < rungs.size() ? rungs[i].title : "",
                        .next = rung.next};
    }
  }
  return std::nullopt;
}

}  // namespace warpgrade
