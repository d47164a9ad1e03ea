#pragma once

#include <string>
#include <vector>

#include "grader/core/installation.h"
#include "grader/record/evidence/observed_program.h"
#include "grader/record/grade/grade.h"
#include "grader/run/session/open_session.h"

namespace warpgrade {

/// A CUDA program that belongs to no lab.
struct PlainProgram {
  std::vector<SourceFile> files;  // .cu files, one with main(), and headers
  std::vector<std::string> arguments;  // after the program's name
  std::string input;  // standard input
  std::string card;  // that the emulator is, as `warpsim --card`; empty: its default
};

/// Compiles the program and runs it on the emulator, in the sandbox of the workplace and with the
/// limits of submissions.
/// @param pictures  whether its blocks are recorded, in a second run unless the first was slow
/// @throws UsageError        if there is no such card
/// @throws EnvironmentError  if the machine lacks something, or the run was disturbed
[[nodiscard]] ObservedProgram observe_program(const Installation& installation,
                                              const Workplace& workplace,
                                              const PlainProgram& program, bool pictures);

}  // namespace warpgrade
