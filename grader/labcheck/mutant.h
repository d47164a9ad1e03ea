#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "grader/grade_record/grade.h"

namespace warpgrade {

enum class MutantVerdict : std::uint8_t {
  fails_build,
  fails_correctness,
  fails_safety,
  fails_concept,
  fails_performance,
  crashes,
  times_out,
};

/// What a wrong program of reference/<lab>/wrong says of itself in its first lines:
///
///     // verdict: fails-correctness
///     // pitfall: P3                     (or none)
///     // caught-by: case "tail"          (or: finding leak, concept coalesced, build)
struct MutantClaim {
  MutantVerdict verdict = MutantVerdict::fails_correctness;
  std::string pitfall;
  std::string caught_by;  // "case", "finding", "concept", "performance" or "build"
  std::string caught_name;  // the case, kind or id; empty for build and performance
};

/// @throws LabError  naming the file and the line that is missing or wrong
[[nodiscard]] MutantClaim read_claim(const std::filesystem::path& file);

/// "// key: value" lines at the top of a program's text.
[[nodiscard]] std::map<std::string, std::string> read_header(const std::string& text);

/// What the grade does not bear out of the claim, one sentence each; empty if all of it holds. The
/// pitfall must be the one that the report begins with.
[[nodiscard]] std::vector<std::string> broken_claims(const MutantClaim& claim, const Grade& grade);

}  // namespace warpgrade
