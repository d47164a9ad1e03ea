#include "grader/run/gpu_timing/timed_process.h"

#include <chrono>

#include "grader/run/worker/worker.h"
#include "harness/case/request.h"

namespace warpgrade {
namespace {

constexpr std::chrono::microseconds kPoll{300};

std::filesystem::path folder_of(const TimedInputs& inputs) {
  return inputs.files.empty() ? std::filesystem::path("/usr")
                              : inputs.files.begin()->second.path.parent_path();
}

}  // namespace

TimedProcess::TimedProcess(const std::filesystem::path& program, const TimedInputs& inputs,
                           const std::filesystem::path& folder, const Device& device,
                           unsigned processor)
    : inputs_(inputs),
      prepared_(prepare_timing(inputs, folder, device.kind == DeviceKind::cuda, processor)) {
  thread_ = std::thread([this, program, device] {
    try {
      result_ = run_timed_worker(program, prepared_, folder_of(inputs_), device);
    } catch (...) {
      failure_ = std::current_exception();
    }
    ended_ = true;
  });
}

TimedProcess::~TimedProcess() {
  try {
    stop();
  } catch (...) {
    // Errors are reported by stop(), if called before.
  }
}

template <class Condition>
bool TimedProcess::wait_for(Condition holds) {
  for (;;) {
    const bool last = ended_;
    if (holds(record())) return true;
    if (last) return false;
    std::this_thread::sleep_for(kPoll);
  }
}

void TimedProcess::warm_up(const Windows& windows) {
  give_turn(inputs_, prepared_, "warm", windows);
}

bool TimedProcess::wait_until_ready() {
  return wait_for([](const Record& record) { return record.ready; });
}

std::optional<Record::TimedCall> TimedProcess::run(const Windows& windows) {
  give_turn(inputs_, prepared_, "run", windows);
  std::optional<Record::TimedCall> call;
  const bool done = wait_for([&](const Record& record) {
    if (record.timed_calls.size() <= calls_) return false;
    call = record.timed_calls[calls_];
    return true;
  });
  if (!done || call->number != calls_ || !(call->event_ms > 0) || !(call->host_ms > 0)) {
    return std::nullopt;
  }
  ++calls_;
  return call;
}

void TimedProcess::save() {
  give_turn(inputs_, prepared_, "save", {});
  ++saved_;
}

bool TimedProcess::wait_until_saved() {
  return wait_for([&](const Record& record) { return record.saved_calls >= saved_; });
}

void TimedProcess::dismiss() {
  if (dismissed_) return;
  dismissed_ = true;
  try {
    give_turn(inputs_, prepared_, "stop", {});
  } catch (const std::filesystem::filesystem_error&) {
    // A full disk: the process ends by its time limit.
  }
}

void TimedProcess::stop() {
  dismiss();
  if (!thread_.joinable()) return;
  thread_.join();
  if (failure_) std::rethrow_exception(failure_);
}

Record TimedProcess::record() const {
  return read_record(prepared_.folder / kRecordFile, prepared_.nonce);
}

}  // namespace warpgrade
