#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "grader/cli/commands.h"
#include "grader/cli/options.h"
#include "grader/core/files.h"
#include "grader/core/steps.h"
#include "grader/run/program/program_run.h"
#include "grader/show/problems/diagnostics.h"
#include "grader/show/report/program_page.h"
#include "grader/submit/submission/program_files.h"

// `warpgrade run`: any CUDA program on the emulator, in the sandbox of submissions.

namespace warpgrade {
namespace fs = std::filesystem;
namespace {

constexpr std::uint64_t kLongestInput = std::uint64_t{64} << 20;

struct RunCommand {
  fs::path work;
  std::vector<std::string> arguments;
  fs::path input;
  fs::path html;
  std::string card;
  RunOptions run = {.device = DeviceRequest::emulator, .sandbox = SandboxMode::automatic};
  bool pictures = false;
  bool progress = false;
  bool json = false;
};

ExitCode run_program(const RunCommand& options) {
  if (options.progress) print_steps();
  const Installation installation = find_installation();
  Submission work = program_at(options.work);
  for (const std::string& note : work.notes) fmt::print(stderr, "note: {}\n", note);
  const PlainProgram program = {
      .files = std::move(work.files),
      .arguments = options.arguments,
      .input = options.input.empty() ? std::string() : read_file(options.input, kLongestInput),
      .card = options.card};
  const Workplace workplace = find_workplace(installation, options.run);
  const ObservedProgram observed =
      observe_program(installation, workplace, program, options.pictures);
  if (!options.html.empty()) {
    write_file_atomically(options.html, program_page(observed, installation));
  }
  if (options.json) {
    fmt::print("{}", as_json(observed));
  } else {
    fmt::print("{}", observed.facts.output);
    std::fflush(stdout);
    fmt::print(stderr, "{}", terminal_program(observed, style_of_stdout()));
  }
  return observed.passed ? ExitCode::passed : ExitCode::not_yet;
}

}  // namespace

void add_run_command(CLI::App& app, Action& action) {
  CLI::App* command = app.add_subcommand(
      "run", "Run any CUDA program on the emulator, with findings, counters and its PTX");
  const auto options = std::make_shared<RunCommand>();
  command
      ->add_option("program", options->work,
                   "a .cu or .hip file with main() (headers it includes are copied along), or a "
                   "folder or archive of such files")
      ->required();
  command->add_option("arguments", options->arguments,
                      "of the program; after -- if they begin with a dash");
  command->add_option("--input", options->input, "a file as its standard input")
      ->check(CLI::ExistingFile);
  command->add_option("--html", options->html, "write a page for the browser to this file");
  command->add_flag("--pictures", options->pictures,
                    "in the page of --html: pictures of what the threads did, from a further run");
  command->add_option("--card", options->card,
                      "the card that is emulated, as `warpsim --card` (default: a100)");
  command->add_flag("--progress", options->progress,
                    "print each step on standard error, as lines `progress: compiling`");
  command
      ->add_option_function<std::string>(
          "--format", [options](const std::string& name) { options->json = name == "json"; },
          "what is printed: its output and findings (text), or findings for an editor (json)")
      ->check(CLI::IsMember({"text", "json"}))
      ->type_name("")
      ->default_str("text");
  add_compiler_option(*command, options->run.compiler);
  add_sandbox_option(*command, options->run.sandbox);
  command->callback([&action, options] { action = [options] { return run_program(*options); }; });
}

}  // namespace warpgrade
