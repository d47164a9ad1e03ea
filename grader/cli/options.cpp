#include "grader/cli/options.h"

#include <CLI/CLI.hpp>

#include <map>
#include <string>
#include <vector>

namespace warpgrade {

void add_compiler_option(CLI::App& command, std::optional<CompilerRequest>& compiler) {
  const auto& names = kNamesOf<CompilerRequest>;
  command
      .add_option_function<std::string>(
          "--compiler",
          [&compiler](const std::string& name) { compiler = from_slug<CompilerRequest>(name); },
          "what compiles submissions: nvcc, clang (no CUDA Toolkit needed), or nvcc if it is "
          "found, "
          "else clang (auto)")
      ->check(CLI::IsMember(std::vector<std::string>(names.begin(), names.end())))
      ->type_name("")
      ->default_str("auto");
}

void add_device_option(CLI::App& command, DeviceRequest& device) {
  static const std::map<std::string, DeviceRequest> kNames = {
      {"auto", DeviceRequest::automatic},
      {"cuda", DeviceRequest::cuda},
      {"emulator", DeviceRequest::emulator}};
  command
      .add_option_function<std::string>(
          "--device", [&device](const std::string& name) { device = kNames.at(name); },
          "where kernels run: on a GPU if present (auto), on a GPU, or on the emulator")
      ->check(CLI::IsMember({"auto", "cuda", "emulator"}))
      ->type_name("")
      ->default_str("auto");
}

void add_sandbox_option(CLI::App& command, SandboxMode& sandbox) {
  static const std::map<std::string, SandboxMode> kNames = {{"auto", SandboxMode::automatic},
                                                            {"bubblewrap", SandboxMode::bubblewrap},
                                                            {"none", SandboxMode::none}};
  command
      .add_option_function<std::string>(
          "--sandbox", [&sandbox](const std::string& name) { sandbox = kNames.at(name); },
          "sandbox for submissions: bubblewrap, none, or bubblewrap if it works (auto)")
      ->check(CLI::IsMember({"auto", "bubblewrap", "none"}))
      ->type_name("")
      ->default_str(sandbox == SandboxMode::automatic ? "auto" : "bubblewrap");
}

void add_run_options(CLI::App& command, RunOptions& options) {
  add_compiler_option(command, options.compiler);
  add_device_option(command, options.device);
  add_sandbox_option(command, options.sandbox);
  command.add_flag("--profile", options.profile,
                   "on a GPU, add ncu's counters and compute-sanitizer's findings; takes longer");
}

}  // namespace warpgrade
