// The program around a student's function: reads the arguments, calls the function, and writes
// outputs and a record. It has no access to expected values, points or secrets. The CUDA runtime
// may be NVIDIA's or the emulator's.

#include "harness/worker/worker.h"

#include <cuda_runtime_api.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <deque>
#include <exception>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "harness/worker/announcement.h"
#include "harness/worker/bound_argument.h"
#include "harness/worker/cuda_check.h"
#include "harness/worker/device_reset.h"
#include "harness/worker/guard_handler.h"
#include "harness/worker/lockdown.h"
#include "harness/worker/opened_request.h"
#include "harness/worker/record_writer.h"
#include "harness/worker/request.h"
#include "harness/worker/timed_calls.h"

extern "C" {
// The glue that make_glue() writes for a lab.
extern const unsigned warpgrade_parameter_count;
void warpgrade_call(void* const* arguments);
}

namespace warpgrade::worker {

namespace {

void record_device(RecordWriter& record) {
  int device = 0;
  cudaDeviceProp properties{};
  check(cudaGetDevice(&device), "no CUDA device");
  check(cudaGetDeviceProperties(&properties, device), "no CUDA device");
  record.line("device", properties.name);
}

void record_free_memory(RecordWriter& record, const char* key) {
  std::size_t free_bytes = 0;
  std::size_t total = 0;
  if (cudaMemGetInfo(&free_bytes, &total) == cudaSuccess) record.line(key, free_bytes);
}

/// Two events around the call: the device's own clock.
class EventPair {
 public:
  EventPair() {
    check(cudaEventCreate(&start_), "cudaEventCreate");
    check(cudaEventCreate(&stop_), "cudaEventCreate");
  }
  ~EventPair() {
    if (device_was_reset()) return;
    cudaEventDestroy(start_);
    cudaEventDestroy(stop_);
  }
  EventPair(const EventPair&) = delete;
  EventPair& operator=(const EventPair&) = delete;

  /// @param stream  the function's, or the default one
  void start(cudaStream_t stream) { check(cudaEventRecord(start_, stream), "cudaEventRecord"); }
  void stop(cudaStream_t stream) { cudaEventRecord(stop_, stream); }
  void record(RecordWriter& record) const {
    float ms = 0;
    if (cudaEventElapsedTime(&ms, start_, stop_) == cudaSuccess) {
      record.line("event-ms", std::to_string(ms));
    }
  }

 private:
  cudaEvent_t start_ = nullptr;
  cudaEvent_t stop_ = nullptr;
};

/// The first stream among the arguments; the default stream if there is none. The inputs arrive in
/// it.
cudaStream_t stream_of(std::deque<BoundArgument>& arguments) {
  for (const BoundArgument& argument : arguments) {
    if (argument.stream() == nullptr) continue;
    for (BoundArgument& input : arguments) input.arrive_in(argument.stream()->stream());
    return argument.stream()->stream();
  }
  return nullptr;
}

/// Waits for all devices and makes the first one current, whichever the function left so.
cudaError_t synchronize_devices() {
  cudaError_t result = cudaSuccess;
  int count = 1;
  (void)cudaGetDeviceCount(&count);
  for (int device = count - 1; device >= 0; --device) {
    (void)cudaSetDevice(device);
    const cudaError_t error = cudaDeviceSynchronize();
    if (result == cudaSuccess) result = error;
  }
  return result;
}

/// The measured call: no harness code runs between the two clock readings.
/// @param at_once  whether outputs in host memory are final when the call returns. On a GPU
///   asynchronous copies may still be in progress; the emulator's are complete.
void call(std::deque<BoundArgument>& arguments, RecordWriter& record, bool at_once) {
  std::vector<void*> slots;
  std::vector<GuardedBuffer> guarded;
  for (BoundArgument& argument : arguments) {
    slots.push_back(argument.slot());
    if (argument.host() != nullptr) {
      guarded.push_back({.name = argument.argument().name, .buffer = argument.host()});
    }
  }
  EventPair events;
  const cudaStream_t stream = stream_of(arguments);
  record_free_memory(record, "free-before");
  const GuardHandler handler(guarded, record.fd());
  const Announcement announcement(arguments);
  record.line("calling");
  events.start(stream);
  const auto begin = std::chrono::steady_clock::now();
  warpgrade_call(slots.data());
  if (at_once) {
    for (BoundArgument& argument : arguments) argument.freeze();
  }
  announcement.returned();
  // Before anything else, so that errors of our own calls are not attributed to the student.
  const cudaError_t launched = cudaGetLastError();
  (void)cudaSetDevice(0);
  if (!device_was_reset()) events.stop(stream);
  const cudaError_t synchronised = synchronize_devices();
  const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - begin;
  if (at_once) {  // again, as the emulator opens pages that it watched during a copy
    for (BoundArgument& argument : arguments) argument.freeze();
  }
  record.line("returned");
  record_error(record, "launch-error", launched);
  record_error(record, "sync-error", synchronised);
  record.line("host-seconds", std::to_string(elapsed.count()));
  if (device_was_reset()) record.line("device-reset");
  // After an error further queries are meaningless and would fail, too; a reset has destroyed the
  // events.
  if (launched != cudaSuccess || synchronised != cudaSuccess || device_was_reset()) return;
  events.record(record);
  record_free_memory(record, "free-after");
}

void check_arguments(const Request& request) {
  if (request.arguments.size() != warpgrade_parameter_count) {
    throw std::runtime_error("the request and the glue are of different labs");
  }
}

/// A call whose results are discarded: it may leave state that affects the next one.
void call_before(const Request& request) {
  check_arguments(request);
  std::deque<BoundArgument> arguments;
  std::vector<void*> slots;
  for (const Argument& argument : request.arguments) {
    slots.push_back(arguments.emplace_back(argument).slot());
  }
  (void)stream_of(arguments);
  warpgrade_call(slots.data());
  (void)cudaGetLastError();
  (void)synchronize_devices();
}

void run(const OpenedRequest& opened, bool at_once) {
  const Request& request = opened.request;
  RecordWriter& record = *opened.record;
  check_arguments(request);
  check(cudaFree(nullptr), "no CUDA device");  // creates the context, outside the measured part
  record_device(record);
  if (request.timed) {
    time_calls(request, record);
    return;
  }
  if (opened.first) call_before(*opened.first);
  std::deque<BoundArgument> arguments;
  for (const Argument& argument : request.arguments) arguments.emplace_back(argument);
  call(arguments, record, at_once);
  for (const BoundArgument& argument : arguments) argument.finish(record);
}

/// The files opened before any of the submission's code.
struct Opening {
  std::optional<OpenedRequest> opened;
  /// What outputs hold when the call returns counts, not what they hold later.
  bool at_once = false;
};

Opening g_opening [[gnu::init_priority(101)]];

/// Restricts this process to the open files.
void lock(const OpenedRequest& opened) {
  std::vector<int> readable;
  std::vector<int> writable = {opened.record->fd()};
  const auto add = [&](const Request& request) {
    for (const Argument& argument : request.arguments) {
      if (argument.input_fd >= 0) readable.push_back(argument.input_fd);
      if (argument.output_fd >= 0) writable.push_back(argument.output_fd);
    }
  };
  add(opened.request);
  if (opened.first) add(*opened.first);
  std::sort(readable.begin(), readable.end());  // inputs may be in the same file
  readable.erase(std::unique(readable.begin(), readable.end()), readable.end());
  lock_down(readable, writable);
}

}  // namespace

void open_files(const char* request, Access access) {
  try {
    // A device process delivers the outputs.
    g_opening.opened = open_request(request, access != Access::gpu && Announcement::is_possible());
  } catch (const std::exception& error) {
    std::fprintf(stderr, "worker: %s\n", error.what());
    _exit(kOurFault);
  }
  const OpenedRequest& opened = *g_opening.opened;
  if (!opened.problem.empty()) give_up(opened.problem);
  // Timed calls open files later.
  if (opened.request.timed) return;
  if (access == Access::locked) {
    try {
      lock(opened);
    } catch (const std::exception& error) {
      give_up(error.what());
    }
  }
  g_opening.at_once = access != Access::gpu;
}

void begin_submission() {
  g_opening.opened->record->line("opened");
}

void record_exception(std::string_view text) {
  g_opening.opened->record->line("raised", text);
}

void give_up(std::string_view why) {
  const OpenedRequest& opened = *g_opening.opened;
  opened.record->fault(opened.request.nonce, why);
  _exit(kOurFault);
}

int work() {
  const OpenedRequest& opened = *g_opening.opened;
  RecordWriter& record = *opened.record;
  try {
    run(opened, g_opening.at_once);
  } catch (const std::exception& error) {
    record.fault(opened.request.nonce, error.what());
    return kOurFault;
  }
  return record.line("done", opened.request.nonce) ? 0 : kOurFault;
}

}  // namespace warpgrade::worker
