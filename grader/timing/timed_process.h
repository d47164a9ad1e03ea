#pragma once

#include <atomic>
#include <exception>
#include <filesystem>
#include <optional>
#include <string>
#include <thread>

#include "grader/device/device.h"
#include "grader/process/process.h"
#include "harness/case/record.h"
#include "harness/case/timed_case.h"

namespace warpgrade {

/// A worker that waits for its turns. One of them computes while the other one waits, so that
/// whatever the machine does in the long run meets both programs alike.
class TimedProcess {
 public:
  /// Starts it. Whoever does has the GPU's lock.
  /// @param processor  of the host, for a function on host pointers
  TimedProcess(const std::filesystem::path& program, const TimedInputs& inputs,
               const std::filesystem::path& folder, const Device& device, unsigned processor);
  ~TimedProcess();
  TimedProcess(const TimedProcess&) = delete;
  TimedProcess& operator=(const TimedProcess&) = delete;

  /// Lets it warm up; wait_until_ready() says whether it got there.
  void warm_up(const Windows& windows);
  [[nodiscard]] bool wait_until_ready();

  /// One timed call; nothing when the process ended or the call left an error.
  [[nodiscard]] std::optional<Record::TimedCall> run(const Windows& windows);

  /// Has the outputs of the last call written; wait_until_saved() says whether they were, or the
  /// process ended.
  void save();
  [[nodiscard]] bool wait_until_saved();

  /// Tells it to end, and goes on; stop() waits until it has.
  void dismiss();

  /// Ends it.
  /// @throws Interrupted, EnvironmentError  that its run met
  void stop();

  [[nodiscard]] const PreparedTiming& prepared() const { return prepared_; }
  /// What it left; after stop().
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
