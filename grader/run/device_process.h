#pragma once

#include <atomic>
#include <cstdint>
#include <exception>
#include <filesystem>
#include <string>
#include <thread>
#include <vector>

#include "emulator/cudart/decoy_file.h"
#include "grader/device/device.h"
#include "grader/process/process.h"

namespace warpgrade {

/// The emulated device that one worker uses: a process of its own, outside the worker's sandbox and
/// in one of its own. The worker has one end of a socket; the memory, the counters, the findings
/// and the report are the device's.
class DeviceProcess {
 public:
  /// Starts it.
  ///
  /// @param program  the worker's; its symbols name places in host code
  /// @param folder   made for what the device writes; no other process writes there
  /// @param limits   of the worker: what kernels use counts like what the worker uses itself
  /// @param decoy    other inputs for kernels than for host code; empty: the same. Such a run is
  ///   for its outputs alone: it checks and reports less
  /// @throws EnvironmentError
  DeviceProcess(const Device& device, const std::filesystem::path& program,
                const std::filesystem::path& folder, const ProcessLimits& limits,
                const std::vector<warpsim::cudart::DecoyArray>& decoy = {});
  ~DeviceProcess();
  DeviceProcess(const DeviceProcess&) = delete;
  DeviceProcess& operator=(const DeviceProcess&) = delete;

  /// Makes a worker that is about to start the device's client.
  void connect(ProcessSpec& worker) const;
  /// Waits for its end; the worker has ended.
  /// @throws EnvironmentError, Interrupted  what its start threw
  [[nodiscard]] const ProcessResult& finish();

  /// What it leaves in its folder.
  [[nodiscard]] static std::filesystem::path report_in(const std::filesystem::path& folder) {
    return folder / "emulator.json";
  }
  [[nodiscard]] static std::filesystem::path progress_in(const std::filesystem::path& folder) {
    return folder / "progress";
  }

 private:
  void run();
  void close_client_end();

  std::filesystem::path folder_;
  std::filesystem::path library_folder_;
  ProcessSpec spec_;
  int client_end_ = -1;
  int device_end_ = -1;
  std::atomic<std::int64_t> waited_ns_ = 0;  // for a processor
  ProcessResult result_;
  std::exception_ptr failure_;
  std::thread thread_;
};

/// The emulator of a sanitized build must have the sanitizer loaded before it, as we have.
void pass_on_sanitizer(ProcessSpec& spec);

}  // namespace warpgrade
