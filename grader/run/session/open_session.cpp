#include "grader/run/session/open_session.h"

#include <fmt/core.h>

#include <algorithm>
#include <cstdio>
#include <optional>
#include <string>
#include <vector>

#include "grader/build/toolchain/find_sandbox.h"
#include "grader/build/toolchain/toolchain.h"
#include "grader/core/error.h"
#include "grader/core/text.h"
#include "harness/core/closest.h"
#include "harness/lab/python_form.h"

namespace warpgrade {
namespace {

/// Why this machine's GPU cannot run what nvcc compiles for the lab; empty: it can, or there is
/// none.
std::string problem_of_gpu(const Lab& lab) {
  if (lab.nvcc_architecture.empty()) return {};
  const std::optional<Gpu> gpu = find_gpu();
  if (!gpu || std::to_string(gpu->capability) + 'a' == lab.nvcc_architecture) return {};
  return fmt::format(
      "lab {} is compiled for sm_{}, which no other card runs, and {} has compute capability "
      "{}.{}; use --device emulator",
      lab.id, lab.nvcc_architecture, printable(gpu->name), gpu->capability / 10,
      gpu->capability % 10);
}

}  // namespace

Lab load_lab_by_id(const Installation& installation, const std::string& name) {
  const std::string ending = std::string("/") + kPythonFolder;
  const bool in_python = name.ends_with(ending);
  const std::string id = in_python ? name.substr(0, name.size() - ending.size()) : name;
  const std::vector<std::string> known = find_labs(installation.root);
  if (std::find(known.begin(), known.end(), id) == known.end()) {
    const std::string near = closest(id, known);
    throw UsageError(fmt::format("there is no lab '{}'{}; the labs are {}", printable(id),
                                 near.empty() ? "" : fmt::format(", did you mean '{}'?", near),
                                 join_and(known)));
  }
  Lab lab = load_lab(installation.root / "labs" / id);
  if (!in_python) return lab;
  if (!has_python_form(lab)) {
    throw UsageError(fmt::format(
        "lab {} has no form in Python: there is no labs/{}/python/lab.toml", lab.id, lab.id));
  }
  return read_python_form(lab);
}

Lab load_code_lab(const Installation& installation, const std::string& id) {
  Lab lab = load_lab_by_id(installation, id);
  if (!lab.has_code()) {
    throw UsageError(
        fmt::format("lab {} consists of questions, so there is nothing to run; `warpgrade check` "
                    "judges answers",
                    lab.id));
  }
  return lab;
}

std::vector<std::string> code_labs(const Installation& installation, const std::string& id) {
  if (!id.empty()) {
    return {id};
  }
  std::vector<std::string> ids = find_labs(installation.root);
  std::erase_if(
      ids, [&](const std::string& name) { return !load_lab_by_id(installation, name).has_code(); });
  return ids;
}

Workplace find_workplace(const Installation& installation, const RunOptions& options) {
  Toolchain toolchain =
      find_toolchain(options.compiler.value_or(CompilerRequest::automatic), installation);
  Device device = choose_device(options.device, installation, toolchain);
  std::string note;
  toolchain.sandbox = find_sandbox(options.sandbox, installation, toolchain, note);
  device.sandbox = toolchain.sandbox;
  if (!note.empty()) fmt::print(stderr, "note: {}\n", note);
  return {.toolchain = std::move(toolchain), .device = std::move(device)};
}

std::unique_ptr<LabSession> open_session(const Installation& installation, Lab lab,
                                         const RunOptions& options) {
  if (!lab.has_code()) {  // needs neither a compiler nor a device
    return std::make_unique<LabSession>(installation, Toolchain{}, Device{}, std::move(lab), false);
  }
  // Grading on a GPU uses one.
  const std::string unfit = problem_of_gpu(lab);
  if (options.device == DeviceRequest::cuda && !unfit.empty()) throw EnvironmentError(unfit);
  const bool needs_emulator =
      options.device == DeviceRequest::automatic && (lab.devices > 1 || !unfit.empty());
  RunOptions chosen = options;
  if (needs_emulator) chosen.device = DeviceRequest::emulator;
  Workplace workplace = find_workplace(installation, chosen);
  return std::make_unique<LabSession>(installation, std::move(workplace.toolchain),
                                      std::move(workplace.device), std::move(lab), options.profile);
}

}  // namespace warpgrade
