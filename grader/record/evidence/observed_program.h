#pragma once

#include <string>

#include "grader/record/grade/grade.h"

namespace warpgrade {

/// What a run of a program that belongs to no lab showed.
struct ObservedProgram {
  /// Its sources, compiler messages, output, findings and kernels, and as summary one sentence.
  /// There is nothing to grade: it has no items.
  Grade facts;
  bool builds = false;
  /// It builds, ended with code 0, and has no finding that is an error.
  bool passed = false;
  std::string recording = {};  // of its blocks and calls; empty if there is none
};

}  // namespace warpgrade
