#include "grader/show/report/watched_case.h"

#include <string>

#include "grader/show/report/sections.h"

namespace warpgrade {

const Case* case_to_watch(const Lab& lab, const Grade& grade) {
  const Case* wrong = nullptr;
  const Case* first = nullptr;
  for (const CaseReport& report : grade.cases) {
    const Case* const spec = lab.find_case(report.name);
    if (spec == nullptr || !spec->visible) {
      continue;
    }
    first = first == nullptr ? spec : first;
    wrong = wrong == nullptr && report.verdict != CaseVerdict::passed ? spec : wrong;
  }
  for (const ReportedFinding* finding : findings_in_order(grade)) {
    for (const std::string& name : finding->cases) {
      const Case* const spec = lab.find_case(name);
      if (spec != nullptr && spec->visible) {
        return spec;
      }
    }
  }
  return wrong != nullptr ? wrong : first;
}

}  // namespace warpgrade
