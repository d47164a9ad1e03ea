#pragma once

#include <filesystem>
#include <vector>

#include "grader/assess/before_release.h"
#include "grader/grade/grade.h"
#include "grader/score/score.h"

namespace warpgrade {

/// All that a program's headline is decided from, so that rules can be tried without a run.
struct KeptEvidence {
  Evidence evidence;
  PublicRuns open;  // the hidden cases that may be shown; their runs without a secret
  std::vector<SourceFile> sources;
};

/// Writes the evidence of a run on public data as JSON. Times of a GPU and the ladder are left out:
/// no headline depends on them.
/// @throws EnvironmentError  if the file cannot be written
void write_evidence(const KeptEvidence& kept, const std::filesystem::path& file);

/// @param lab  the one that the program was run in; cases that it no longer has are left out
/// @throws UsageError  if the file cannot be read, or is not what write_evidence() writes
[[nodiscard]] KeptEvidence read_evidence(const std::filesystem::path& file, const Lab& lab);

}  // namespace warpgrade
