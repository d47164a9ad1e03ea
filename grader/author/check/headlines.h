#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "grader/core/error.h"
#include "grader/judge/assess/observed.h"
#include "grader/run/session/lab_session.h"
#include "grader/submit/submission/submission.h"

namespace warpgrade {

/// The first sentence of a report, and its pitfall.
struct Headline {
  std::string summary;
  std::string pitfall;  // "P3", or empty
  /// What it states and the evidence contradicts (diagnose/claims.h).
  std::vector<std::string> untrue = {};
};

/// The headline of a program's report.
struct Headlines {
  bool built = false;
  Headline all;  // from all cases, for staff
  Headline shown;  // from visible cases, as students see it in `check`
};

/// Makes both from evidence, without running anything.
[[nodiscard]] Headlines headlines_of(const LabSession& session, const Submission& program,
                                     Observed seen);

/// The evidence of a program: from a folder where it has been kept, otherwise from a run, and then
/// kept there.
/// @param name  of the program, which has one file per compiler in the folder
[[nodiscard]] Observed kept_evidence(LabSession& session, const Submission& program,
                                     const std::string& name, const std::filesystem::path& folder);

struct HeadlinesRequest {
  std::string lab;
  std::vector<std::filesystem::path> files;  // programs, named by their files
  std::filesystem::path evidence;  // folder of evidence: what it has is not run again
  std::optional<CompilerRequest> compiler;
  std::size_t jobs = 1;  // programs at a time
};

/// Prints a line of JSON for each program: its name, whether it was built, and both headlines with
/// what is untrue in them.
/// Evidence is kept, so that a change of the rules needs no second run; after a change of the
/// emulator or of a lab's cases, delete the folder.
///
/// @throws UsageError, LabError, EnvironmentError, Interrupted
ExitCode print_headlines(const HeadlinesRequest& request);

}  // namespace warpgrade
