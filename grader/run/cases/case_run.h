#pragma once

#include <filesystem>
#include <vector>

#include "grader/build/compile/build.h"
#include "grader/record/evidence/case_outcome.h"
#include "grader/run/cases/replays.h"
#include "grader/run/session/lab_session.h"
#include "grader/run/worker/worker.h"
#include "harness/case/case.h"

namespace warpgrade {

/// The cases of a lab, in its order.
[[nodiscard]] std::vector<const Case*> all_cases(const Lab& lab);

/// Runs cases of the lab, at most `jobs` at a time. After several cases that never end, the rest
/// are not run; which ones does not depend on `jobs`.
/// @param replays  which cases have replays, and where these are kept; null: none
[[nodiscard]] std::vector<CaseOutcome> run_cases(LabSession& session, const BuildResult& build,
                                                 const std::vector<const Case*>& cases,
                                                 const Secret& secret,
                                                 const std::filesystem::path& scratch,
                                                 std::size_t jobs, Replays* replays = nullptr);

/// Runs one case in a folder in `scratch` that it removes.
[[nodiscard]] CaseOutcome run_case(LabSession& session, const BuildResult& build, const Case& spec,
                                   const Secret& secret, const std::filesystem::path& scratch,
                                   Replays* replays = nullptr);

/// The verdict on one case from how the process ended, what the emulator saw, and what the harness
/// judged of its outputs.
[[nodiscard]] CaseOutcome judge_run(const Case& spec, const WorkerRun& run,
                                    const CaseResult& judged, const Lab& lab);

/// A result that is right on a GPU by chance does not count: `on_card` takes the emulator's verdict
/// on the same case if that run completed with wrong outputs and the emulator reports undefined
/// behavior as the cause. Without a cause the card's verdict stays.
void heed_emulator(const CaseOutcome& emulated, CaseOutcome& on_card);

}  // namespace warpgrade
