#pragma once

#include <string>
#include <vector>

#include "emulator/cudart/tests/run.h"

// Programs that call a library with one mistake each, under the launcher.

namespace warpsim::testing {

using Kinds = std::vector<std::string>;

/// Runs WARPSIM_SCENARIOS, which CMakeLists.txt defines for each library.
inline Run scenario(const std::string& name, const std::string& devices = "1") {
  return run(
      {WARPSIM_LAUNCHER, "--devices", devices, "--json", "REPORT", "--", WARPSIM_SCENARIOS, name});
}

/// The kinds of a program's findings.
inline Kinds kinds(const std::string& name) {
  return scenario(name).kinds();
}
/// The message of its finding of one kind.
inline std::string message(const std::string& name, const std::string& kind) {
  return scenario(name).finding(kind)["message"];
}

}  // namespace warpsim::testing
