#include "grader/show/report/shown_findings.h"

#include <algorithm>
#include <array>
#include <utility>

#include "grader/show/report/sections.h"

namespace warpgrade {
namespace {

using warpsim::FindingKind;

/// Kinds of reads and of writes with the same mistake.
constexpr std::array<std::pair<FindingKind, FindingKind>, 4> kHalves = {{
    {FindingKind::oob_global_read, FindingKind::oob_global_write},
    {FindingKind::oob_shared_read, FindingKind::oob_shared_write},
    {FindingKind::oob_local_read, FindingKind::oob_local_write},
    {FindingKind::oob_surface_read, FindingKind::oob_surface_write},
}};

bool are_halves(const ReportedFinding& a, const ReportedFinding& b) {
  const bool same_line = a.line > 0 && a.line == b.line && a.file == b.file &&
                         a.kernel == b.kernel && a.severity == b.severity;
  return same_line && std::any_of(kHalves.begin(), kHalves.end(), [&](const auto& kinds) {
           return (a.is(kinds.first) && b.is(kinds.second)) ||
                  (a.is(kinds.second) && b.is(kinds.first));
         });
}

}  // namespace

std::vector<ShownFinding> findings_to_show(const Grade& grade) {
  std::vector<ShownFinding> shown;
  for (const ReportedFinding* f : findings_in_order(grade)) {
    const auto half = std::find_if(shown.begin(), shown.end(), [&](const ShownFinding& s) {
      return s.other == nullptr && are_halves(*s.first, *f);
    });
    if (half != shown.end()) {
      half->other = f;
    } else {
      shown.push_back({.first = f});
    }
  }
  return shown;
}

}  // namespace warpgrade
