#include "grader/judge/rubric/proportion.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <set>

namespace warpgrade {
namespace {

/// An affected case takes this many times its share of the correctness points from the other items.
constexpr double kWeight = 2;

/// Share of the points for correctness.
double share_of(const Lab& lab, const std::set<std::string>& cases) {
  if (cases.empty()) return 0;
  double points = 0;
  for (const Case& spec : lab.cases) points += cases.contains(spec.name) ? spec.points : 0;
  return lab.rubric.correctness > 0 ? std::max(points, 1.0) / lab.rubric.correctness : 1;
}

}  // namespace

const CaseOutcome* not_assessed(const Evidence& evidence) {
  const auto it = std::find_if(
      evidence.cases.begin(), evidence.cases.end(),
      [](const CaseOutcome& c) { return c.report.verdict == CaseVerdict::not_assessed; });
  return it == evidence.cases.end() ? nullptr : &*it;
}

bool is_right(const Evidence& evidence, const std::string& name) {
  const CaseOutcome* outcome = evidence.find_case(name);
  return outcome == nullptr || outcome->report.verdict == CaseVerdict::passed;
}

bool fails_as_second_call(const Evidence& evidence) {
  return std::any_of(evidence.cases.begin(), evidence.cases.end(),
                     [](const CaseOutcome& c) { return c.fails_as_second_call; });
}

double correctness_share(const Evidence& evidence) {
  if (evidence.hidden) return evidence.hidden->correctness_share;
  double reached = 0;
  double possible = 0;
  for (const Case& spec : evidence.lab->cases) {
    const CaseOutcome* outcome = evidence.find_case(spec.name);
    const CaseVerdict verdict = outcome == nullptr ? CaseVerdict::not_run : outcome->report.verdict;
    reached += verdict == CaseVerdict::passed ? spec.points : 0;
    possible += verdict == CaseVerdict::not_assessed ? 0 : spec.points;
  }
  return possible > 0 ? reached / possible : 1;
}

bool time_counts(const Evidence& evidence) {
  return evidence.build_problem.empty() && evidence.lab->rubric.performance > 0 &&
         share_left(1 - correctness_share(evidence)) > 0 && not_assessed(evidence) == nullptr &&
         !fails_as_second_call(evidence) && is_right(evidence, evidence.lab->performance_case);
}

double share_left(double affected) {
  return std::clamp(1 - kWeight * affected, 0.0, 1.0);
}

double safety_left(const Lab& lab, const std::vector<const ReportedFinding*>& findings) {
  std::set<std::string> all;
  std::set<std::string> unsafe;
  for (const ReportedFinding* f : findings) {
    all.insert(f->cases.begin(), f->cases.end());
    if (!f->is_tidiness() && !f->relies_on_luck()) unsafe.insert(f->cases.begin(), f->cases.end());
  }
  return std::min(share_left(share_of(lab, unsafe)), (1 + share_left(share_of(lab, all))) / 2);
}

std::string share_words(double share) {
  return share < 1 ? fmt::format(" Not every case passes, so {:.3g} % of these points count.",
                                 100 * share)
                   : "";
}

double points_of_share(double points, double share) {
  constexpr double kRounding = 1e-9;  // rounding error of the product
  return std::floor(100 * points * share + kRounding) / 100;
}

}  // namespace warpgrade
