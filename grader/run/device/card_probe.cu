// Measures a card's peaks: bytes per second of a device-to-device copy, and float fused
// multiply-adds per second. Prints two numbers, each the best of several runs, because they are
// upper limits.
#include <cstdio>
#include <cstdlib>

#include <cuda_runtime.h>

#define CHECK(call)                                                        \
  do {                                                                     \
    const cudaError_t status = (call);                                     \
    if (status != cudaSuccess) {                                           \
      std::fprintf(stderr, "%s: %s\n", #call, cudaGetErrorString(status)); \
      std::exit(1);                                                        \
    }                                                                      \
  } while (false)

namespace {

constexpr int kRuns = 10;
constexpr int kBlock = 256;
constexpr int kSteps = 4096;  // per thread
constexpr int kChains = 8;  // independent ones, so that latency is hidden

__global__ void copy(const float4* from, float4* to, size_t count) {
  const size_t i = static_cast<size_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i < count) to[i] = from[i];
}

__global__ void multiply_add(float* out, float a, float b) {
  float x[kChains];
  for (int c = 0; c < kChains; ++c) x[c] = threadIdx.x + c;
  for (int i = 0; i < kSteps; ++i) {
#pragma unroll
    for (int c = 0; c < kChains; ++c) x[c] = x[c] * a + b;
  }
  float sum = 0;
  for (int c = 0; c < kChains; ++c) sum += x[c];
  if (sum == -1) out[0] = sum;  // never true: keeps the compiler from removing the work
}

template <class Launch>
float best_ms(Launch launch) {
  cudaEvent_t start, stop;
  CHECK(cudaEventCreate(&start));
  CHECK(cudaEventCreate(&stop));
  float best = 1e30f;
  for (int i = 0; i < kRuns; ++i) {
    CHECK(cudaEventRecord(start));
    launch();
    CHECK(cudaEventRecord(stop));
    CHECK(cudaDeviceSynchronize());
    float ms = 0;
    CHECK(cudaEventElapsedTime(&ms, start, stop));
    if (ms < best) best = ms;
  }
  return best;
}

}  // namespace

int main() {
  cudaDeviceProp card;
  CHECK(cudaGetDeviceProperties(&card, 0));
  size_t free_bytes = 0, all_bytes = 0;
  CHECK(cudaMemGetInfo(&free_bytes, &all_bytes));
  size_t bytes = size_t{1} << 30;  // each for source and destination; much larger than any cache
  while (bytes * 3 > free_bytes) bytes /= 2;
  float4 *from, *to;
  CHECK(cudaMalloc(&from, bytes));
  CHECK(cudaMalloc(&to, bytes));
  CHECK(cudaMemset(from, 0, bytes));
  const size_t count = bytes / sizeof(float4);
  const float copy_ms = best_ms([&] {
    copy<<<static_cast<unsigned>((count + kBlock - 1) / kBlock), kBlock>>>(from, to, count);
  });
  const int blocks = card.multiProcessorCount * (card.maxThreadsPerMultiProcessor / kBlock) * 4;
  const float add_ms = best_ms(
      [&] { multiply_add<<<blocks, kBlock>>>(reinterpret_cast<float*>(to), 0.999f, 0.001f); });
  CHECK(cudaGetLastError());
  std::printf("%.6e %.6e\n", 2.0 * bytes / (copy_ms * 1e-3),
              1.0 * blocks * kBlock * kSteps * kChains / (add_ms * 1e-3));
  return 0;
}
