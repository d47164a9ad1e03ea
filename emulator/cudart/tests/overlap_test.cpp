#include <algorithm>
#include <catch2/catch_approx.hpp>
#include <catch2/catch_test_macros.hpp>
#include <vector>

#include "emulator/cudart/tests/device_buffer.h"
#include "emulator/cudart/tests/kernels.h"

// The modelled timeline as programs see it: through events.

using Catch::Approx;

namespace {

constexpr int kInts = 1 << 20;
constexpr int kBlock = 256;

class Event {
 public:
  Event() { REQUIRE(cudaEventCreate(&event_) == cudaSuccess); }
  ~Event() { (void)cudaEventDestroy(event_); }
  Event(const Event&) = delete;
  Event& operator=(const Event&) = delete;
  void record(cudaStream_t stream = nullptr) {
    REQUIRE(cudaEventRecord(event_, stream) == cudaSuccess);
  }
  [[nodiscard]] double since(const Event& start) const {
    float ms = 0;
    REQUIRE(cudaEventSynchronize(event_) == cudaSuccess);
    REQUIRE(cudaEventElapsedTime(&ms, start.event_, event_) == cudaSuccess);
    return ms;
  }
  cudaEvent_t get() { return event_; }

 private:
  cudaEvent_t event_ = nullptr;
};

struct Pinned {
  explicit Pinned(bool pinned) : pageable(pinned ? 0 : kInts) {
    void* allocated = pageable.data();
    if (pinned) REQUIRE(cudaMallocHost(&allocated, kInts * sizeof(int)) == cudaSuccess);
    data = static_cast<int*>(allocated);
    std::fill(data, data + kInts, 1);
  }
  ~Pinned() {
    if (pageable.empty()) (void)cudaFreeHost(data);
  }
  Pinned(const Pinned&) = delete;
  Pinned& operator=(const Pinned&) = delete;
  std::vector<int> pageable = {};
  int* data = nullptr;
};

/// Milliseconds of copies in, a kernel and copies out, in chunks over two streams.
double run_in_chunks(int chunks, bool pinned) {
  const Pinned host(pinned);
  DeviceBuffer<int> device(kInts);
  cudaStream_t streams[2];
  for (cudaStream_t& stream : streams) {
    REQUIRE(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking) == cudaSuccess);
  }
  REQUIRE(cudaDeviceSynchronize() == cudaSuccess);
  Event begin;
  Event ends[2];
  begin.record(streams[0]);
  REQUIRE(cudaStreamWaitEvent(streams[1], begin.get(), 0) == cudaSuccess);
  const int count = kInts / chunks;
  for (int i = 0; i < chunks; ++i) {
    const cudaStream_t stream = streams[i % 2];
    int* const here = host.data + i * count;
    int* const there = device.get() + i * count;
    const std::size_t bytes = static_cast<std::size_t>(count) * sizeof(int);
    REQUIRE(cudaMemcpyAsync(there, here, bytes, cudaMemcpyHostToDevice, stream) == cudaSuccess);
    launch_fill(static_cast<unsigned>(count / kBlock), kBlock, there, 7, stream);
    REQUIRE(cudaMemcpyAsync(here, there, bytes, cudaMemcpyDeviceToHost, stream) == cudaSuccess);
  }
  ends[0].record(streams[0]);
  ends[1].record(streams[1]);
  const double ms = std::max(ends[0].since(begin), ends[1].since(begin));
  CHECK(host.data[kInts - 1] == 7);
  for (const cudaStream_t stream : streams) (void)cudaStreamDestroy(stream);
  return ms;
}

}  // namespace

TEST_CASE("chunks over two streams gain what the course's formula says", "[cudart][overlap]") {
  // An A100: 25 GB/s each way, and 5 us per copy; the kernel's own time is measured.
  DeviceBuffer<int> device(kInts);
  Event begin;
  Event end;
  begin.record();
  launch_fill(kInts / kBlock, kBlock, device.get(), 1);
  end.record();
  const double kernel = end.since(begin);
  const double copy = kInts * sizeof(int) / 25e9 * 1e3;
  const double serial = run_in_chunks(1, true);
  CHECK(serial == Approx(2 * copy + kernel).epsilon(0.05));
  for (const int chunks : {2, 4, 8}) {
    const double formula = (2 * copy + kernel) / chunks + copy * (chunks - 1) / chunks;
    const double modelled = run_in_chunks(chunks, true);
    INFO(chunks << " chunks: " << modelled << " ms, by the formula " << formula << " ms");
    CHECK(modelled > formula);  // which leaves out what each piece costs by itself
    CHECK(modelled < formula + 0.012 * chunks + 0.01);
    CHECK(modelled < 0.85 * serial);
  }
}

TEST_CASE("copies of pageable memory do not overlap", "[cudart][overlap]") {
  const double serial = run_in_chunks(1, false);
  CHECK(run_in_chunks(4, false) >= serial);
  CHECK(run_in_chunks(1, true) < 0.6 * serial);
}

TEST_CASE("a blocking stream and the default stream wait for each other", "[cudart][overlap]") {
  const auto both = [](unsigned flags) {
    const Pinned host(true);
    DeviceBuffer<int> device(kInts);
    cudaStream_t stream = nullptr;
    REQUIRE(cudaStreamCreateWithFlags(&stream, flags) == cudaSuccess);
    REQUIRE(cudaDeviceSynchronize() == cudaSuccess);
    Event begin;
    Event end;
    begin.record(stream);
    const std::size_t half = kInts / 2 * sizeof(int);
    CHECK(cudaMemcpyAsync(device.get(), host.data, half, cudaMemcpyHostToDevice, stream) ==
          cudaSuccess);
    CHECK(cudaMemsetAsync(device.get() + kInts / 2, 0, half, nullptr) == cudaSuccess);
    end.record(nullptr);
    const double ms = end.since(begin);
    CHECK(cudaDeviceSynchronize() == cudaSuccess);
    CHECK(cudaStreamDestroy(stream) == cudaSuccess);
    return ms;
  };
  CHECK(both(cudaStreamDefault) > 0.08);  // the memset is after the copy
  CHECK(both(cudaStreamNonBlocking) < 0.02);
}

TEST_CASE("an event orders streams on the timeline, too", "[cudart][overlap]") {
  const Pinned host(true);
  DeviceBuffer<int> device(kInts);
  cudaStream_t copies = nullptr;
  cudaStream_t other = nullptr;
  REQUIRE(cudaStreamCreateWithFlags(&copies, cudaStreamNonBlocking) == cudaSuccess);
  REQUIRE(cudaStreamCreateWithFlags(&other, cudaStreamNonBlocking) == cudaSuccess);
  REQUIRE(cudaDeviceSynchronize() == cudaSuccess);
  Event begin;
  Event copied;
  Event early;
  Event late;
  begin.record(copies);
  CHECK(cudaMemcpyAsync(device.get(), host.data, kInts * sizeof(int), cudaMemcpyHostToDevice,
                        copies) == cudaSuccess);
  copied.record(copies);
  early.record(other);
  CHECK(cudaStreamWaitEvent(other, copied.get(), 0) == cudaSuccess);
  late.record(other);
  CHECK(early.since(begin) < 0.02);
  CHECK(late.since(begin) > copied.since(begin));
  CHECK(cudaStreamDestroy(copies) == cudaSuccess);
  CHECK(cudaStreamDestroy(other) == cudaSuccess);
}

TEST_CASE("independent nodes of a graph overlap", "[cudart][overlap]") {
  const auto time_of = [](bool independent) {
    const Pinned host(true);
    DeviceBuffer<int> device(kInts);
    cudaGraph_t graph = nullptr;
    REQUIRE(cudaGraphCreate(&graph, 0) == cudaSuccess);
    cudaGraphNode_t in = nullptr;
    cudaGraphNode_t out = nullptr;
    const std::size_t half = kInts / 2 * sizeof(int);
    REQUIRE(cudaGraphAddMemcpyNode1D(&in, graph, nullptr, 0, device.get(), host.data, half,
                                     cudaMemcpyHostToDevice) == cudaSuccess);
    REQUIRE(cudaMemset(device.get() + kInts / 2, 0, half) == cudaSuccess);
    REQUIRE(cudaGraphAddMemcpyNode1D(&out, graph, independent ? nullptr : &in, independent ? 0 : 1,
                                     host.data + kInts / 2, device.get() + kInts / 2, half,
                                     cudaMemcpyDeviceToHost) == cudaSuccess);
    cudaGraphExec_t executable = nullptr;
    REQUIRE(cudaGraphInstantiate(&executable, graph, 0) == cudaSuccess);
    cudaStream_t stream = nullptr;
    REQUIRE(cudaStreamCreate(&stream) == cudaSuccess);
    REQUIRE(cudaDeviceSynchronize() == cudaSuccess);
    Event begin;
    Event end;
    begin.record(stream);
    REQUIRE(cudaGraphLaunch(executable, stream) == cudaSuccess);
    end.record(stream);
    const double ms = end.since(begin);
    CHECK(cudaGraphExecDestroy(executable) == cudaSuccess);
    CHECK(cudaGraphDestroy(graph) == cudaSuccess);
    CHECK(cudaStreamDestroy(stream) == cudaSuccess);
    return ms;
  };
  CHECK(time_of(true) < 0.6 * time_of(false));
}
