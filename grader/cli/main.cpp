#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <string>
#include <vector>

#include "grader/cli/commands.h"
#include "grader/core/disk.h"
#include "grader/core/error.h"
#include "grader/core/interrupt.h"
#include "grader/core/text.h"
#include "grader/core/version.h"
#include "harness/core/closest.h"
#include "harness/core/lab_error.h"

namespace warpgrade {
namespace {

/// The only place that turns an exception into a message on stderr and an exit code.
ExitCode guarded(const Action& action) {
  const auto say = [](const char* kind, const char* text) {
    fmt::print(stderr, "warpgrade: {}{}\n", kind, text);
  };
  try {
    return action();
  } catch (const UsageError& e) {
    say("", e.what());
    return ExitCode::usage;
  } catch (const LabError& e) {
    say("", e.what());
    return ExitCode::usage;
  } catch (const LabCodeError& e) {
    say("", e.what());
    return ExitCode::internal;
  } catch (const EnvironmentError& e) {
    say("", e.what());
    return ExitCode::environment;
  } catch (const std::filesystem::filesystem_error& e) {
    say("", describe(e).c_str());
    return ExitCode::environment;
  } catch (const Interrupted&) {
    say("", "interrupted");
    return ExitCode::interrupted;
  } catch (const std::exception& e) {
    say("this is a bug in warpgrade, please report it: ", e.what());
    return ExitCode::internal;
  }
}

/// A better sentence for a mistyped subcommand than the parser's "A subcommand is required".
std::string unknown_command(const CLI::App& app, int argc, char** argv) {
  const std::string word = argc > 1 ? argv[1] : "-";
  std::vector<std::string> known;
  for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; })) {
    known.push_back(command->get_name());
  }
  if (word.starts_with('-') || std::find(known.begin(), known.end(), word) != known.end()) {
    return {};
  }
  const std::string near = closest(word, known);
  return fmt::format("there is no command '{}'{}; the commands are {}", printable(word),
                     near.empty() ? "" : fmt::format(", did you mean '{}'?", near),
                     join_and(known));
}

int run(int argc, char** argv) {
  CLI::App app("Autograder for parallel programming labs: runs CUDA kernels with or without a GPU",
               "warpgrade");
  app.set_version_flag("--version", std::string("warpgrade ") + kVersion);
  app.footer(
      "Exit codes: 0 passed, 1 not yet, 2 usage error, 3 missing dependency on this machine, 70 "
      "internal error.\nMore: warpgrade COMMAND --help, warpgrade explain");
  Action action;
  add_commands(app, action);
  // Commands that exist already do not inherit it.
  app.set_help_all_flag("--help-all", "Print help for every command, and exit");
  if (const std::string problem = unknown_command(app, argc, argv); !problem.empty()) {
    fmt::print(stderr, "warpgrade: {}\n", problem);
    return static_cast<int>(ExitCode::usage);
  }
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& e) {
    const int code = app.exit(e);  // prints help, version or what is wrong
    return code == 0 ? 0 : static_cast<int>(ExitCode::usage);
  }
  install_interrupt_handlers();
  const ExitCode code = guarded(action);
  if (std::fflush(stdout) != 0 || std::ferror(stdout) != 0) {
    fmt::print(stderr, "warpgrade: the output could not be written\n");
    return static_cast<int>(ExitCode::environment);
  }
  return static_cast<int>(code);
}

}  // namespace
}  // namespace warpgrade

int main(int argc, char** argv) {
  return warpgrade::run(argc, argv);
}
