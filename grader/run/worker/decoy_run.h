#pragma once

#include <chrono>
#include <filesystem>
#include <optional>
#include <string>

#include "grader/run/worker/worker.h"
#include "harness/case/case.h"
#include "harness/case/replay.h"
#include "harness/case/tried_edits.h"

namespace warpgrade {

/// Like run_worker() on the emulator, but kernels get different inputs than host code
/// (harness/case/decoy.h). The report has only the launches and what stopped the run.
///
/// @param for_device  the same case with those inputs
[[nodiscard]] WorkerRun run_with_decoy(const std::filesystem::path& program,
                                       const PreparedCase& prepared, const CaseData& for_device,
                                       const Device& device,
                                       const std::filesystem::path& source_folder);

/// A run, and the replay after it, if it came to that.
struct ReplayedRun {
  WorkerRun run;
  std::optional<CaseReplay> replay;
};

/// Like run_worker() on the emulator, and at its end the device process does the work of the call
/// again with other inputs (harness/case/replay.h). The report is that of run_worker().
///
/// @param other  the same case with those inputs
[[nodiscard]] ReplayedRun run_with_replay(const std::filesystem::path& program,
                                          const PreparedCase& prepared, const CaseData& other,
                                          const Device& device,
                                          const std::filesystem::path& source_folder,
                                          std::chrono::seconds wall = kWallLimit);

/// A run, and what came out of edits of its kernels.
struct EditedRun {
  WorkerRun run;
  std::optional<TriedEdits> tried;
};

/// Like run_worker() on the emulator, and at its end the device process does the work of the call
/// again with each of these edits (harness/case/tried_edits.h).
///
/// @param edits  one per line; empty: all that are possible
[[nodiscard]] EditedRun run_with_edits(const std::filesystem::path& program,
                                       const PreparedCase& prepared, const std::string& edits,
                                       const Device& device,
                                       const std::filesystem::path& source_folder,
                                       std::chrono::seconds wall);

/// Like run_worker() on the emulator, and blocks of its kernels are recorded.
/// @param what  as `warpsim --record-what`; empty: its default
/// @returns the recording's bytes, which the caller has to check; empty if there is none
[[nodiscard]] std::string run_recorded(const std::filesystem::path& program,
                                       const PreparedCase& prepared, const Device& device,
                                       const std::filesystem::path& source_folder,
                                       const std::string& what);

}  // namespace warpgrade
