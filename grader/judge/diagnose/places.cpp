#include "grader/judge/diagnose/places.h"

#include <algorithm>
#include <set>

namespace warpgrade {
namespace {

using warpsim::ArrayAccess;

/// Whether the cases have arrays of different sizes: otherwise a property may be chance.
bool differ_in_size(const std::vector<ArrayAccess>& cases) {
  std::set<std::uint64_t> sizes;
  for (const ArrayAccess& one : cases) sizes.insert(one.elements());
  return sizes.size() > 1;
}

/// -1 or 1 if it is the element next to the array, otherwise 0.
int side_of(const ArrayAccess& access) {
  return access.element() == -1 ? -1 : access.is_next_after() ? 1 : 0;
}

}  // namespace

std::vector<const ReportedFinding*> in_each_case(const Clues& clues,
                                                 const ReportedFinding& finding) {
  std::vector<const ReportedFinding*> found;
  for (const CaseOutcome& c : clues.evidence().cases) {
    if (!c.emulator) continue;
    for (const ReportedFinding& own : c.emulator->findings) {
      if (own.kind == finding.kind && own.file == finding.file && own.line == finding.line) {
        found.push_back(&own);
      }
    }
  }
  return found;
}

std::vector<ArrayAccess> accesses_of(const Clues& clues, const ReportedFinding& finding) {
  std::vector<ArrayAccess> accesses;
  for (const ReportedFinding* own : in_each_case(clues, finding)) {
    if (!own->access().known()) return {};
    accesses.push_back(own->access());
  }
  return accesses;
}

bool written_by_elements(const std::vector<ArrayAccess>& first_unwritten) {
  return differ_in_size(first_unwritten) &&
         std::ranges::all_of(first_unwritten, [](const ArrayAccess& one) {
           const std::uint64_t elements = one.elements();
           return one.width > 1 && elements >= 2 * one.width && one.element() > 0 &&
                  static_cast<std::uint64_t>(one.element()) == elements / one.width;
         });
}

std::uint64_t same_first_unwritten(const std::vector<ArrayAccess>& first_unwritten) {
  constexpr std::int64_t kWarp = 32;
  if (!differ_in_size(first_unwritten)) return 0;
  const std::int64_t first = first_unwritten.front().element();
  const bool same = std::ranges::all_of(first_unwritten, [&](const ArrayAccess& one) {
    return one.element() == first && static_cast<std::int64_t>(one.elements()) > first;
  });
  return same && first > 0 && first % kWarp == 0 ? static_cast<std::uint64_t>(first) : 0;
}

int only_element_outside(const Clues& clues, const ReportedFinding& finding) {
  int side = 0;
  const auto cases = in_each_case(clues, finding);
  for (const ReportedFinding* own : cases) {
    const int here = own->count == 1 ? side_of(own->access()) : 0;
    if (here == 0 || (side != 0 && here != side)) return 0;
    side = here;
  }
  return cases.size() >= 2 ? side : 0;
}

}  // namespace warpgrade
