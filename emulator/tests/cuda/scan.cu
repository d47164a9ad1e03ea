#include "emulator/tests/support/program.h"

// Prefix sums: Kogge-Stone and Brent-Kung in a block, arrays of any length through block sums, and
// a single pass in which each block waits for the one before it.

namespace {

constexpr int kBlock = 256;

/// Inclusive, one element a thread, double-buffered.
__global__ void kogge_stone(const int* in, int* out, int* block_sums, int n) {
  __shared__ int cells[2][kBlock];
  const int t = int(threadIdx.x), i = int(blockIdx.x) * kBlock + t;
  int from = 0;
  cells[from][t] = i < n ? in[i] : 0;
  for (int stride = 1; stride < kBlock; stride *= 2) {
    __syncthreads();
    cells[1 - from][t] = cells[from][t] + (t >= stride ? cells[from][t - stride] : 0);
    from = 1 - from;
  }
  if (i < n) out[i] = cells[from][t];
  if (t == kBlock - 1 && block_sums != nullptr) block_sums[blockIdx.x] = cells[from][t];
}

/// Inclusive, two elements per thread, up the tree and down again.
__global__ void brent_kung(const int* in, int* out, int* block_sums, int n) {
  __shared__ int cells[2 * kBlock];
  const int t = int(threadIdx.x), first = int(blockIdx.x) * 2 * kBlock;
  for (int at = t; at < 2 * kBlock; at += kBlock) cells[at] = first + at < n ? in[first + at] : 0;
  for (int stride = 1; stride <= kBlock; stride *= 2) {
    __syncthreads();
    const int index = (t + 1) * 2 * stride - 1;
    if (index < 2 * kBlock) cells[index] += cells[index - stride];
  }
  for (int stride = kBlock / 2; stride > 0; stride /= 2) {
    __syncthreads();
    const int index = (t + 1) * 2 * stride - 1;
    if (index + stride < 2 * kBlock) cells[index + stride] += cells[index];
  }
  __syncthreads();
  for (int at = t; at < 2 * kBlock; at += kBlock) {
    if (first + at < n) out[first + at] = cells[at];
  }
  if (t == 0 && block_sums != nullptr) block_sums[blockIdx.x] = cells[2 * kBlock - 1];
}

__global__ void add_block_sums(int* out, const int* scanned_sums, int elements, int n) {
  const int block = int(blockIdx.x) + 1;
  for (int at = int(threadIdx.x); at < elements; at += int(blockDim.x)) {
    if (block * elements + at < n) out[block * elements + at] += scanned_sums[blockIdx.x];
  }
}

using Kernel = void (*)(const int*, int*, int*, int);

void scan_levels(Kernel kernel, int elements, const int* in, int* out, int n) {
  const int blocks = (n + elements - 1) / elements;
  if (blocks == 1) {
    kernel<<<1, kBlock>>>(in, out, nullptr, n);
    return;
  }
  testing::Buffer<int> sums{std::size_t(blocks)}, scanned{std::size_t(blocks)};
  kernel<<<unsigned(blocks), kBlock>>>(in, out, sums.get(), n);
  scan_levels(kernel, elements, sums.get(), scanned.get(), blocks);
  add_block_sums<<<unsigned(blocks - 1), kBlock>>>(out, scanned.get(), elements, n);
  CUDA_CHECK(cudaDeviceSynchronize());
}

struct Status {
  int flag;  // 0 nothing, 1 the inclusive sum is there
  int sum;
};

__device__ unsigned next_block;

/// Blocks take numbers as they start, so the one before is always running or done.
__global__ void single_pass(const int* in, int* out, volatile Status* status, int n) {
  __shared__ int cells[kBlock];
  __shared__ unsigned own_block;
  __shared__ int before;
  const int t = int(threadIdx.x);
  if (t == 0) own_block = atomicAdd(&next_block, 1u);
  __syncthreads();
  const int block = int(own_block), i = block * kBlock + t;
  cells[t] = i < n ? in[i] : 0;
  for (int stride = 1; stride < kBlock; stride *= 2) {
    __syncthreads();
    const int add = t >= stride ? cells[t - stride] : 0;
    __syncthreads();
    cells[t] += add;
  }
  if (t == kBlock - 1) {
    int sum = 0;
    if (block > 0) {
      while (status[block - 1].flag == 0) {
      }
      __threadfence();
      sum = status[block - 1].sum;
    }
    before = sum;
    status[block].sum = sum + cells[t];
    __threadfence();
    status[block].flag = 1;
  }
  __syncthreads();
  if (i < n) out[i] = before + cells[t];
}

void scan(int n) {
  const std::vector<int> values = testing::random_integers(std::size_t(n), 100);
  std::vector<int> want(values.size());
  int sum = 0;
  for (std::size_t i = 0; i < values.size(); ++i) want[i] = sum += values[i];
  const testing::Buffer<int> in(values);
  testing::Buffer<int> out(values.size());
  scan_levels(kogge_stone, kBlock, in.get(), out.get(), n);
  FINISH_LAUNCH();
  testing::expect_equal(out.download(), want);
  out.fill_bytes(0);
  scan_levels(brent_kung, 2 * kBlock, in.get(), out.get(), n);
  FINISH_LAUNCH();
  testing::expect_equal(out.download(), want);
  out.fill_bytes(0);

  const unsigned blocks = testing::blocks_for(values.size(), kBlock);
  testing::Buffer<Status> status{blocks};
  status.fill_bytes(0);
  const unsigned zero = 0;
  CUDA_CHECK(cudaMemcpyToSymbol(next_block, &zero, sizeof zero));
  single_pass<<<blocks, kBlock>>>(in.get(), out.get(), status.get(), n);
  FINISH_LAUNCH();
  testing::expect_equal(out.download(), want);
}

void run() {
  // The last needs three levels of block sums.
  for (const int n : {1, 2, 255, 256, 257, 511, 513, 5000, 70001, 150000}) scan(n);
}

}  // namespace

int main(int argc, char** argv) {
  return testing::run_program(argc, argv, run);
}
