#include <cstdio>
#include <exception>
#include <string_view>

#include "emulator/tests/differential/suite.h"

// Runs every kernel of the program, or those whose name contains an argument, and prints one line
// for each: `ok <name>` or `FAIL <name> lane <i> got <bits> want <bits>`.
int main(int argc, char** argv) {
  testing::handle_require_gpu(argc, argv);
  const auto selected = [&](std::string_view name) {
    bool filtered = false;
    for (int i = 1; i < argc; ++i) {
      const std::string_view argument = argv[i];
      if (argument.starts_with("--")) continue;
      if (name.find(argument) != std::string_view::npos) return true;
      filtered = true;
    }
    return !filtered;
  };

  differential::Suite suite;
  differential::register_cases(suite);
  int ran = 0, failed = 0;
  for (const auto& [name, run] : suite.cases()) {
    if (!selected(name)) continue;
    ++ran;
    try {
      run();
      std::printf("ok %s\n", name.c_str());
    } catch (const std::exception& error) {
      ++failed;
      std::printf("FAIL %s %s\n", name.c_str(), error.what());
    }
  }
  std::printf("%d kernels, %d failed\n", ran, failed);
  return ran > 0 && failed == 0 ? 0 : 1;
}
