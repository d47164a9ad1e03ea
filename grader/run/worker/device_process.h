#pragma once

#include <atomic>
#include <cstdint>
#include <exception>
#include <filesystem>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "emulator/cudart/decoy_file.h"
#include "grader/process/process.h"
#include "grader/run/device/device.h"
#include "grader/run/worker/inputs_file.h"

namespace warpgrade {

/// What the device of a worker gets or does in addition.
struct OtherInputs {
  enum class Use : std::uint8_t {
    for_kernels,  // in this run (emulator/cudart/decoy.h), which checks and reports less, because
                  // only its outputs matter
    for_replay,  // after it (emulator/cudart/call_replay.h)
  };
  Use use = Use::for_kernels;
  std::vector<warpsim::cudart::DecoyView> arrays = {};  // of data that outlive this; empty: none
  /// Edits of kernels to try after the run, one per line (emulator/cudart/edit_trials.h).
  std::optional<std::string> edits = std::nullopt;
  /// What blocks do is recorded (emulator/recording), of those that this selects.
  std::optional<std::string> records = std::nullopt;
  /// The program belongs to no lab: no call is announced whose data are followed, and the report
  /// has each PTX instruction.
  bool of_no_lab = false;
  /// The program's own sources.
  std::filesystem::path source_folder = {};
};

/// The emulated device of one worker: a separate process in a separate sandbox. The worker has one
/// end of a socket; memory, counters, findings and report are in the device process.
class DeviceProcess {
 public:
  /// Starts it.
  ///
  /// @param program  the worker's; its symbols locate host code
  /// @param folder   for the device's files; no other process writes there
  /// @param limits   the worker's; kernels count like the worker itself
  /// @throws EnvironmentError
  DeviceProcess(const Device& device, const std::filesystem::path& program,
                const std::filesystem::path& folder, const ProcessLimits& limits,
                const OtherInputs& other = {});
  ~DeviceProcess();
  DeviceProcess(const DeviceProcess&) = delete;
  DeviceProcess& operator=(const DeviceProcess&) = delete;

  /// Makes a worker the device's client, before it starts.
  void connect(ProcessSpec& worker) const;
  /// Waits for its end; call after the worker has ended.
  /// @throws EnvironmentError, Interrupted  also thrown by the start
  [[nodiscard]] const ProcessResult& finish();

  /// Its report in its folder.
  [[nodiscard]] static std::filesystem::path report_in(const std::filesystem::path& folder) {
    return folder / "emulator.json";
  }
  /// The outputs of the worker's call, there.
  [[nodiscard]] static std::filesystem::path outputs_in(const std::filesystem::path& folder) {
    return folder / "outputs";
  }
  /// Where a replay leaves its outputs.
  [[nodiscard]] static std::filesystem::path replay_in(const std::filesystem::path& folder) {
    return folder / "replay.outputs";
  }
  /// Where edits that were tried leave their outputs.
  [[nodiscard]] static std::filesystem::path edit_results_in(const std::filesystem::path& folder);
  /// Where the recording of a run is.
  [[nodiscard]] static std::filesystem::path recording_in(const std::filesystem::path& folder) {
    return folder / "recording";
  }
  [[nodiscard]] static std::filesystem::path progress_in(const std::filesystem::path& folder) {
    return folder / "progress";
  }

 private:
  void run();
  void close_client_end();

  std::filesystem::path folder_;
  std::filesystem::path library_folder_;
  std::optional<InputsFile> inputs_;
  ProcessSpec spec_;
  int client_end_ = -1;
  int device_end_ = -1;
  std::atomic<std::int64_t> waited_ns_ = 0;  // time runnable without a processor
  ProcessResult result_;
  std::exception_ptr failure_;
  std::thread thread_;
};

/// In a sanitized build, the emulator needs the sanitizer preloaded.
void pass_on_sanitizer(ProcessSpec& spec);

}  // namespace warpgrade
