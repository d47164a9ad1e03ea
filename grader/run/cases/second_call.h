#pragma once

#include <filesystem>
#include <vector>

#include "grader/build/compile/build.h"
#include "grader/record/evidence/case_outcome.h"
#include "grader/run/session/lab_session.h"

namespace warpgrade {

/// Two cheap visible cases, the larger one second, so that the second call reveals state kept from
/// the first: a counter that is not reset, memory for the first call's number of elements. Both
/// pass alone: if a case is wrong anyway, its second call says nothing about kept state.
struct CallPair {
  const Case* first = nullptr;  // null if there are no such cases
  const Case* second = nullptr;
};
[[nodiscard]] CallPair pick_call_pair(const Lab& lab, const std::vector<CaseOutcome>& outcomes);

/// Calls a submission twice in one process, with the data of such a pair. If the second call is
/// wrong, its case fails, with the reason in its message; the findings of the case's own run stay.
void check_second_call(LabSession& session, const BuildResult& build,
                       const std::filesystem::path& scratch, std::vector<CaseOutcome>& outcomes);

}  // namespace warpgrade
