#include "reference/gpu_bench/measure.h"

#include <algorithm>
#include <exception>
#include <functional>
#include <memory>
#include <stdexcept>

#include "harness/timing/statistics.h"

namespace against {
namespace {

constexpr int kSets = 3;  // of inputs, at different addresses
constexpr int kPoison = 0xff;  // floats of these bytes are NaNs

class Event {
 public:
  Event() { check(cudaEventCreate(&event_), "creating an event"); }
  ~Event() { cudaEventDestroy(event_); }
  Event(const Event&) = delete;
  Event& operator=(const Event&) = delete;

  void record() { check(cudaEventRecord(event_), "recording an event"); }
  void wait() { check(cudaEventSynchronize(event_), "waiting for a kernel"); }
  [[nodiscard]] float ms_since(const Event& start) const {
    float ms = 0;
    check(cudaEventElapsedTime(&ms, start.event_, event_), "reading the time");
    return ms;
  }

 private:
  cudaEvent_t event_ = nullptr;
};

/// Overwrites the second-level cache: twice its size, so that no earlier data are left.
class CacheFlush {
 public:
  CacheFlush() {
    int device = 0;
    int l2 = 0;
    check(cudaGetDevice(&device), "finding the device");
    check(cudaDeviceGetAttribute(&l2, cudaDevAttrL2CacheSize, device), "asking for the L2's size");
    bytes_ = 2 * std::size_t(l2);
  }
  /// It takes longer than the launch that comes next takes the processor, so that the device does
  /// not wait between the first event and the first kernel.
  void operator()() {
    check(cudaMemsetAsync(memory_.get(bytes_), ++value_ & 0xff, bytes_), "flushing the cache");
  }

 private:
  std::size_t bytes_ = 0;
  int value_ = 0;
  Scratch memory_;
};

/// Times what `run` puts on the default stream.
class Stopwatch {
 public:
  double ms(const std::function<void()>& run) {
    flush_();
    start_.record();
    run();
    stop_.record();
    stop_.wait();
    return stop_.ms_since(start_);
  }

 private:
  CacheFlush flush_;
  Event start_;
  Event stop_;
};

struct Set {
  std::vector<std::unique_ptr<Scratch>> memory;
  Buffers buffers;
  const void* want = nullptr;  // what the first contender makes of it
};

class Sets {
 public:
  explicit Sets(const Row& row) {
    sets_.resize(kSets);
    unsigned seed = 0;
    for (Set& set : sets_) {
      for (const Input& input : row.inputs) {
        void* data = allocate(set, input.bytes);
        input.fill(data, input.bytes, ++seed);
        set.buffers.in.push_back(data);
      }
      set.buffers.out = allocate(set, row.output_bytes);
      poison(set, row);
      row.contenders.front().run(set.buffers);
      void* want = allocate(set, row.output_bytes);
      check(cudaMemcpy(want, set.buffers.out, row.output_bytes, cudaMemcpyDeviceToDevice),
            "keeping the first contender's output");
      set.want = want;
    }
  }

  Set& operator[](int i) { return sets_[static_cast<std::size_t>(i % kSets)]; }

  static void poison(const Set& set, const Row& row) {
    check(cudaMemsetAsync(set.buffers.out, kPoison, row.output_bytes), "poisoning the output");
  }

 private:
  static void* allocate(Set& set, std::size_t bytes) {
    set.memory.push_back(std::make_unique<Scratch>());
    return set.memory.back()->get(bytes);
  }

  std::vector<Set> sets_;
};

/// One call: the time if `timed`, and whether what came out is right.
void call(const Contender& contender, const Row& row, const Set& set, Stopwatch& watch, bool timed,
          Timed& result) {
  if (!result.problem.empty()) return;
  try {
    Sets::poison(set, row);
    const double ms = watch.ms([&] { contender.run(set.buffers); });
    check(cudaGetLastError(), "a launch");
    if (timed) result.ms.push_back(ms);
    const double error = row.error(set.buffers.out, set.want);
    if (!(error <= row.largest_error)) {
      result.problem = "wrong: differs from the first by " + std::to_string(error);
    }
    result.error = std::max(result.error, error);
  } catch (const std::exception& e) {
    result.problem = e.what();
  }
}

// ---- Ceilings ---------------------------------------------------------------------------------

constexpr int kBlock = 256;
constexpr std::size_t kQuads = std::size_t{1} << 26;  // of four floats: 1 GiB
constexpr int kSteps = 4096;
constexpr int kChains = 16;  // independent sums of a thread

// kInFlight: accesses per thread. More is not always better, so several are tried.
template <int kInFlight>
__global__ void copy(const float4* from, float4* to) {
  const std::size_t first = std::size_t{blockIdx.x} * kBlock * kInFlight + threadIdx.x;
  float4 held[kInFlight];
#pragma unroll
  for (int i = 0; i < kInFlight; ++i) held[i] = from[first + i * kBlock];
#pragma unroll
  for (int i = 0; i < kInFlight; ++i) to[first + i * kBlock] = held[i];
}

template <int kInFlight>
__global__ void read(const float4* from, float4* to) {
  const std::size_t first = std::size_t{blockIdx.x} * kBlock * kInFlight + threadIdx.x;
  float4 held[kInFlight];
#pragma unroll
  for (int i = 0; i < kInFlight; ++i) held[i] = from[first + i * kBlock];
  float sum = 0;
#pragma unroll
  for (int i = 0; i < kInFlight; ++i) sum += held[i].x + held[i].y + held[i].z + held[i].w;
  if (sum == -1)
    to[0].x = sum;  // never, but the compiler does not know: the values are from 0 to 1
}

__global__ void __launch_bounds__(kBlock) multiply_add(float factor, float* out) {
  float sums[kChains];
#pragma unroll
  for (int i = 0; i < kChains; ++i) sums[i] = static_cast<float>(threadIdx.x + i);
#pragma unroll 8
  for (int step = 0; step < kSteps; ++step) {
#pragma unroll
    for (int i = 0; i < kChains; ++i) sums[i] = sums[i] * factor + factor;
  }
  float sum = 0;
#pragma unroll
  for (int i = 0; i < kChains; ++i) sum += sums[i];
  if (sum == -1) *out = sum;
}

double median_seconds(int rounds, Stopwatch& watch, const std::function<void()>& run) {
  std::vector<double> ms;
  for (int i = 0; i <= rounds; ++i) {
    const double time = watch.ms(run);
    if (i > 0) ms.push_back(time);
  }
  check(cudaGetLastError(), "measuring what the card can do");
  return warpgrade::quantile(ms, 0.5) / 1e3;
}

}  // namespace

std::vector<Timed> measure(const Row& row, int rounds) {
  Sets sets(row);
  Stopwatch watch;
  std::vector<Timed> results;
  for (const Contender& contender : row.contenders) results.push_back({contender.name, {}, 0, ""});
  constexpr int kWarmUp = 3;
  const int count = static_cast<int>(row.contenders.size());
  for (int round = 0; round < kWarmUp + rounds; ++round) {
    for (int turn = 0; turn < count; ++turn) {
      const auto which = static_cast<std::size_t>((round + turn) % count);
      call(row.contenders[which], row, sets[round], watch, round >= kWarmUp, results[which]);
    }
  }
  if (!results.front().problem.empty()) throw std::runtime_error(results.front().problem);
  return results;
}

Ceilings measure_ceilings(int rounds) {
  Scratch from_memory;
  Scratch to_memory;
  const Input values = positive_floats(4 * kQuads);
  auto* from = static_cast<float4*>(from_memory.get(values.bytes));
  auto* to = static_cast<float4*>(to_memory.get(values.bytes));
  values.fill(from, values.bytes, 1);
  int device = 0;
  int multiprocessors = 0;
  check(cudaGetDevice(&device), "finding the device");
  check(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device),
        "counting multiprocessors");

  Stopwatch watch;
  const auto bytes = static_cast<double>(values.bytes);
  const auto seconds = [&](auto kernel, int in_flight) {
    const auto grid = static_cast<unsigned>(kQuads / (kBlock * in_flight));
    return median_seconds(rounds, watch, [&] { kernel<<<grid, kBlock>>>(from, to); });
  };
  Ceilings found;
  found.copy =
      2 * bytes / std::min({seconds(copy<1>, 1), seconds(copy<2>, 2), seconds(copy<4>, 4)});
  found.read = bytes / std::min({seconds(read<1>, 1), seconds(read<2>, 2), seconds(read<4>, 4)});
  const int blocks = 64 * multiprocessors;
  const double operations = 2.0 * kSteps * kChains * kBlock * blocks;
  found.multiply_add = operations / median_seconds(rounds, watch, [&] {
                         multiply_add<<<blocks, kBlock>>>(0.5f, reinterpret_cast<float*>(to));
                       });
  return found;
}

}  // namespace against
