#include <fmt/core.h>

#include <filesystem>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "grader/author/model_bench/bench_lab.h"
#include "grader/cli/commands.h"
#include "grader/cli/options.h"
#include "grader/core/error.h"
#include "grader/process/attached.h"
#include "grader/process/process.h"

namespace warpgrade {
namespace fs = std::filesystem;
namespace {

struct BenchOptions {
  bool emulator = false;
  bool libraries = false;
  int rounds = 0;  // 0: the program's default
  BenchRequest labs;
};

/// Replaces this process by another of our programs, so that its output, exit code and Ctrl-C
/// handling are ours.
///
/// @param program  its file name beside this program, and the target that builds it
/// @param remark   a remark on building it; may be empty
[[noreturn]] void become(const std::string& program, std::vector<std::string> words,
                         const std::string& remark) {
  const fs::path path = fs::read_symlink("/proc/self/exe").parent_path() / program;
  if (!fs::exists(path)) {
    throw EnvironmentError(
        fmt::format("{} is not built because it is not part of a normal build; build it with "
                    "`cmake --build build --target {}`{}",
                    path.string(), program, remark));
  }
  words.insert(words.begin(), path.string());
  ProcessSpec spec;
  spec.argv = std::move(words);
  spec.environment = whole_environment();
  throw EnvironmentError(become_program(spec));
}

ExitCode bench_emulator(const BenchOptions& options) {
  std::vector<std::string> words;
  if (!options.labs.json.empty()) words.insert(words.end(), {"--json", options.labs.json});
  become("emulator_bench", std::move(words),
         " (`scripts/setup --bench` installs the tools to compare with)");
}

ExitCode bench_libraries(const BenchOptions& options) {
  std::vector<std::string> words;
  if (!options.labs.lab.empty()) words.push_back(options.labs.lab);
  if (!options.labs.json.empty()) words.insert(words.end(), {"--json", options.labs.json});
  if (options.rounds > 0) {
    words.insert(words.end(), {"--rounds", std::to_string(options.rounds)});
  }
  become("library_bench", std::move(words), "");
}

}  // namespace

void add_bench_command(CLI::App& app, Action& action) {
  CLI::App* command = app.add_subcommand("bench", "Measure this machine and print ratios");
  const auto options = std::make_shared<BenchOptions>();
  command->add_flag("--emulator", options->emulator,
                    "Measure the emulator, alone and compared with Oclgrind and POCL");
  CLI::Option* libraries =
      command->add_flag("--libraries", options->libraries,
                        "Compare the solutions on this GPU with CUB, cuBLAS and cuDNN");
  command->add_option("--rounds", options->rounds, "With --libraries: timed calls per candidate")
      ->needs(libraries);
  command->add_option("lab", options->labs.lab,
                      "Lab whose stages are run and timed (default: all labs)");
  add_compiler_option(*command, options->labs.compiler);
  command->add_option("--card", options->labs.card, "Card to model (default: that of the GPU)");
  command->add_flag("--quick", options->labs.quick, "Run only the performance case");
  command->add_option("--json", options->labs.json, "Also write the figures to this file");
  command->callback([&action, options] {
    action = [options] {
      if (options->emulator) return bench_emulator(*options);
      if (options->libraries) return bench_libraries(*options);
      return bench_labs(options->labs);
    };
  });
}

}  // namespace warpgrade
