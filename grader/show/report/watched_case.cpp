#include "grader/show/report/watched_case.h"

#include <algorithm>
#include <cstdint>
#include <string>

#include "grader/show/report/sections.h"

namespace warpgrade {
namespace {

/// The largest size of a case's data.
std::int64_t size_of(const CaseReport& report) {
  std::int64_t most = 0;
  for (const auto& [name, value] : report.shape) most = std::max(most, value);
  return most;
}

}  // namespace

const Case* case_to_watch(const Lab& lab, const Grade& grade) {
  const Case* wrong = nullptr;
  const Case* largest = nullptr;
  std::int64_t most = 0;  // the size of the largest
  for (const CaseReport& report : grade.cases) {
    const Case* const spec = lab.find_case(report.name);
    if (spec == nullptr || !spec->visible) {
      continue;
    }
    const std::int64_t size = size_of(report);
    if (largest == nullptr || size > most) {
      largest = spec;
      most = size;
    }
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
  return wrong != nullptr ? wrong : largest;
}

}  // namespace warpgrade
