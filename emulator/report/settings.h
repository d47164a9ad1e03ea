#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "emulator/device/card.h"
#include "emulator/device/count.h"
#include "emulator/findings/diagnostic.h"
#include "emulator/machine/launch.h"
#include "emulator/recording/selection.h"

namespace warpsim {

/// The settings of a run. The launcher passes them to the runtime library through the environment,
/// so that a program can also be run without the launcher.
struct Settings {
  const Card* card = &default_card();  // WARPSIM_CARD
  int devices = 1;  // WARPSIM_DEVICES: how many such cards there are, to kMostDevices
  MachineOptions
      machine;  // WARPSIM_CHECK, _SEED, _THREADS, _BUDGET, _PTXAS, _INSTRUCTIONS, _CHANGE
  std::string json_path;  // WARPSIM_JSON: where the report goes; empty for none
  std::string trace_path;  // WARPSIM_TRACE: where the timeline goes; empty for none
  std::string record_path;  // WARPSIM_RECORD: where a recording goes, or its page; empty for none
  recording::Selection record;  // WARPSIM_RECORD_WHAT
  DiagnosticFormat format = DiagnosticFormat::text;  // WARPSIM_FORMAT: of what is printed
  std::string output_path;  // WARPSIM_OUTPUT: where that goes; empty for stderr
  std::string progress_path;  // WARPSIM_PROGRESS: records the running kernel; empty: none
  bool quiet = false;  // WARPSIM_QUIET=1: nothing on stderr
  bool counters = false;  // WARPSIM_COUNTERS=1: the table of counters on stderr
  bool lines = false;  // WARPSIM_LINES=1: the lines that cost most, too
  std::optional<int> error_exitcode;  // WARPSIM_ERROR_EXITCODE: used when there is an error finding
  bool follows_data = false;  // WARPSIM_DATA_FLOW=1: of a call that a harness announces
  /// A kernel that is over before costs no compilation.
  static constexpr std::uint32_t kNativeThreshold = 16;
  /// WARPSIM_JIT=on|off or a number: executions after which a run is compiled; 0: none is.
  std::uint32_t native_threshold = kNativeThreshold;
  bool idle = false;  // WARPSIM_IDLE=1: kernels are launched but not executed
  std::string decoy_path;  // WARPSIM_DECOY: other inputs for kernels (cudart/decoy.h); empty: none
  std::string call_outputs_path;  // WARPSIM_CALL_OUTPUTS: what an announced call produced
                                  // (cudart/outputs_file.h); empty: not written
  std::string replay_path;  // WARPSIM_REPLAY: other inputs for a replay (cudart/call_replay.h)
  bool launch_blocking = false;  // CUDA_LAUNCH_BLOCKING=1: a launch returns its kernel's fault
};

/// @param variable  returns an environment variable's value, or null
/// @param error  set to one line if a value is invalid, otherwise left empty
[[nodiscard]] Settings read_settings(const std::function<const char*(const char*)>& variable,
                                     std::string& error);

/// A name of `--check` and the option that it switches.
struct CheckName {
  std::string_view name;
  bool CheckOptions::*member;
  std::string_view key = name;  // in the report; `--check` accepts it, too
};

/// All names, in the order in which they are listed.
[[nodiscard]] std::span<const CheckName> check_names();

/// Further names, of checks that run only where they are named: "all" does not stand for them.
[[nodiscard]] std::vector<std::string_view> checks_on_request();

/// Checks by name: "none", or a list such as "bounds,uninitialized", in which "all" may be.
/// @returns nothing, with `error` filled, for an unknown name
[[nodiscard]] std::optional<CheckOptions> parse_checks(std::string_view list, std::string& error);

/// The format with this name; nothing, with `error` naming the known ones, when there is none.
[[nodiscard]] std::optional<DiagnosticFormat> parse_format(std::string_view name,
                                                           std::string& error);

/// The card with this id; nothing, with `error` naming the known ones, when there is none.
[[nodiscard]] const Card* parse_card(std::string_view id, std::string& error);

}  // namespace warpsim
