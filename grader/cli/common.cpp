#include "grader/cli/common.h"

#include <fmt/core.h>
#include <CLI/CLI.hpp>

#include <algorithm>
#include <cstdio>
#include <map>

#include "grader/core/error.h"
#include "grader/core/text.h"
#include "grader/sandbox/find_sandbox.h"
#include "harness/lab/closest.h"

namespace warpgrade {

Lab load_lab_by_id(const Installation& installation, const std::string& id) {
  const std::vector<std::string> known = find_labs(installation.root);
  if (std::find(known.begin(), known.end(), id) == known.end()) {
    const std::string near = closest(id, known);
    throw UsageError(fmt::format("there is no lab '{}'{}; the labs are {}", printable(id),
                                 near.empty() ? "" : fmt::format(", did you mean '{}'?", near),
                                 join_and(known)));
  }
  return load_lab(installation.root / "labs" / id);
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

void add_profile_option(CLI::App& command, bool& profile) {
  command.add_flag("--profile", profile,
                   "on a GPU, add ncu's counters and compute-sanitizer's findings; takes longer");
}

std::unique_ptr<LabSession> open_session(const Installation& installation, Lab lab,
                                         DeviceRequest device, SandboxMode sandbox, bool profiles) {
  Toolchain toolchain = find_toolchain();
  Device chosen = choose_device(device, installation, toolchain);
  std::string note;
  toolchain.sandbox = find_sandbox(sandbox, installation, toolchain, note);
  chosen.sandbox = toolchain.sandbox;
  if (!note.empty()) {
    fmt::print(stderr, "note: {}\n", note);
  }
  return std::make_unique<LabSession>(installation, std::move(toolchain), std::move(chosen),
                                      std::move(lab), profiles);
}

}  // namespace warpgrade
