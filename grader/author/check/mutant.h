#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "grader/build/toolchain/compiler.h"
#include "grader/record/grade/grade.h"

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

/// How a mutant must fail.
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

/// A claim as it is written.
struct ClaimWords {
  std::string verdict;  // fails-correctness
  std::string pitfall;  // P3, or none
  std::string pitfall_with_clang;  // empty: the same; else why is said by "differs with clang"
  std::string caught_by;  // case "tail"; or finding leak, concept coalesced, performance, build
};

/// @param file  for the message
/// @throws LabError  naming the file and the word that is not known
[[nodiscard]] MutantClaim make_claim(const ClaimWords& words, const std::string& file);

/// The claim in the first lines of a program that is written whole:
///
///     // verdict: fails-correctness
///     // pitfall: P3
///     // caught-by: case "tail"
///
/// @throws LabError  naming the file and the line that is missing or wrong
[[nodiscard]] MutantClaim read_claim(const std::string& text, const std::string& file);

/// "// key: value" lines at the top of a program's text.
[[nodiscard]] std::map<std::string, std::string> read_header(const std::string& text);

/// The parts of a claim that the grade contradicts, one sentence each; empty if all of it holds.
/// The pitfall must be that of the report's first sentence.
[[nodiscard]] std::vector<std::string> broken_claims(const MutantClaim& claim, const Grade& grade,
                                                     CompilerKind compiler);

}  // namespace warpgrade
