#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "emulator/device/card.h"
#include "emulator/machine/launch.h"

namespace warpsim {

/// What a person can ask of a run. The launcher passes it to the runtime library through the
/// environment, so that a program can also be run without the launcher.
struct Settings {
  const Card* card = &default_card();  // WARPSIM_CARD
  MachineOptions
      machine;  // WARPSIM_CHECK, _SEED, _THREADS, _BUDGET, _PTXAS, _INSTRUCTIONS, _CHANGE
  std::string json_path;  // WARPSIM_JSON: where the report goes; empty for none
  std::string progress_path;  // WARPSIM_PROGRESS: where the running kernel is noted; empty: nowhere
  bool quiet = false;  // WARPSIM_QUIET=1: nothing on stderr
  bool counters = false;  // WARPSIM_COUNTERS=1: the table of counters on stderr
  bool lines = false;  // WARPSIM_LINES=1: the lines that cost most, too
  std::optional<int> error_exitcode;  // WARPSIM_ERROR_EXITCODE: used when there is an error finding
  bool follows_data = false;  // WARPSIM_DATA_FLOW=1: of a call that a harness announces
  bool idle = false;  // WARPSIM_IDLE=1: kernels are launched and do nothing
  std::string decoy_path;  // WARPSIM_DECOY: other inputs for kernels (cudart/decoy.h); empty: none
  bool launch_blocking = false;  // CUDA_LAUNCH_BLOCKING=1: a kernel's fault is seen at the launch
};

/// @param variable  returns an environment variable's value, or null
/// @param error  filled with one line for a person when a value is no good, else left empty
[[nodiscard]] Settings read_settings(const std::function<const char*(const char*)>& variable,
                                     std::string& error);

/// A name of `--check` and what it switches.
struct CheckName {
  std::string_view name;
  bool CheckOptions::*member;
};

/// All names, in the order in which they are listed.
[[nodiscard]] std::span<const CheckName> check_names();

/// Checks by name: "all", "none", or a list such as "bounds,unwritten".
/// @returns nothing, with `error` filled, for an unknown name
[[nodiscard]] std::optional<CheckOptions> parse_checks(std::string_view list, std::string& error);

/// The card with this id; nothing, with `error` naming the known ones, when there is none.
[[nodiscard]] const Card* parse_card(std::string_view id, std::string& error);

}  // namespace warpsim
