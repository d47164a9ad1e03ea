#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "grader/author/check/mutant.h"
#include "grader/submit/submission/submission.h"
#include "harness/lab/lab.h"

namespace warpgrade {

/// A mutant of a lab: reference/<lab>/wrong/<name>.cu, a program that is written whole, its claim
/// in its first lines (read_claim()), or <name>.toml, what makes it from a right program:
///
///     base = "stages/04_tiled.cu"     # in reference/<lab>
///     verdict = "fails-safety"
///     pitfall = "P22"                 # or "none"
///     caught_by = "finding race-shared"
///     mistake = "No barrier ensures that the tile is complete before it is read."
///
///     [[replace]]                     # one to three
///     old = "__syncthreads();"        # in the base exactly once
///     new = ""
///
/// and if they are needed, pitfall_with_clang and differs_with_clang, a sentence. The comment that
/// the base begins with gives way to these lines, as comments.
struct WrongProgram {
  std::string name;
  std::filesystem::path file;
  MutantClaim claim;
  std::string text;  // the whole program, beginning with the claim
  std::filesystem::path base;  // empty if it is written whole
};

/// All of a lab, by name.
/// @throws LabError  "reference/x/wrong/y.toml:3: what is wrong; what to do"
[[nodiscard]] std::vector<WrongProgram> wrong_programs(const Lab& lab);

/// @throws UsageError  if the lab has none of this name; LabError as wrong_programs()
[[nodiscard]] WrongProgram wrong_program(const Lab& lab, const std::string& name);

/// What a student would submit: <name>.cu.
[[nodiscard]] Submission submission_of(const WrongProgram& program, const Lab& lab);

}  // namespace warpgrade
