#pragma once

#include <filesystem>

#include "grader/run/worker.h"
#include "harness/case/case.h"

namespace warpgrade {

/// Like run_worker() on the emulator, but kernels get different inputs than host code
/// (harness/case/decoy.h). The report has only the launches and what stopped the run.
///
/// @param for_device  the same case with those inputs
[[nodiscard]] WorkerRun run_with_decoy(const std::filesystem::path& program,
                                       const PreparedCase& prepared, const CaseData& for_device,
                                       const Device& device,
                                       const std::filesystem::path& source_folder);

}  // namespace warpgrade
