#include "harness/worker/timed_calls.h"

#include <cuda_runtime_api.h>
#include <sched.h>
#include <sys/stat.h>

#include <algorithm>
#include <chrono>
#include <deque>
#include <fstream>
#include <map>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "harness/worker/cuda_check.h"
#include "harness/worker/device_buffer.h"
#include "harness/worker/device_gate.h"
#include "harness/worker/device_pool.h"
#include "harness/worker/mix_on_device.h"
#include "harness/worker/mixed_input.h"
#include "harness/worker/timed_argument.h"

extern "C" void warpgrade_call(void* const* arguments);

namespace warpgrade::worker {

namespace {

using Clock = std::chrono::steady_clock;

/// Warm-up ends when three successive calls agree this well, after at least this total time, or at
/// most so many calls or so long. The number of timed calls does not depend on it.
constexpr double kStable = 0.02;
constexpr std::size_t kFewestWarmCalls = 3;
constexpr std::size_t kMostWarmCalls = 20;
constexpr double kEnoughWarmCallsMs = 30;
constexpr std::chrono::seconds kLongestWarmUp{3};
/// How long the device is kept busy before a timed call, so that its clock is not at the idle rate.
constexpr std::chrono::milliseconds kBusy{3};
constexpr std::size_t kLeastFlush = std::size_t{16} << 20U;  // bytes, if the cache size is unknown
constexpr std::chrono::microseconds kPoll{100};

double milliseconds(Clock::duration time) {
  return std::chrono::duration<double, std::milli>(time).count();
}

/// Lets the runtime keep memory freed in stream order, as the pool keeps memory freed by cudaFree.
void keep_freed_memory() {
  int device = 0;
  cudaMemPool_t pool = nullptr;
  std::uint64_t all = ~std::uint64_t{0};
  if (cudaGetDevice(&device) != cudaSuccess ||
      cudaDeviceGetDefaultMemPool(&pool, device) != cudaSuccess ||
      cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &all) != cudaSuccess) {
    (void)cudaGetLastError();  // not every device has pools
  }
}

/// Evicts a call's data from the device's L2 cache, and resets persisting accesses.
class CacheFlush {
 public:
  CacheFlush() : size_(flush_size()), buffer_(size_, 0) {}

  void run() const {
    (void)cudaCtxResetPersistingL2Cache();
    (void)cudaDeviceSetLimit(cudaLimitPersistingL2CacheSize, 0);
    (void)cudaGetLastError();  // cards before compute capability 8.0 support neither
    const auto begin = Clock::now();
    do {
      check(cudaMemset(buffer_.data(), 0x5a, size_), "flushing the cache");
      check(cudaDeviceSynchronize(), "flushing the cache");
    } while (Clock::now() - begin < kBusy);
  }

 private:
  static std::size_t flush_size() {
    int device = 0;
    int bytes = 0;
    check(cudaGetDevice(&device), "no CUDA device");
    check(cudaDeviceGetAttribute(&bytes, cudaDevAttrL2CacheSize, device), "no CUDA device");
    return std::max(kLeastFlush, 2 * static_cast<std::size_t>(std::max(bytes, 0)));
  }

  std::size_t size_;
  DeviceBuffer buffer_;
};

/// Pins the calling thread to one host processor during its lifetime. No effect if that is not
/// permitted.
class OnProcessor {
 public:
  explicit OnProcessor(std::optional<unsigned> processor) {
    cpu_set_t only;
    CPU_ZERO(&only);
    if (!processor || *processor >= CPU_SETSIZE ||
        sched_getaffinity(0, sizeof(before_), &before_) != 0) {
      return;
    }
    CPU_SET(*processor, &only);
    moved_ = sched_setaffinity(0, sizeof(only), &only) == 0;
  }
  ~OnProcessor() {
    if (moved_) sched_setaffinity(0, sizeof(before_), &before_);
  }
  OnProcessor(const OnProcessor&) = delete;
  OnProcessor& operator=(const OnProcessor&) = delete;

 private:
  cpu_set_t before_{};
  bool moved_ = false;
};

struct Times {
  double event_ms = 0;
  double host_ms = 0;
};

/// Thrown after an error of the student's call, which is in the record.
struct CallFailed {};

class TimedCalling {
 public:
  TimedCalling(const Request& request, RecordWriter& record) : request_(request), record_(record) {
    check(cudaEventCreate(&closed_), "cudaEventCreate");
    check(cudaEventCreate(&start_), "cudaEventCreate");
    check(cudaEventCreate(&stop_), "cudaEventCreate");
    keep_freed_memory();
    for (const Argument& argument : request.arguments) {
      if (argument.is_array() && argument.is_input) {
        files_.emplace(argument.name, std::make_unique<InputFile>(request.path(argument.input_file),
                                                                  !argument.on_host()));
      }
    }
    // A function on host pointers waits for its copies, so the gate has no use.
    on_host_ = std::any_of(
        request.arguments.begin(), request.arguments.end(),
        [](const Argument& argument) { return argument.is_array() && argument.on_host(); });
    if (request.timed->host_clock_counts && !on_host_) gate_.emplace();
  }
  ~TimedCalling() {
    cudaEventDestroy(closed_);
    cudaEventDestroy(start_);
    cudaEventDestroy(stop_);
  }
  TimedCalling(const TimedCalling&) = delete;
  TimedCalling& operator=(const TimedCalling&) = delete;

  [[nodiscard]] std::size_t inputs() const { return files_.size(); }

  void warm_up(const Turn& turn) {
    const OnProcessor here(processor());
    bind(turn);
    std::vector<double> times;
    double sum = 0;
    const auto begin = Clock::now();
    while (times.size() < kMostWarmCalls && Clock::now() - begin < kLongestWarmUp) {
      const Times taken = call();
      times.push_back(request_.timed->host_clock_counts ? std::max(taken.event_ms, taken.host_ms)
                                                        : taken.event_ms);
      sum += times.back();
      if (times.size() >= kFewestWarmCalls && (is_stable(times) || sum > kEnoughWarmCallsMs)) break;
    }
    record_.line("ready");
  }

  void run(const Turn& turn) {
    const OnProcessor here(processor());
    bind(turn);
    const Times taken = call();
    for (TimedArgument& argument : arguments_) argument.freeze();
    record_.line("timed", std::to_string(calls_++) + " " + std::to_string(taken.event_ms) + " " +
                              std::to_string(taken.host_ms));
  }

  /// Writes the outputs of the last timed call.
  void save() const {
    if (calls_ == 0) throw std::runtime_error("no call to save");
    const std::size_t number = calls_ - 1;
    for (std::size_t i = 0; i < arguments_.size(); ++i) {
      const Argument& argument = request_.arguments[i];
      if (!argument.is_array() || !argument.is_output) continue;
      if (!arguments_[i].save(request_.path(argument.output_file) + "." + std::to_string(number))) {
        throw std::runtime_error("the output `" + argument.name + "' cannot be copied back");
      }
    }
    record_.line("saved", number);
  }

 private:
  /// Copies from and to pageable memory use one processor.
  [[nodiscard]] std::optional<unsigned> processor() const {
    return on_host_ ? request_.timed->processor : std::nullopt;
  }

  /// New buffers before the last call's are released, so that no address is reused.
  void bind(const Turn& turn) {
    std::deque<TimedArgument> fresh;
    std::size_t window = 0;
    for (const Argument& argument : request_.arguments) {
      if (argument.is_array() && argument.is_input) {
        bind_input(argument, turn.windows.at(window++), fresh);
      } else {
        fresh.emplace_back(argument, std::span<const std::byte>{});
      }
    }
    arguments_.swap(fresh);
  }

  void bind_input(const Argument& argument, std::size_t window, std::deque<TimedArgument>& fresh) {
    const InputFile& file = *files_.at(argument.name);
    const std::size_t size = argument.size_bytes();
    if (is_mixed(argument, window)) {
      const auto all = file.part(0, file.size());
      std::vector<std::byte> on_host(argument.on_host() ? size : 0);
      if (argument.on_host()) mix_on_host(on_host, all, argument.element_size, window);
      TimedArgument& bound = fresh.emplace_back(argument, on_host);
      if (!argument.on_host()) {
        mix_on_device(bound.data(), size, all, argument.element_size, window);
      }
      return;
    }
    if ((window & kMixedWindow) != 0) {
      window = (window & ~kMixedWindow) % ((file.size() - size) / argument.element_size + 1);
    }
    fresh.emplace_back(argument, file.part(window * argument.element_size, size));
  }

  /// A file with few parts only has windows.
  [[nodiscard]] bool is_mixed(const Argument& argument, std::size_t window) const {
    return (window & kMixedWindow) != 0 &&
           can_mix(argument.count, files_.at(argument.name)->size() / argument.element_size);
  }

  Times call() {
    std::vector<void*> slots;
    for (TimedArgument& argument : arguments_) slots.push_back(argument.slot());
    device_pool().poison();
    flush_.run();
    device_pool().begin();
    const auto begin = Clock::now();
    check(cudaEventRecord(closed_), "cudaEventRecord");
    if (gate_) gate_->close();
    check(cudaEventRecord(start_), "cudaEventRecord");
    warpgrade_call(slots.data());
    const cudaError_t launched = cudaGetLastError();
    cudaEventRecord(stop_, stream());
    const cudaError_t synchronised = cudaDeviceSynchronize();
    const auto end = Clock::now();
    device_pool().end();
    fail_on("launch-error", launched);
    fail_on("sync-error", synchronised);
    const double gate_ms = elapsed_ms(closed_, start_);
    return {.event_ms = elapsed_ms(start_, stop_), .host_ms = milliseconds(end - begin) - gate_ms};
  }

  /// The function's stream, or the default one.
  [[nodiscard]] cudaStream_t stream() const {
    for (const TimedArgument& argument : arguments_) {
      if (argument.stream() != nullptr) return argument.stream()->stream();
    }
    return nullptr;
  }

  static double elapsed_ms(cudaEvent_t from, cudaEvent_t to) {
    float ms = 0;
    check(cudaEventElapsedTime(&ms, from, to), "cudaEventElapsedTime");
    return static_cast<double>(ms);
  }

  void fail_on(const char* key, cudaError_t status) {
    if (status == cudaSuccess) return;
    record_error(record_, key, status);
    throw CallFailed{};
  }

  static bool is_stable(const std::vector<double>& times) {
    const auto [low, high] =
        std::minmax_element(times.end() - std::ptrdiff_t{kFewestWarmCalls}, times.end());
    return *high <= *low * (1 + kStable);
  }

  const Request& request_;
  RecordWriter& record_;
  bool on_host_ = false;
  std::optional<DeviceGate> gate_;
  cudaEvent_t closed_ = nullptr;
  cudaEvent_t start_ = nullptr;
  cudaEvent_t stop_ = nullptr;
  std::map<std::string, std::unique_ptr<InputFile>> files_;
  CacheFlush flush_;
  std::deque<TimedArgument> arguments_;
  std::size_t calls_ = 0;
};

/// The parent's commands, line by line, as it appends them.
class Turns {
 public:
  explicit Turns(std::string file) : file_(std::move(file)) {}

  std::string next() {
    for (std::size_t end = 0;; std::this_thread::sleep_for(kPoll)) {
      struct stat status {};
      if (stat(file_.c_str(), &status) != 0 || static_cast<std::size_t>(status.st_size) <= read_) {
        continue;
      }
      std::ifstream in(file_, std::ios::binary);
      const std::string text{std::istreambuf_iterator<char>(in), {}};
      end = text.find('\n', read_);
      if (end == std::string::npos) continue;
      const std::string line = text.substr(read_, end - read_);
      read_ = end + 1;
      return line;
    }
  }

 private:
  std::string file_;
  std::size_t read_ = 0;
};

}  // namespace

void time_calls(const Request& request, RecordWriter& record) {
  TimedCalling calling(request, record);
  Turns turns(request.path(request.timed->turns));
  record.line("calling");
  try {
    for (;;) {
      const Turn turn = read_turn(turns.next(), calling.inputs());
      if (turn.kind == Turn::Kind::stop) break;
      if (turn.kind == Turn::Kind::warm) {
        calling.warm_up(turn);
      } else if (turn.kind == Turn::Kind::save) {
        calling.save();
      } else {
        calling.run(turn);
      }
    }
  } catch (const CallFailed&) {
    // The record has the error; the parent notices that no more calls follow.
  }
  record.line("returned");
}

}  // namespace warpgrade::worker
