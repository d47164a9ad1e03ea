// Measures on the GPU at hand what the modelled timeline assumes (docs/cost-model.md, "The
// timeline"), and prints JSON: rates of copies, the overlap of a program in chunks with pinned and
// pageable memory, zero-copy accesses, and managed memory with and without prefetching.
//
//   nvcc -O3 -std=c++17 -o measure_overlap scripts/measure_overlap.cu && ./measure_overlap >
//   card.json warpsim --card h200 -- ./measure_overlap > model.json      (built with -cudart
//   shared)
//
// Times are medians of several runs in milliseconds, by events and, where the host waits, by the
// host's clock.

#include <cuda_runtime.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <string>
#include <vector>

#define CHECK(call)                                                                       \
  do {                                                                                    \
    const cudaError_t error = (call);                                                     \
    if (error != cudaSuccess) {                                                           \
      std::fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(error)); \
      std::exit(1);                                                                       \
    }                                                                                     \
  } while (0)

namespace {

constexpr int kBlock = 256;
constexpr int kRuns = 7;

/// `rounds` multiply-adds per element, so that the kernel takes as long as is wanted.
__global__ void work(const float* in, float* out, int n, int rounds) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i >= n) return;
  float x = in[i];
  for (int r = 0; r < rounds; ++r) x = x * 0.999f + 0.001f;
  out[i] = x;
}

void launch(const float* in, float* out, int n, int rounds, cudaStream_t stream) {
  work<<<(n + kBlock - 1) / kBlock, kBlock, 0, stream>>>(in, out, n, rounds);
  CHECK(cudaGetLastError());
}

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

/// The time between two events around `body`, which must end in the default stream.
double by_events(const std::function<void()>& before, const std::function<void()>& body) {
  cudaEvent_t begin, end;
  CHECK(cudaEventCreate(&begin));
  CHECK(cudaEventCreate(&end));
  std::vector<double> times;
  for (int run = 0; run < kRuns; ++run) {
    before();
    CHECK(cudaDeviceSynchronize());
    CHECK(cudaEventRecord(begin));
    body();
    CHECK(cudaEventRecord(end));
    CHECK(cudaEventSynchronize(end));
    float ms = 0;
    CHECK(cudaEventElapsedTime(&ms, begin, end));
    times.push_back(ms);
  }
  CHECK(cudaEventDestroy(begin));
  CHECK(cudaEventDestroy(end));
  return median(times);
}

double by_clock(const std::function<void()>& body) {
  std::vector<double> times;
  for (int run = 0; run < kRuns; ++run) {
    CHECK(cudaDeviceSynchronize());
    const auto begin = std::chrono::steady_clock::now();
    body();
    CHECK(cudaDeviceSynchronize());
    const std::chrono::duration<double, std::milli> took = std::chrono::steady_clock::now() - begin;
    times.push_back(took.count());
  }
  return median(times);
}

bool first = true;
void print(const std::string& name, double value) {
  std::printf("%s\n  \"%s\": %.6g", first ? "" : ",", name.c_str(), value);
  first = false;
}

void nothing() {}

}  // namespace

int main(int argc, char** argv) {
  const int n = argc > 1 ? std::atoi(argv[1]) : 1 << 22;
  const int rounds = argc > 2 ? std::atoi(argv[2]) : 64;
  const std::size_t bytes = static_cast<std::size_t>(n) * sizeof(float);
  float *device_in, *device_out, *pinned_in, *pinned_out, *managed;
  CHECK(cudaMalloc(&device_in, bytes));
  CHECK(cudaMalloc(&device_out, bytes));
  CHECK(cudaMallocHost(&pinned_in, bytes));
  CHECK(cudaMallocHost(&pinned_out, bytes));
  CHECK(cudaMallocManaged(&managed, bytes));
  std::vector<float> pageable_in(static_cast<std::size_t>(n), 1.0f);
  std::vector<float> pageable_out(static_cast<std::size_t>(n), 0.0f);
  std::fill(pinned_in, pinned_in + n, 1.0f);
  CHECK(cudaMemset(device_in, 0, bytes));
  cudaDeviceProp card;
  CHECK(cudaGetDeviceProperties(&card, 0));
  std::printf("{\n  \"card\": \"%s\", \"elements\": %d, \"rounds\": %d, \"copy_engines\": %d,",
              card.name, n, rounds, card.asyncEngineCount);

  const auto copy = [&](void* to, const void* from, cudaMemcpyKind kind) {
    return [=] { CHECK(cudaMemcpyAsync(to, from, bytes, kind)); };
  };
  print("pinned_to_device_ms",
        by_events(nothing, copy(device_in, pinned_in, cudaMemcpyHostToDevice)));
  print("pinned_to_host_ms",
        by_events(nothing, copy(pinned_out, device_in, cudaMemcpyDeviceToHost)));
  print("pageable_to_device_ms",
        by_events(nothing, copy(device_in, pageable_in.data(), cudaMemcpyHostToDevice)));
  print("pageable_to_host_ms",
        by_events(nothing, copy(pageable_out.data(), device_in, cudaMemcpyDeviceToHost)));
  print("on_device_ms", by_events(nothing, copy(device_out, device_in, cudaMemcpyDeviceToDevice)));
  print("small_copy_ms", by_events(nothing, [&] {
          CHECK(cudaMemcpyAsync(device_in, pinned_in, 4, cudaMemcpyHostToDevice));
        }));
  print("event_ms", by_events(nothing, nothing));
  print("empty_launch_ms",
        by_events(nothing, [&] { launch(device_in, device_out, 1, 0, nullptr); }));
  print("submit_host_ms", by_clock([&] {
                            for (int i = 0; i < 100; ++i)
                              launch(device_in, device_out, 1, 0, nullptr);
                          }) / 100);
  print("kernel_ms",
        by_events(nothing, [&] { launch(device_in, device_out, n, rounds, nullptr); }));

  for (const bool pinned : {true, false}) {
    float* const in = pinned ? pinned_in : pageable_in.data();
    float* const out = pinned ? pinned_out : pageable_out.data();
    for (const int chunks : {1, 2, 4, 8, 16}) {
      cudaStream_t streams[2];
      for (cudaStream_t& stream : streams) CHECK(cudaStreamCreate(&stream));
      const int count = n / chunks;
      const double ms = by_events(nothing, [&] {
        for (int i = 0; i < chunks; ++i) {
          const std::size_t at = static_cast<std::size_t>(i) * static_cast<std::size_t>(count);
          const std::size_t part = static_cast<std::size_t>(count) * sizeof(float);
          const cudaStream_t stream = streams[i % 2];
          CHECK(cudaMemcpyAsync(device_in + at, in + at, part, cudaMemcpyHostToDevice, stream));
          launch(device_in + at, device_out + at, count, rounds, stream);
          CHECK(cudaMemcpyAsync(out + at, device_out + at, part, cudaMemcpyDeviceToHost, stream));
        }
      });
      print(
          std::string(pinned ? "pinned" : "pageable") + "_chunks_" + std::to_string(chunks) + "_ms",
          ms);
      for (const cudaStream_t stream : streams) CHECK(cudaStreamDestroy(stream));
    }
  }

  print("zero_copy_ms",
        by_events(nothing, [&] { launch(pinned_in, pinned_out, n, rounds, nullptr); }));
  const auto touch = [&] { std::fill(managed, managed + n, 1.0f); };
  const auto host = [&] {
    CHECK(cudaDeviceSynchronize());
    touch();
  };
  print("managed_faults_ms",
        by_events(host, [&] { launch(managed, device_out, n, rounds, nullptr); }));
#if CUDART_VERSION >= 13000
  cudaMemLocation location = {};
  location.type = cudaMemLocationTypeDevice;
  const auto prefetch = [&] { CHECK(cudaMemPrefetchAsync(managed, bytes, location, 0, nullptr)); };
#else
  const auto prefetch = [&] { CHECK(cudaMemPrefetchAsync(managed, bytes, 0, nullptr)); };
#endif
  print("managed_prefetched_ms", by_events(host, [&] {
          prefetch();
          launch(managed, device_out, n, rounds, nullptr);
        }));
  print("managed_resident_ms",
        by_events(nothing, [&] { launch(managed, device_out, n, rounds, nullptr); }));

  int devices = 0;
  CHECK(cudaGetDeviceCount(&devices));
  if (devices > 1) {
    float* other = nullptr;
    int access = 0;
    CHECK(cudaDeviceCanAccessPeer(&access, 0, 1));
    if (access != 0) CHECK(cudaDeviceEnablePeerAccess(1, 0));
    CHECK(cudaSetDevice(1));
    CHECK(cudaMalloc(&other, bytes));
    CHECK(cudaSetDevice(0));
    print("peer_ms",
          by_events(nothing, [&] { CHECK(cudaMemcpyPeerAsync(other, 1, device_in, 0, bytes)); }));
    CHECK(cudaFree(other));
  }
  std::printf("\n}\n");
  CHECK(cudaFree(device_in));
  CHECK(cudaFree(device_out));
  CHECK(cudaFree(managed));
  CHECK(cudaFreeHost(pinned_in));
  CHECK(cudaFreeHost(pinned_out));
  return 0;
}
