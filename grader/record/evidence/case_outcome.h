#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "grader/record/counters/emulator_report.h"
#include "grader/record/grade/grade.h"
#include "harness/lab/lab.h"

namespace warpgrade {

/// One case of one submission, run and judged.
struct CaseOutcome {
  const Case* spec = nullptr;
  CaseReport report;
  std::string pitfall;  // known from the run itself, "P44"; otherwise empty
  std::optional<EmulatorReport> emulator;
  std::string printed;  // stdout of the program
  bool fails_as_second_call = false;  // wrong as the second call in a process, right as the first
  std::uint64_t unwritten_elements = 0;  // of the report's wrong ones: they still hold the poison
  bool ended_early = false;  // exited on its own before the harness finished
  std::string from_host;  // outputs that the device did not send: how many; otherwise empty
  bool stopped_by_clock = false;  // on a slow machine; another run may end
  bool slow = false;  // stopped by the clock while its kernel went on from block to block
};

}  // namespace warpgrade
