#pragma once

#include <memory>
#include <string>
#include <vector>

#include "grader/assess/lab_session.h"
#include "grader/core/installation.h"
#include "grader/run/device.h"
#include "harness/lab/lab.h"

namespace CLI {
class App;
}

namespace warpgrade {

/// Loads a lab by its id.
/// @throws UsageError  for an unknown id; names the closest one and all there are
/// @throws LabError    if its files are wrong
[[nodiscard]] Lab load_lab_by_id(const Installation& installation, const std::string& id);

/// Adds --device auto|cuda|emulator.
void add_device_option(CLI::App& command, DeviceRequest& device);

/// Everything that grading a lab on this machine needs.
///
/// @param sandbox  for what students wrote; labs' own files need none. Where `automatic` finds
///                 none, a note says so on stderr.
/// @param profiles  whether submissions are run under NVIDIA's tools, too
/// @throws EnvironmentError  naming what is missing
[[nodiscard]] std::unique_ptr<LabSession> open_session(const Installation& installation, Lab lab,
                                                       DeviceRequest device,
                                                       SandboxMode sandbox = SandboxMode::none,
                                                       bool profiles = false);

/// Adds --sandbox auto|bubblewrap|none.
void add_sandbox_option(CLI::App& command, SandboxMode& sandbox);

/// Adds --profile.
void add_profile_option(CLI::App& command, bool& profile);

}  // namespace warpgrade
