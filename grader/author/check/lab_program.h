#pragma once

#include <filesystem>
#include <set>
#include <string>
#include <vector>

#include "grader/author/check/trivial.h"
#include "grader/author/check/wrong_program.h"
#include "grader/build/toolchain/compiler.h"
#include "grader/record/grade/grade.h"
#include "harness/lab/lab.h"

namespace warpgrade {

/// One program of a lab, and its requirements.
struct LabProgram {
  enum class Kind { stub, stage, solution, mutant, trivial, plain };
  Kind kind = Kind::stub;
  std::filesystem::path file;
  std::string name;
  std::vector<std::string> problems;  // requirements that it does not meet
  WrongProgram wrong;  // mutants
  bool caught = false;
  bool named = false;
  bool has_pitfall = false;
  TrivialProgram trivial;
  std::vector<std::string> right_by_nature;  // cases that a trivial program may pass
  double modelled_ms = 0;  // of the performance case
  double warp_instructions = 0;  // of the performance case
  double points = 0;
  std::set<std::string> met;  // concept checks
  // By a program whose case is right, so that the check was evaluated.
  std::set<std::string> missed;
  bool recorded = false;  // not run: lab_record.h

  /// "mutant/no_guard", as in the record.
  [[nodiscard]] std::string key() const;
  [[nodiscard]] std::string text() const;
};

/// Holds a program's grade against what is required of its kind, and notes its costs and concept
/// checks. For a trivial kernel that is only that it builds: which cases it may pass is up to the
/// caller.
/// @param grade  without the items of questions
void check_program(const Lab& lab, const Grade& grade, CompilerKind compiler, LabProgram& program);

}  // namespace warpgrade
