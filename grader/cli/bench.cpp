#include <fmt/core.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "grader/bench/bench_lab.h"
#include "grader/cli/commands.h"
#include "grader/core/error.h"

namespace warpgrade {
namespace fs = std::filesystem;
namespace {

struct BenchOptions {
  bool emulator = false;
  BenchRequest labs;
};

/// Becomes the emulator's benchmark, so that its table, its exit code and Ctrl-C are our own.
ExitCode bench_emulator(const BenchOptions& options) {
  const fs::path program = fs::read_symlink("/proc/self/exe").parent_path() / "emulator_bench";
  if (!fs::exists(program)) {
    throw EnvironmentError(fmt::format(
        "{} is not built, as it is no part of grading; build it with "
        "`cmake --build build --target emulator_bench` (`scripts/setup --bench` installs the "
        "runners it compares with)",
        program.string()));
  }
  std::vector<std::string> words{program.string()};
  if (!options.labs.json.empty()) words.insert(words.end(), {"--json", options.labs.json});
  std::vector<char*> argv;
  for (std::string& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);
  ::execv(program.c_str(), argv.data());
  throw EnvironmentError(
      fmt::format("{} cannot be started: {}", program.string(), std::strerror(errno)));
}

}  // namespace

void add_bench_command(CLI::App& app, Action& action) {
  CLI::App* command = app.add_subcommand("bench", "Measure this machine and print ratios");
  const auto options = std::make_shared<BenchOptions>();
  command->add_flag("--emulator", options->emulator,
                    "How fast the emulator is, alone and beside Oclgrind and POCL");
  command->add_option("lab", options->labs.lab,
                      "The lab whose stages are run and timed (default: all labs)");
  command->add_option("--card", options->labs.card,
                      "The card whose time is modelled (default: the GPU's)");
  command->add_flag("--quick", options->labs.quick,
                    "Only the case whose time counts; the others are not judged");
  command->add_option("--json", options->labs.json, "Write the figures to this file too");
  command->callback([&action, options] {
    action = [options] {
      return options->emulator ? bench_emulator(*options) : bench_labs(options->labs);
    };
  });
}

}  // namespace warpgrade
