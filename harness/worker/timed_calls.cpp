#include "harness/worker/timed_calls.h"

#include <cuda_runtime_api.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstring>
#include <deque>
#include <fstream>
#include <map>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "harness/worker/device_buffer.h"
#include "harness/worker/device_gate.h"
#include "harness/worker/device_pool.h"
#include "harness/worker/host_buffer.h"

extern "C" void warpgrade_call(void* const* arguments);

namespace warpgrade::worker {

namespace {

using Clock = std::chrono::steady_clock;

/// Warm-up: until three calls in a row agree this well, and at most so many calls or so long. The
/// number of timed calls does not depend on it.
constexpr double kStable = 0.02;
constexpr int kMostWarmCalls = 20;
constexpr std::chrono::seconds kLongestWarmUp{3};
/// How long the device is kept busy before a timed call, so that its clock is not an idle one's.
constexpr std::chrono::milliseconds kBusy{3};
constexpr std::size_t kLeastFlush = std::size_t{16} << 20U;  // bytes, where the cache is unknown
constexpr std::size_t kSavedPart = std::size_t{8} << 20U;  // bytes
constexpr std::size_t kVector = 16;  // bytes that a misaligned array is off from
constexpr std::chrono::microseconds kPoll{100};

void check(cudaError_t status, const char* what) {
  if (status == cudaSuccess) return;
  throw std::runtime_error(std::string(what) + ": " + cudaGetErrorString(status));
}

double milliseconds(Clock::duration time) {
  return std::chrono::duration<double, std::milli>(time).count();
}

/// An input's file, longer than the input, so that there are many different parts of its length.
/// Of an input on the device all of it is there, so that a call's part is made by a copy.
class InputFile {
 public:
  InputFile(const std::string& file, bool on_device) {
    const int fd = open(file.c_str(), O_RDONLY | O_CLOEXEC);
    struct stat status {};
    if (fd < 0 || fstat(fd, &status) != 0) throw std::runtime_error("cannot open " + file);
    size_ = static_cast<std::size_t>(status.st_size);
    if (size_ > 0) map_ = mmap(nullptr, size_, PROT_READ, MAP_SHARED | MAP_POPULATE, fd, 0);
    close(fd);
    if (map_ == MAP_FAILED) throw std::runtime_error("cannot map " + file);
    begin_ = static_cast<const std::byte*>(map_);
    if (on_device) {
      copy_ = std::make_unique<DeviceBuffer>(size_, 0);
      copy_->upload({begin_, size_});
      begin_ = copy_->data();
    }
  }
  ~InputFile() {
    if (size_ > 0) munmap(map_, size_);
  }
  InputFile(const InputFile&) = delete;
  InputFile& operator=(const InputFile&) = delete;

  [[nodiscard]] std::span<const std::byte> part(std::size_t first, std::size_t size) const {
    if (first > size_ || size > size_ - first) {
      throw std::runtime_error("a window lies outside its input");
    }
    return {begin_ + first, size};
  }

 private:
  void* map_ = nullptr;
  std::size_t size_ = 0;
  std::unique_ptr<DeviceBuffer> copy_;
  const std::byte* begin_ = nullptr;  // where the input is: host or device memory
};

/// An argument of one timed call.
class TimedArgument {
 public:
  TimedArgument(const Argument& argument, std::span<const std::byte> input) : argument_(argument) {
    if (!argument.is_array()) {
      slot_ = argument.scalar;
      return;
    }
    const std::size_t offset = argument.offset * argument.element_size;
    std::byte* data = nullptr;
    if (argument.on_host) {
      const std::size_t alignment = offset == 0 ? argument.element_size : kVector;
      host_ = std::make_unique<HostBuffer>(argument.size_bytes(), alignment, offset);
      data = host_->data();
    } else {
      device_ = std::make_unique<DeviceBuffer>(argument.size_bytes(), offset);
      data = device_->data();
    }
    if (argument.is_input) {
      if (!input.empty()) {
        if (host_ != nullptr) {
          std::memcpy(data, input.data(), input.size());
        } else {
          check(cudaMemcpy(data, input.data(), input.size(), cudaMemcpyDeviceToDevice),
                "copying a parameter");
        }
      }
    } else {
      poison();
    }
    slot_.resize(sizeof(data));
    std::memcpy(slot_.data(), &data, sizeof(data));
  }

  [[nodiscard]] void* slot() { return slot_.data(); }

  /// After the last clock was read: what a host thread writes later must not count.
  void freeze() {
    if (host_ != nullptr && argument_.is_output) host_->freeze();
  }

  /// Writes the output to a file; false when the device does not answer.
  [[nodiscard]] bool save(const std::string& file) const {
    std::ofstream out(file, std::ios::binary | std::ios::trunc);
    const auto write = [&](std::span<const std::byte> bytes) {
      out.write(reinterpret_cast<const char*>(bytes.data()),
                static_cast<std::streamsize>(bytes.size()));
    };
    if (host_ != nullptr) {
      write(host_->bytes());
    } else {
      // A part at a time: new memory for all of it takes longer than the copy.
      const std::size_t size = argument_.size_bytes();
      std::vector<std::byte> part(std::min(size, kSavedPart));
      for (std::size_t first = 0; first < size; first += part.size()) {
        const auto bytes = std::span(part).first(std::min(part.size(), size - first));
        if (!device_->download(bytes, first)) return false;
        write(bytes);
      }
    }
    out.close();
    if (!out) throw std::runtime_error("the output `" + argument_.name + "' cannot be written");
    return true;
  }

 private:
  /// A little of it by hand, the rest by copying what is there, twice as much each time.
  void poison() {
    const std::size_t size = argument_.size_bytes();
    std::vector<std::byte> first(std::min(size, argument_.element_size * 4096));
    for (std::size_t at = 0; at < first.size(); at += argument_.element_size) {
      std::memcpy(first.data() + at, &argument_.poison, argument_.element_size);
    }
    if (host_ != nullptr && !first.empty()) {
      std::memcpy(host_->data(), first.data(), first.size());
    } else if (!first.empty()) {
      device_->upload(first);
    }
    for (std::size_t done = first.size(); done < size;) {
      const std::size_t count = std::min(done, size - done);
      if (host_ != nullptr) {
        std::memcpy(host_->data() + done, host_->data(), count);
      } else {
        check(cudaMemcpy(device_->data() + done, device_->data(), count, cudaMemcpyDeviceToDevice),
              "poisoning an output");
      }
      done += count;
    }
  }

  const Argument& argument_;
  std::unique_ptr<HostBuffer> host_;
  std::unique_ptr<DeviceBuffer> device_;
  std::vector<std::byte> slot_;
};

/// Lets the runtime keep what is freed in stream order, as the pool keeps what cudaFree frees.
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

/// Leaves nothing of a call's data in the device's second-level cache, and nothing set aside in it.
class CacheFlush {
 public:
  CacheFlush() : size_(flush_size()), buffer_(size_, 0) {}

  void run() const {
    (void)cudaCtxResetPersistingL2Cache();
    (void)cudaDeviceSetLimit(cudaLimitPersistingL2CacheSize, 0);
    (void)cudaGetLastError();  // cards before compute capability 8.0 know neither
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

struct Times {
  double event_ms = 0;
  double host_ms = 0;
};

/// Thrown when the student's call left an error, which the record has.
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
                                                                  !argument.on_host));
      }
    }
    // A function on host pointers waits for its copies; there is nothing to launch ahead.
    const auto on_host = [](const Argument& argument) {
      return argument.is_array() && argument.on_host;
    };
    if (request.timed->host_clock_counts &&
        std::none_of(request.arguments.begin(), request.arguments.end(), on_host)) {
      gate_.emplace();
    }
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
    bind(turn);
    std::vector<double> times;
    const auto begin = Clock::now();
    for (int i = 0; i < kMostWarmCalls && Clock::now() - begin < kLongestWarmUp; ++i) {
      const Times taken = call();
      times.push_back(request_.timed->host_clock_counts ? std::max(taken.event_ms, taken.host_ms)
                                                        : taken.event_ms);
      if (is_stable(times)) break;
    }
    record_.line("ready");
  }

  void run(const Turn& turn) {
    bind(turn);
    const Times taken = call();
    for (TimedArgument& argument : arguments_) argument.freeze();
    record_.line("timed", std::to_string(calls_++) + " " + std::to_string(taken.event_ms) + " " +
                              std::to_string(taken.host_ms));
  }

  /// Writes the outputs of the last timed call.
  void save() const {
    if (calls_ == 0) throw std::runtime_error("nothing was called that could be saved");
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
  /// New buffers while the last call's are still there, so that no address comes back.
  void bind(const Turn& turn) {
    std::deque<TimedArgument> fresh;
    std::size_t window = 0;
    for (const Argument& argument : request_.arguments) {
      std::span<const std::byte> input;
      if (argument.is_array() && argument.is_input) {
        input =
            files_.at(argument.name)
                ->part(turn.windows.at(window++) * argument.element_size, argument.size_bytes());
      }
      fresh.emplace_back(argument, input);
    }
    arguments_.swap(fresh);
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
    cudaEventRecord(stop_);
    const cudaError_t launched = cudaGetLastError();
    const cudaError_t synchronised = cudaDeviceSynchronize();
    const auto end = Clock::now();
    device_pool().end();
    fail_on("launch-error", launched);
    fail_on("sync-error", synchronised);
    const double gate_ms = elapsed_ms(closed_, start_);
    return {.event_ms = elapsed_ms(start_, stop_), .host_ms = milliseconds(end - begin) - gate_ms};
  }

  static double elapsed_ms(cudaEvent_t from, cudaEvent_t to) {
    float ms = 0;
    check(cudaEventElapsedTime(&ms, from, to), "cudaEventElapsedTime");
    return static_cast<double>(ms);
  }

  void fail_on(const char* key, cudaError_t status) {
    if (status == cudaSuccess) return;
    record_.line(key, std::to_string(static_cast<int>(status)) + " " + cudaGetErrorName(status) +
                          " " + cudaGetErrorString(status));
    throw CallFailed{};
  }

  static bool is_stable(const std::vector<double>& times) {
    if (times.size() < 3) return false;
    const auto [low, high] = std::minmax_element(times.end() - 3, times.end());
    return *high <= *low * (1 + kStable);
  }

  const Request& request_;
  RecordWriter& record_;
  std::optional<DeviceGate> gate_;
  cudaEvent_t closed_ = nullptr;
  cudaEvent_t start_ = nullptr;
  cudaEvent_t stop_ = nullptr;
  std::map<std::string, std::unique_ptr<InputFile>> files_;
  CacheFlush flush_;
  std::deque<TimedArgument> arguments_;
  std::size_t calls_ = 0;
};

/// The parent's turns, line by line, as it appends them.
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
    // The record says which error; the parent sees that no more calls come.
  }
  record.line("returned");
}

}  // namespace warpgrade::worker
