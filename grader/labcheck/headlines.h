#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

#include "grader/core/error.h"
#include "grader/grade_submission/observed.h"
#include "grader/session/lab_session.h"
#include "grader/submission/submission.h"

namespace warpgrade {

/// The first sentence of a report, and the pitfall that it names.
struct Headline {
  std::string summary;
  std::string pitfall;  // "P3", or empty
};

/// The headline of a program's report.
struct Headlines {
  bool built = false;
  Headline all;  // from all cases, as staff read it
  Headline shown;  // from what is not hidden, as students read it in `check`
};

/// Decides both from what was observed, without running anything.
[[nodiscard]] Headlines headlines_of(const LabSession& session, const Submission& program,
                                     Observed seen);

struct HeadlinesRequest {
  std::string lab;
  std::vector<std::filesystem::path> files;  // programs; their names are their files'
  std::filesystem::path evidence;  // folder: what is there is not run again
  std::size_t jobs = 1;  // programs at a time
};

/// Prints a line of JSON for each program: its name, whether it was built, and both headlines. What
/// the programs did is kept, so that a change of the rules takes no second run; after a change of
/// the emulator or of a lab's cases, delete the folder.
///
/// @throws UsageError, LabError, EnvironmentError, Interrupted
ExitCode print_headlines(const HeadlinesRequest& request);

}  // namespace warpgrade
