#include "emulator/tests/support/program.h"

// Sums: the ladder from interleaved addressing to warp shuffles, and a single pass in which the
// last block to finish adds the partial sums.

namespace {

constexpr unsigned kBlock = 256;

__global__ void interleaved(const int* in, int* out, int n) {
  __shared__ int cells[kBlock];
  const unsigned t = threadIdx.x;
  const int i = int(blockIdx.x * kBlock + t);
  cells[t] = i < n ? in[i] : 0;
  for (unsigned stride = 1; stride < kBlock; stride *= 2) {
    __syncthreads();
    if (t % (2 * stride) == 0) cells[t] += cells[t + stride];
  }
  if (t == 0) atomicAdd(out, cells[0]);
}

__global__ void sequential(const int* in, int* out, int n) {
  __shared__ int cells[kBlock];
  const unsigned t = threadIdx.x;
  const int i = int(blockIdx.x * kBlock * 2 + t);
  cells[t] = (i < n ? in[i] : 0) + (i + int(kBlock) < n ? in[i + int(kBlock)] : 0);
  for (unsigned stride = kBlock / 2; stride > 0; stride /= 2) {
    __syncthreads();
    if (t < stride) cells[t] += cells[t + stride];
  }
  if (t == 0) atomicAdd(out, cells[0]);
}

__device__ int warp_sum(int x) {
  for (int by = 16; by > 0; by /= 2) x += __shfl_down_sync(0xffffffffu, x, by);
  return x;
}

__device__ int block_sum(int x) {
  __shared__ int of_warp[32];
  const unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  x = warp_sum(x);
  if (lane == 0) of_warp[warp] = x;
  __syncthreads();
  x = threadIdx.x < blockDim.x / 32 ? of_warp[lane] : 0;
  return warp == 0 ? warp_sum(x) : 0;
}

__global__ void shuffled(const int* in, int* out, int n) {
  int sum = 0;
  for (int i = int(blockIdx.x * blockDim.x + threadIdx.x); i < n;
       i += int(gridDim.x * blockDim.x)) {
    sum += in[i];
  }
  sum = block_sum(sum);
  if (threadIdx.x == 0) atomicAdd(out, sum);
}

__device__ unsigned finished_blocks;
__device__ int partial_sums[64];

__global__ void single_pass(const int* in, int* out, int n) {
  __shared__ bool last;
  int sum = 0;
  for (int i = int(blockIdx.x * blockDim.x + threadIdx.x); i < n;
       i += int(gridDim.x * blockDim.x)) {
    sum += in[i];
  }
  sum = block_sum(sum);
  if (threadIdx.x == 0) {
    partial_sums[blockIdx.x] = sum;
    __threadfence();
    last = atomicInc(&finished_blocks, gridDim.x - 1) == gridDim.x - 1;
  }
  __syncthreads();
  if (!last) return;
  __threadfence();
  const volatile int* sums = partial_sums;
  sum = block_sum(threadIdx.x < gridDim.x ? sums[threadIdx.x] : 0);
  if (threadIdx.x == 0) *out = sum;
}

/// Where the largest element is: a pair travels through the shuffles.
__global__ void index_of_maximum(const float* in, int* out, int n) {
  float best = -INFINITY;
  int at = -1;
  for (int i = int(threadIdx.x); i < n; i += 32) {
    if (in[i] > best) best = in[i], at = i;
  }
  for (int by = 16; by > 0; by /= 2) {
    const float other = __shfl_xor_sync(0xffffffffu, best, by);
    const int other_at = __shfl_xor_sync(0xffffffffu, at, by);
    if (other > best || (other == best && other_at < at)) best = other, at = other_at;
  }
  if (threadIdx.x == 0) *out = at;
}

void sum(std::size_t n) {
  const std::vector<int> values = testing::random_integers(n, 2000);
  int want = 0;
  for (const int value : values) want += value;
  const testing::Buffer<int> in(values);
  testing::Buffer<int> out(1);
  const auto check = [&] {
    FINISH_LAUNCH();
    testing::expect_equal(out.download(), {want});
    out.fill_bytes(0);
  };
  out.fill_bytes(0);
  interleaved<<<testing::blocks_for(n, kBlock), kBlock>>>(in.get(), out.get(), int(n));
  check();
  sequential<<<testing::blocks_for(n, 2 * kBlock), kBlock>>>(in.get(), out.get(), int(n));
  check();
  shuffled<<<5, kBlock>>>(in.get(), out.get(), int(n));
  check();
  shuffled<<<3, 1024>>>(in.get(), out.get(), int(n));
  check();
  single_pass<<<40, kBlock>>>(in.get(), out.get(), int(n));
  check();
  single_pass<<<1, 64>>>(in.get(), out.get(), int(n));
  check();
}

void run() {
  for (const std::size_t n : {1u, 2u, 31u, 256u, 257u, 5000u, 100003u}) sum(n);

  std::vector<float> values = testing::random_floats(1000);
  values[517] = 5;
  values[801] = 5;
  const testing::Buffer<float> in(values);
  testing::Buffer<int> out(1);
  index_of_maximum<<<1, 32>>>(in.get(), out.get(), 1000);
  FINISH_LAUNCH();
  testing::expect_equal(out.download(), {517});
}

}  // namespace

int main(int argc, char** argv) {
  return testing::run_program(argc, argv, run);
}
