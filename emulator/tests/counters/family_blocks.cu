// Families of kernels about blocks: how fast they start by size, and what barriers cost in short
// ones; chains of arithmetic by their independent parts, divergence. See families.h.

#include "emulator/tests/counters/families.h"

using families::global_index;
using families::Use;

// -- blocks by size -------------------------------------------------------------------------------

// Nothing but its start: the condition is false.
template <int kThreads, int kLog>
__global__ void start(float* out, unsigned n) {
  if (global_index() >= n) out[0] = 1;
}
template <int kThreads, int kLog>
__global__ void fill(float* out) {
  out[global_index()] = 1;
}
template <int kThreads, int kLog>
__global__ void copy(const float* in, float* out) {
  out[global_index()] = in[global_index()];
}
template <int kThreads, int kLog>
__global__ void polynomial(const float* in, float* out) {
  const float x = in[global_index()];
  float y = x;
#pragma unroll
  for (int i = 0; i < 64; ++i) y = y * x + 0.5f;
  out[global_index()] = y;
}
template <int kThreads, int kLog>
__global__ void neighbours(const float* in, float* out) {
  __shared__ float tile[kThreads];
  tile[threadIdx.x] = in[global_index()];
  __syncthreads();
  out[global_index()] = tile[threadIdx.x ^ 1];
}

// -- barriers -------------------------------------------------------------------------------------

template <int kThreads, int kLog>
__global__ void tree(const float* in, float* out) {
  __shared__ float s[kThreads];
  const unsigned t = threadIdx.x;
  s[t] = in[global_index()];
  __syncthreads();
  for (int step = kThreads / 2; step > 0; step /= 2) {
    if (t < step) s[t] += s[t + step];
    __syncthreads();
  }
  if (t == 0) out[blockIdx.x] = s[0];
}
template <int kThreads, int kLog>
__global__ void tree_interleaved(const float* in, float* out) {
  __shared__ float s[kThreads];
  const unsigned t = threadIdx.x;
  s[t] = in[global_index()];
  __syncthreads();
  for (int step = 1; step < kThreads; step *= 2) {
    if (t % (2 * step) == 0) s[t] += s[t + step];
    __syncthreads();
  }
  if (t == 0) out[blockIdx.x] = s[0];
}
template <int kThreads, int kLog>
__global__ void tree_of_warps(const float* in, float* out) {
  __shared__ float s[32];
  float sum = in[global_index()];
  for (int offset = 16; offset > 0; offset /= 2) sum += __shfl_down_sync(~0u, sum, offset);
  if (threadIdx.x % 32 == 0) s[threadIdx.x / 32] = sum;
  __syncthreads();
  if (threadIdx.x < 32) {
    sum = threadIdx.x < kThreads / 32 ? s[threadIdx.x] : 0;
    for (int offset = 16; offset > 0; offset /= 2) sum += __shfl_down_sync(~0u, sum, offset);
    if (threadIdx.x == 0) out[blockIdx.x] = sum;
  }
}
template <int kThreads, int kBarriers>
__global__ void exchange(const float* in, float* out) {
  __shared__ float s[2][kThreads];
  const unsigned t = threadIdx.x;
  float v = in[global_index()];
#pragma unroll 1
  for (int i = 0; i < kBarriers; ++i) {
    s[i % 2][t] = v;
    __syncthreads();
    v += s[i % 2][t ^ 33];
  }
  out[global_index()] = v;
}
// The same exchanges within a warp.
template <int kThreads, int kBarriers>
__global__ void exchange_in_warp(const float* in, float* out) {
  float v = in[global_index()];
#pragma unroll 1
  for (int i = 0; i < kBarriers; ++i) v += __shfl_xor_sync(~0u, v, 1);
  out[global_index()] = v;
}
template <int kThreads, int kLog>
__global__ void scan(const float* in, float* out) {
  __shared__ float s[kThreads];
  const unsigned t = threadIdx.x;
  s[t] = in[global_index()];
  for (unsigned step = 1; step < kThreads; step *= 2) {
    __syncthreads();
    const float v = t >= step ? s[t - step] : 0;
    __syncthreads();
    s[t] += v;
  }
  out[global_index()] = s[t];
}
template <int kThreads, int kLog>
__global__ void scan_of_warps(const float* in, float* out) {
  __shared__ float s[32];
  float v = in[global_index()];
  const unsigned lane = threadIdx.x % 32;
  for (unsigned step = 1; step < 32; step *= 2) {
    const float left = __shfl_up_sync(~0u, v, step);
    if (lane >= step) v += left;
  }
  if (lane == 31) s[threadIdx.x / 32] = v;
  __syncthreads();
  for (unsigned w = 0; w < threadIdx.x / 32; ++w) v += s[w];
  out[global_index()] = v;
}

// -- chains of arithmetic, divergence -------------------------------------------------------------

template <int kChains, int kWarps>
__global__ void chains(const float* in, float* out) {
  float x[kChains];
  for (int i = 0; i < kChains; ++i) x[i] = in[i] + static_cast<float>(threadIdx.x);
#pragma unroll 1
  for (int step = 0; step < 256 / kChains; ++step) {
#pragma unroll
    for (int k = 0; k < 4; ++k) {
#pragma unroll
      for (int i = 0; i < kChains; ++i) x[i] = x[i] * 1.5f + 0.25f;
    }
  }
  float sum = 0;
  for (int i = 0; i < kChains; ++i) sum += x[i];
  out[global_index()] = sum;
}
// The lanes of a warp take kPaths paths of equal length, one after another.
template <int kPaths, int kSteps>
__global__ void paths(const float* in, float* out) {
  float x = in[global_index()];
  const unsigned path = threadIdx.x % kPaths;
  for (unsigned p = 0; p < kPaths; ++p) {
    if (path != p) continue;
#pragma unroll 1
    for (int i = 0; i < kSteps; ++i) x = x * 1.5f + static_cast<float>(p);
  }
  out[global_index()] = x;
}

template <int kThreads, int kLog>
void by_size(const float* in, float* out) {
  constexpr int kBlocks = (1 << kLog) / kThreads;
  families::group("blocks that copy 2^" + std::to_string(kLog),
                  kLog == 20 ? Use::held_out : Use::fitted);
  RUN((copy<kThreads, kLog>), kBlocks, kThreads, in, out);
  if constexpr (kLog == 22) {
    families::group("blocks that do nothing", Use::fitted);
    RUN((start<kThreads, kLog>), kBlocks, kThreads, out, 1 << kLog);
    families::group("blocks that fill", Use::held_out);
    RUN((fill<kThreads, kLog>), kBlocks, kThreads, out);
    families::group("blocks with 64 multiply-adds per thread", Use::held_out);
    RUN((polynomial<kThreads, kLog>), kBlocks, kThreads, in, out);
    families::group("blocks with one barrier", Use::fitted);
    RUN((neighbours<kThreads, kLog>), kBlocks, kThreads, in, out);
  }
}

template <int kThreads, int kLog>
void reduce(const float* in, float* out) {
  constexpr int kBlocks = (1 << kLog) / kThreads;
  families::group("trees over 2^" + std::to_string(kLog), kLog == 20 ? Use::held_out : Use::fitted);
  RUN((tree<kThreads, kLog>), kBlocks, kThreads, in, out);
  RUN((tree_interleaved<kThreads, kLog>), kBlocks, kThreads, in, out);
  RUN((tree_of_warps<kThreads, kLog>), kBlocks, kThreads, in, out);
  if constexpr (kLog == 22) {
    families::group("scans", Use::held_out);
    RUN((scan<kThreads, kLog>), kBlocks, kThreads, in, out);
    RUN((scan_of_warps<kThreads, kLog>), kBlocks, kThreads, in, out);
  }
}

template <int kThreads, int kBarriers>
void exchange_by_barriers(const float* in, float* out) {
  constexpr int kBlocks = (1 << 20) / kThreads;
  families::group(std::to_string(kBarriers) + " exchanges",
                  kBarriers == 8 ? Use::held_out : Use::fitted);
  RUN((exchange<kThreads, kBarriers>), kBlocks, kThreads, in, out);
  RUN((exchange_in_warp<kThreads, kBarriers>), kBlocks, kThreads, in, out);
}

template <int kWarps>
void chain(const float* in, float* out) {
  constexpr int kBlocks = 132 * (kWarps < 32 ? 1 : 2);
  constexpr int kThreads = 32 * (kWarps < 32 ? kWarps : 32);
  families::group("chains of " + std::to_string(kWarps) + " warps",
                  kWarps == 16 ? Use::held_out : Use::fitted);
  RUN((chains<1, kWarps>), kBlocks, kThreads, in, out);
  RUN((chains<2, kWarps>), kBlocks, kThreads, in, out);
  RUN((chains<4, kWarps>), kBlocks, kThreads, in, out);
}

template <int kSteps>
void diverge(const float* in, float* out) {
  families::group("paths of " + std::to_string(kSteps), kSteps == 64 ? Use::held_out : Use::fitted);
  RUN((paths<1, kSteps>), 4096, 256, in, out);
  RUN((paths<2, kSteps>), 4096, 256, in, out);
  RUN((paths<8, kSteps>), 4096, 256, in, out);
}

int main(int argc, char** argv) {
  families::begin(argc, argv);
  auto* const in = families::allocate<float>(size_t{1} << 24);
  auto* const out = families::allocate<float>(size_t{1} << 24);
  by_size<32, 22>(in, out);
  by_size<64, 22>(in, out);
  by_size<128, 22>(in, out);
  by_size<256, 22>(in, out);
  by_size<512, 22>(in, out);
  by_size<1024, 22>(in, out);
  by_size<32, 20>(in, out);
  by_size<64, 20>(in, out);
  by_size<256, 20>(in, out);
  by_size<1024, 20>(in, out);
  by_size<32, 24>(in, out);
  by_size<128, 24>(in, out);
  by_size<256, 24>(in, out);
  by_size<1024, 24>(in, out);
  reduce<64, 22>(in, out);
  reduce<128, 22>(in, out);
  reduce<256, 22>(in, out);
  reduce<512, 22>(in, out);
  reduce<1024, 22>(in, out);
  reduce<128, 20>(in, out);
  reduce<256, 20>(in, out);
  reduce<1024, 20>(in, out);
  exchange_by_barriers<64, 2>(in, out);
  exchange_by_barriers<256, 2>(in, out);
  exchange_by_barriers<1024, 2>(in, out);
  exchange_by_barriers<64, 8>(in, out);
  exchange_by_barriers<256, 8>(in, out);
  exchange_by_barriers<1024, 8>(in, out);
  exchange_by_barriers<64, 32>(in, out);
  exchange_by_barriers<256, 32>(in, out);
  exchange_by_barriers<1024, 32>(in, out);
  chain<4>(in, out);
  chain<16>(in, out);
  chain<64>(in, out);
  diverge<16>(in, out);
  diverge<64>(in, out);
  CUDA_CHECK(cudaFree(in));
  CUDA_CHECK(cudaFree(out));
  return 0;
}
