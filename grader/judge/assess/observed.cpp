#include "grader/judge/assess/observed.h"

#include <algorithm>
#include <utility>

namespace warpgrade {

void fit_to_lab(const Lab& lab, Observed& seen) {
  Evidence& evidence = seen.evidence;
  evidence.lab = &lab;
  const auto order = [&](std::vector<CaseOutcome>& outcomes) {
    std::vector<CaseOutcome> fitting;
    for (const Case& spec : lab.cases) {
      const auto it = std::find_if(outcomes.begin(), outcomes.end(), [&](const CaseOutcome& c) {
        return c.report.name == spec.name;
      });
      if (it != outcomes.end()) {
        fitting.push_back(std::move(*it));
        fitting.back().spec = &spec;
      }
    }
    outcomes = std::move(fitting);
  };
  order(evidence.cases);
  order(seen.open.cases);
  const std::vector<std::string> counted = counted_hidden(lab);
  std::erase_if(seen.open.cases, [&](const CaseOutcome& c) {
    return std::find(counted.begin(), counted.end(), c.report.name) == counted.end();
  });
  evidence.findings = fold_findings(evidence.cases);
  if (evidence.measured && evidence.measured->timing) {
    evidence.measured->timing->tiers.clear();
    for (const Tier& tier : lab.tiers) {
      evidence.measured->timing->tiers.push_back({.ratio = tier.ratio, .points = tier.points});
    }
  }
}

}  // namespace warpgrade
