#pragma once

#include <atomic>
#include <exception>
#include <filesystem>
#include <optional>
#include <string>
#include <thread>

#include "grader/process/process.h"
#include "grader/run/device/device.h"
#include "harness/case/record.h"
#include "harness/case/timed_case.h"

namespace warpgrade {

/// A worker that makes timed calls on demand. One program computes while the other one waits, so
/// that slow changes of the machine affect both programs equally.
class TimedProcess {
 public:
  /// Starts it. The caller must hold the GPU's lock.
  /// @param processor  of the host, for a function on host pointers
  TimedProcess(const std::filesystem::path& program, const TimedInputs& inputs,
               const std::filesystem::path& folder, const Device& device, unsigned processor);
  ~TimedProcess();
  TimedProcess(const TimedProcess&) = delete;
  TimedProcess& operator=(const TimedProcess&) = delete;

  /// Starts its warm-up; wait_until_ready() tells whether it completed.
  void warm_up(const Windows& windows);
  [[nodiscard]] bool wait_until_ready();

  /// One timed call; nothing if the process ended or the call left an error.
  [[nodiscard]] std::optional<Record::TimedCall> run(const Windows& windows);

  /// Requests the outputs of the last call; wait_until_saved() tells whether they were written, or
  /// the process ended.
  void save();
  [[nodiscard]] bool wait_until_saved();

  /// Tells it to end without waiting; stop() waits for the end.
  void dismiss();

  /// Ends it.
  /// @throws Interrupted, EnvironmentError  thrown by its run
  void stop();

  [[nodiscard]] const PreparedTiming& prepared() const { return prepared_; }
  /// Its record; call after stop().
  [[nodiscard]] Record record() const;
  [[nodiscard]] const ProcessResult& result() const { return result_; }

 private:
  /// Polls the record until `holds` or the process has ended; whether it holds.
  template <class Condition>
  bool wait_for(Condition holds);

  const TimedInputs& inputs_;
  PreparedTiming prepared_;
  std::uint64_t calls_ = 0;
  std::uint64_t saved_ = 0;
  bool dismissed_ = false;
  std::atomic<bool> ended_ = false;
  ProcessResult result_;
  std::exception_ptr failure_;
  std::thread thread_;
};

}  // namespace warpgrade
