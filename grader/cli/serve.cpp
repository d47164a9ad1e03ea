#include <fmt/core.h>
#include <CLI/CLI.hpp>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <optional>

#include "grader/cli/commands.h"
#include "grader/core/error.h"
#include "grader/core/installation.h"
#include "grader/run/session/labs_by_week.h"
#include "grader/serve/serve.h"

namespace warpgrade {
namespace fs = std::filesystem;
namespace {

struct Options {
  ServeOptions serve;
  std::string compiler = "auto", device = "auto", sandbox = "auto";
};

/// XDG_DATA_HOME/warpgrade/serve, or ~/.local/share/warpgrade/serve.
fs::path default_folder() {
  if (const char* data = std::getenv("XDG_DATA_HOME"); data != nullptr && *data == '/') {
    return fs::path(data) / "warpgrade" / "serve";
  }
  const char* home = std::getenv("HOME");
  if (home == nullptr || *home != '/') {
    throw UsageError("there is no home folder to keep your work in; name a folder with --data");
  }
  return fs::path(home) / ".local" / "share" / "warpgrade" / "serve";
}

ExitCode run(Options options) {
  if (options.serve.folder.empty()) options.serve.folder = default_folder();
  options.serve.check_options = {"--compiler",   options.compiler, "--device",
                                 options.device, "--sandbox",      options.sandbox};
  const Installation installation = find_installation();
  return serve(options.serve, installation, labs_by_week(installation));
}

}  // namespace

void add_serve_command(CLI::App& app, Action& action) {
  CLI::App* command =
      app.add_subcommand("serve", "Open the labs in a browser: handout, editor, checks, reports");
  const auto options = std::make_shared<Options>();
  command->add_option("--port", options->serve.port, "on 127.0.0.1; 0: any free one")
      ->capture_default_str();
  command->add_option("--data", options->serve.folder,
                      "the folder of the database (default: ~/.local/share/warpgrade/serve)");
  command
      ->add_option("--jobs", options->serve.jobs,
                   "checks that run at the same time, each on all processors")
      ->check(CLI::Range(1, 64))
      ->capture_default_str();
  command->add_option("--compiler", options->compiler, "as for `warpgrade check`")
      ->check(CLI::IsMember({"auto", "nvcc", "clang"}))
      ->capture_default_str();
  command->add_option("--device", options->device, "as for `warpgrade check`")
      ->check(CLI::IsMember({"auto", "cuda", "emulator"}))
      ->capture_default_str();
  command->add_option("--sandbox", options->sandbox, "as for `warpgrade check`")
      ->check(CLI::IsMember({"auto", "bubblewrap", "none"}))
      ->capture_default_str();
  command->callback([&action, options] { action = [options] { return run(*options); }; });
}

}  // namespace warpgrade
