#pragma once

#include <optional>
#include <string>

#include "grader/counters/emulator_report.h"
#include "grader/grade_record/grade.h"
#include "harness/lab/lab.h"

namespace warpgrade {

/// One case of one submission, run and judged.
struct CaseOutcome {
  const Case* spec = nullptr;
  CaseReport report;
  std::string pitfall;  // what the run itself gives away, "P44"; else empty
  std::optional<EmulatorReport> emulator;
  std::string printed;  // stdout of the program
  bool fails_as_second_call = false;  // of a process; right when called once
  bool ended_early = false;  // exited on its own before the harness finished
};

}  // namespace warpgrade
