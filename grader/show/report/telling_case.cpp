#include "grader/show/report/telling_case.h"

#include <algorithm>
#include <array>
#include <string_view>

#include "grader/show/report/sections.h"

namespace warpgrade {
namespace {

/// Patterns that almost any mistake can have.
constexpr std::array<std::string_view, 4> kVague = {"everything", "unwritten", "scattered",
                                                    "nondeterministic"};

int weight(const CaseReport& c, const ReportedFinding* first) {
  const bool has_finding = first != nullptr && std::find(first->cases.begin(), first->cases.end(),
                                                         c.name) != first->cases.end();
  const bool has_pattern =
      !c.pattern.empty() && std::find(kVague.begin(), kVague.end(), c.pattern) == kVague.end();
  const bool right_in_part = c.wrong_elements > 0 && c.wrong_elements < c.elements;
  return (has_finding ? 4 : 0) + (has_pattern ? 2 : 0) + (right_in_part ? 1 : 0);
}

}  // namespace

bool is_wrong(const CaseReport& report) {
  return report.verdict != CaseVerdict::passed && report.verdict != CaseVerdict::not_run &&
         report.verdict != CaseVerdict::not_assessed;
}

const CaseReport* most_telling_case(const Grade& grade) {
  const std::vector<const ReportedFinding*> findings = findings_in_order(grade);
  const ReportedFinding* first =
      !findings.empty() && findings[0]->is_error() ? findings[0] : nullptr;
  const CaseReport* best = nullptr;
  for (const CaseReport& c : grade.cases) {
    if (is_wrong(c) && (best == nullptr || weight(c, first) > weight(*best, first))) best = &c;
  }
  return best;
}

}  // namespace warpgrade
