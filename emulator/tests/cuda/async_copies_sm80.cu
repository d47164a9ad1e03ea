#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cuda_pipeline.h>

#include <cuda/barrier>
#include <cuda/pipeline>

#include "emulator/tests/support/program.h"

// Copies that run beside the computation: cp.async with commit groups, cuda::pipeline,
// cuda::barrier, and cooperative_groups::memcpy_async.

#pragma nv_diag_suppress static_var_with_dynamic_init

namespace cg = cooperative_groups;

namespace {

constexpr int kTile = 16;

/// c = a * b, n a multiple of kTile: the next pair of tiles is loaded while this one is used.
__global__ void double_buffered_gemm(const float* a, const float* b, float* c, int n) {
  __shared__ float as[2][kTile][kTile], bs[2][kTile][kTile];
  const int x = int(threadIdx.x), y = int(threadIdx.y);
  const int row = int(blockIdx.y) * kTile + y, column = int(blockIdx.x) * kTile + x;
  const auto fetch = [&](int tile, int stage) {
    __pipeline_memcpy_async(&as[stage][y][x], &a[row * n + tile * kTile + x], sizeof(float));
    __pipeline_memcpy_async(&bs[stage][y][x], &b[(tile * kTile + y) * n + column], sizeof(float));
    __pipeline_commit();
  };
  float sum = 0;
  const int tiles = n / kTile;
  fetch(0, 0);
  for (int tile = 0; tile < tiles; ++tile) {
    const int stage = tile % 2;
    if (tile + 1 < tiles) {
      fetch(tile + 1, 1 - stage);
      __pipeline_wait_prior(1);
    } else {
      __pipeline_wait_prior(0);
    }
    __syncthreads();
    for (int k = 0; k < kTile; ++k) sum += as[stage][y][k] * bs[stage][k][x];
    __syncthreads();
  }
  c[row * n + column] = sum;
}

/// Sums of three neighbours, row by row; rows come through a pipeline of two stages that all
/// threads of the block share.
__global__ void pipelined_stencil(const float* in, float* out, int rows, int width) {
  extern __shared__ float stages[];
  __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 2> state;
  const auto block = cg::this_thread_block();
  auto pipeline = cuda::make_pipeline(block, &state);
  const auto fetch = [&](int row) {
    pipeline.producer_acquire();
    cuda::memcpy_async(block, stages + row % 2 * width, in + row * width,
                       sizeof(float) * std::size_t(width), pipeline);
    pipeline.producer_commit();
  };
  fetch(0);
  for (int row = 0; row < rows; ++row) {
    if (row + 1 < rows) fetch(row + 1);
    pipeline.consumer_wait();
    const float* now = stages + row % 2 * width;
    for (int i = int(threadIdx.x); i < width; i += int(blockDim.x)) {
      const float left = i > 0 ? now[i - 1] : 0, right = i + 1 < width ? now[i + 1] : 0;
      out[row * width + i] = left + now[i] + right;
    }
    pipeline.consumer_release();
  }
}

/// Each thread copies for itself: 16 bytes a stage.
__global__ void thread_pipeline(const float4* in, float4* out, int rounds) {
  __shared__ float4 stages[2][64];
  auto pipeline = cuda::make_pipeline();
  const int i = int(threadIdx.x);
  const auto fetch = [&](int round) {
    pipeline.producer_acquire();
    cuda::memcpy_async(&stages[round % 2][i], in + round * 64 + i, sizeof(float4), pipeline);
    pipeline.producer_commit();
  };
  fetch(0);
  for (int round = 0; round < rounds; ++round) {
    if (round + 1 < rounds) fetch(round + 1);
    if (round + 1 < rounds) {
      cuda::pipeline_consumer_wait_prior<1>(pipeline);
    } else {
      cuda::pipeline_consumer_wait_prior<0>(pipeline);
    }
    out[round * 64 + i] = stages[round % 2][i];
    pipeline.consumer_release();
  }
}

/// The first warp produces, the others consume: two buffers, each with a full and an empty barrier.
__global__ void producer_consumer(const int* in, int* out, int rounds) {
  using Barrier = cuda::barrier<cuda::thread_scope_block>;
  __shared__ Barrier full[2], empty[2];
  __shared__ int buffer[2][96];
  const int i = int(threadIdx.x);
  if (i < 2) {
    init(&full[i], blockDim.x);
    init(&empty[i], blockDim.x);
  }
  __syncthreads();
  if (i < 32) {
    for (int round = 0; round < rounds; ++round) {
      empty[round % 2].arrive_and_wait();
      for (int k = i; k < 96; k += 32) buffer[round % 2][k] = in[round * 96 + k] * 3;
      (void)full[round % 2].arrive();
    }
  } else {
    (void)empty[0].arrive();
    (void)empty[1].arrive();
    for (int round = 0; round < rounds; ++round) {
      full[round % 2].arrive_and_wait();
      out[round * 96 + i - 32] = buffer[round % 2][95 - (i - 32)];
      (void)empty[round % 2].arrive();
    }
  }
}

/// A barrier that waits for copies, and from which threads drop out one after the other.
__global__ void barrier_copies(const int* in, int* out) {
  __shared__ cuda::barrier<cuda::thread_scope_block> barrier;
  __shared__ alignas(16) int cells[64];
  const auto block = cg::this_thread_block();
  if (block.thread_rank() == 0) init(&barrier, block.num_threads());
  block.sync();
  cuda::memcpy_async(block, cells, in, cuda::aligned_size_t<16>(sizeof cells), barrier);
  barrier.arrive_and_wait();
  const unsigned i = threadIdx.x;
  int sum = cells[63 - i];
  for (unsigned leaving = 63; leaving > i; --leaving) {
    barrier.arrive_and_wait();
    sum += cells[leaving];
  }
  barrier.arrive_and_drop();
  out[i] = sum;
}

__global__ void group_copies(const int* in, int* out) {
  __shared__ int cells[100];
  const auto block = cg::this_thread_block();
  cg::memcpy_async(block, cells, in, sizeof cells);
  cg::wait(block);
  const unsigned i = threadIdx.x;
  if (i < 50) out[i] = cells[99 - i];
  block.sync();
  const auto warp = cg::tiled_partition<32>(block);
  if (warp.meta_group_rank() == 0) {
    cg::memcpy_async(warp, cells, in + 50, 4 * 32);
    cg::memcpy_async(warp, cells + 50, in, 4 * 32);
    cg::wait_prior<1>(warp);
    if (i < 25) out[50 + i] = cells[31 - i];
    cg::wait(warp);
    if (i < 25) out[75 + i] = cells[50 + 31 - i];
  }
}

void gemm() {
  constexpr int n = 64;
  const std::vector<float> a = testing::random_floats(n * n, 1),
                           b = testing::random_floats(n * n, 2);
  const testing::Buffer<float> on_a(a), on_b(b);
  testing::Buffer<float> on_c(n * n);
  double_buffered_gemm<<<dim3(n / kTile, n / kTile), dim3(kTile, kTile)>>>(on_a.get(), on_b.get(),
                                                                           on_c.get(), n);
  FINISH_LAUNCH();
  std::vector<double> want(n * n);
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < n; ++j) {
      for (int k = 0; k < n; ++k)
        want[std::size_t(i * n + j)] +=
            double(a[std::size_t(i * n + k)]) * double(b[std::size_t(k * n + j)]);
    }
  }
  testing::expect_close(on_c.download(), want, 1e-4);
}

void stencil() {
  constexpr int rows = 7, width = 300;
  const std::vector<float> values = testing::random_floats(rows * width);
  const testing::Buffer<float> in(values);
  testing::Buffer<float> out(rows * width);
  pipelined_stencil<<<1, 128, 2 * width * sizeof(float)>>>(in.get(), out.get(), rows, width);
  FINISH_LAUNCH();
  std::vector<float> want;
  for (int i = 0; i < rows * width; ++i) {
    const auto at = std::size_t(i);
    const float left = i % width > 0 ? values[at - 1] : 0;
    const float right = i % width + 1 < width ? values[at + 1] : 0;
    want.push_back(left + values[at] + right);
  }
  testing::expect_equal(out.download(), want);
}

void threads() {
  constexpr std::size_t rounds = 5;
  const std::vector<float> values = testing::random_floats(rounds * 256);
  const testing::Buffer<float> in(values);
  testing::Buffer<float> out(rounds * 256);
  thread_pipeline<<<1, 64>>>(reinterpret_cast<const float4*>(in.get()),
                             reinterpret_cast<float4*>(out.get()), int(rounds));
  FINISH_LAUNCH();
  testing::expect_equal(out.download(), values);
}

void barriers() {
  constexpr std::size_t rounds = 9;
  const std::vector<int> values = testing::random_integers(rounds * 96, 1000);
  const testing::Buffer<int> in(values);
  testing::Buffer<int> out(rounds * 96);
  producer_consumer<<<2, 128>>>(in.get(), out.get(), int(rounds));
  FINISH_LAUNCH();
  std::vector<int> want;
  for (std::size_t i = 0; i < rounds * 96; ++i) {
    want.push_back(values[i / 96 * 96 + 95 - i % 96] * 3);
  }
  testing::expect_equal(out.download(), want);

  testing::Buffer<int> sums(64);
  barrier_copies<<<1, 64>>>(in.get(), sums.get());
  FINISH_LAUNCH();
  want.clear();
  for (std::size_t i = 0; i < 64; ++i) {
    int sum = values[63 - i];
    for (std::size_t leaving = 63; leaving > i; --leaving) sum += values[leaving];
    want.push_back(sum);
  }
  testing::expect_equal(sums.download(), want);
}

void groups() {
  const std::vector<int> values = testing::random_integers(100, 1000);
  const testing::Buffer<int> in(values);
  testing::Buffer<int> out(100);
  group_copies<<<1, 64>>>(in.get(), out.get());
  FINISH_LAUNCH();
  std::vector<int> want;
  for (std::size_t i = 0; i < 50; ++i) want.push_back(values[99 - i]);
  for (std::size_t i = 0; i < 25; ++i) want.push_back(values[50 + 31 - i]);
  for (std::size_t i = 0; i < 25; ++i) want.push_back(values[31 - i]);
  testing::expect_equal(out.download(), want);
}

void run() {
  gemm();
  stencil();
  threads();
  barriers();
  groups();
}

}  // namespace

int main(int argc, char** argv) {
  return testing::run_program(argc, argv, run);
}
