#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "grader/grade_record/grade.h"
#include "grader/toolchain/compiler.h"

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

/// The claims in the first lines of a mutant, reference/<lab>/wrong/*.cu:
///
///     // verdict: fails-correctness
///     // pitfall: P3                     (or none)
///     // pitfall with clang: P4          (if the mistake shows another symptom there; a comment
///     //                                  says why)
///     // caught-by: case "tail"          (or: finding leak, concept coalesced, build)
struct MutantClaim {
  MutantVerdict verdict = MutantVerdict::fails_correctness;
  std::string pitfall;
  std::string pitfall_with_clang = {};  // empty: the same
  std::string caught_by;  // "case", "finding", "concept", "performance" or "build"
  std::string caught_name;  // the case, kind or id; empty for build and performance

  [[nodiscard]] const std::string& pitfall_with(CompilerKind compiler) const {
    return compiler == CompilerKind::clang && !pitfall_with_clang.empty() ? pitfall_with_clang
                                                                          : pitfall;
  }
};

/// @throws LabError  naming the file and the line that is missing or wrong
[[nodiscard]] MutantClaim read_claim(const std::filesystem::path& file);

/// "// key: value" lines at the top of a program's text.
[[nodiscard]] std::map<std::string, std::string> read_header(const std::string& text);

/// The parts of a claim that the grade contradicts, one sentence each; empty if all of it holds.
/// The pitfall must be that of the report's first sentence.
[[nodiscard]] std::vector<std::string> broken_claims(const MutantClaim& claim, const Grade& grade,
                                                     CompilerKind compiler);

}  // namespace warpgrade
