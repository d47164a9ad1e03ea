#pragma once

#include <filesystem>
#include <vector>

#include "grader/build/build.h"
#include "grader/evidence/case_outcome.h"
#include "grader/session/lab_session.h"

namespace warpgrade {

/// Of two visible cases that are cheap, the one whose data are the larger; called second, it shows
/// what was made for the first and kept: a counter that is not set back, memory for as many
/// elements.
struct CallPair {
  const Case* first = nullptr;  // null where the lab has no such cases
  const Case* second = nullptr;
};
[[nodiscard]] CallPair pick_call_pair(const Lab& lab);

/// Calls a submission twice in one process, with the data of such a pair. If the second call is not
/// right, its case fails, with the reason in its message; what the case's own run saw stays. To be
/// asked where every case passes alone: what fails alone has a better explanation.
void check_second_call(LabSession& session, const BuildResult& build,
                       const std::filesystem::path& folder, std::vector<CaseOutcome>& outcomes);

}  // namespace warpgrade
