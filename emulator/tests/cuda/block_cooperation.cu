#include <cooperative_groups.h>

#include <algorithm>

#include "emulator/tests/support/program.h"

// Blocks that wait for each other: producers and consumers, barriers over the grid by hand and by
// the library, the last block that finishes the sum, and a block that waits for a later one.

namespace cg = cooperative_groups;

namespace {

constexpr int kItems = 64, kRing = 4;

struct Channel {
  int produced, consumed;
  int ring[kRing][kItems];
};

/// Even blocks fill a ring of messages, the odd block beside each empties it.
__global__ void pipe(Channel* channels, int* out, int messages) {
  Channel& channel = channels[blockIdx.x / 2];
  volatile int* const produced = &channel.produced;
  volatile int* const consumed = &channel.consumed;
  const int t = int(threadIdx.x);
  for (int message = 0; message < messages; ++message) {
    if (blockIdx.x % 2 == 0) {
      if (t == 0) {
        while (message - *consumed >= kRing) __nanosleep(50);
        __threadfence();
      }
      __syncthreads();
      channel.ring[message % kRing][t] = message * 1000 + t * int(blockIdx.x + 1);
      __syncthreads();
      if (t == 0) {
        __threadfence();  // after the barrier, so that it covers what the others wrote
        *produced = message + 1;
      }
    } else {
      if (t == 0) {
        while (*produced <= message) {
        }
        __threadfence();
      }
      __syncthreads();
      out[(blockIdx.x / 2 * unsigned(messages) + unsigned(message)) * kItems + threadIdx.x] =
          channel.ring[message % kRing][kItems - 1 - t];
      __syncthreads();
      if (t == 0) {
        __threadfence();
        *consumed = message + 1;
      }
    }
  }
}

struct GridBarrier {
  unsigned arrived, generation;
};

/// For a grid that is resident as a whole.
__device__ void wait_for_grid(GridBarrier* barrier) {
  __syncthreads();
  if (threadIdx.x == 0) {
    volatile unsigned* const generation = &barrier->generation;
    const unsigned mine = *generation;
    __threadfence();
    if (atomicAdd(&barrier->arrived, 1u) == gridDim.x - 1) {
      __threadfence();
      atomicExch(&barrier->arrived, 0u);
      __threadfence();
      *generation = mine + 1;
    } else {
      while (*generation == mine) {
      }
    }
    __threadfence();
  }
  __syncthreads();
}

/// Explicit heat steps over all blocks in one launch.
__global__ void heat(int* from, int* to, int n, int steps, GridBarrier* barrier) {
  const int i = int(blockIdx.x * blockDim.x + threadIdx.x);
  for (int step = 0; step < steps; ++step) {
    if (i < n) to[i] = (from[(i + n - 1) % n] + 2 * from[i] + from[(i + 1) % n]) / 4;
    wait_for_grid(barrier);
    int* const old = from;
    from = to;
    to = old;
  }
}

/// Power iteration: product, norm over the grid, division; the library's barrier between.
__global__ void power_iteration(const float* matrix, float* x, float* y, float* norms, int n,
                                int rounds) {
  cg::grid_group grid = cg::this_grid();
  const auto rank = int(grid.thread_rank()), size = int(grid.size());
  for (int round = 0; round < rounds; ++round) {
    for (int row = rank; row < n; row += size) {
      float sum = 0;
      for (int k = 0; k < n; ++k) sum += matrix[row * n + k] * x[k];
      y[row] = sum;
      atomicMax(reinterpret_cast<int*>(&norms[round]), __float_as_int(fabsf(sum)));
    }
    grid.sync();
    for (int row = rank; row < n; row += size) x[row] = y[row] / norms[round];
    cg::sync(grid);
  }
}

__device__ unsigned blocks_done;

/// The last block to finish adds the others' sums.
__global__ void sum_with_last_block(const int* in, volatile int* partial, int* out, int n) {
  __shared__ int cells[128];
  __shared__ bool last;
  int sum = 0;
  for (int i = int(blockIdx.x * blockDim.x + threadIdx.x); i < n;
       i += int(gridDim.x * blockDim.x)) {
    sum += in[i];
  }
  const auto block_sum = [&](int x) {
    cells[threadIdx.x] = x;
    for (unsigned half = blockDim.x / 2; half > 0; half /= 2) {
      __syncthreads();
      if (threadIdx.x < half) cells[threadIdx.x] += cells[threadIdx.x + half];
    }
    __syncthreads();
    return cells[0];
  };
  sum = block_sum(sum);
  if (threadIdx.x == 0) {
    partial[blockIdx.x] = sum;
    __threadfence();
    last = atomicInc(&blocks_done, gridDim.x - 1) == gridDim.x - 1;
  }
  __syncthreads();
  if (!last) return;
  __threadfence();
  const int total = block_sum(threadIdx.x < gridDim.x ? partial[threadIdx.x] : 0);
  if (threadIdx.x == 0) *out = total;
}

/// Each block waits for the one after it: backwards through a resident grid.
__global__ void backwards(volatile int* flags, int* out) {
  const unsigned next = blockIdx.x + 1;
  if (threadIdx.x == 0) {
    while (next < gridDim.x && flags[next] == 0) {
    }
    __threadfence();
    out[blockIdx.x] = next < gridDim.x ? out[next] * 3 + 1 : 1;
    __threadfence();
    flags[blockIdx.x] = 1;
  }
}

void pipes() {
  constexpr int kPipes = 3, kMessages = 11;
  testing::Buffer<Channel> channels(kPipes);
  testing::Buffer<int> out(kPipes * kMessages * kItems);
  channels.fill_bytes(0);
  pipe<<<2 * kPipes, kItems>>>(channels.get(), out.get(), kMessages);
  FINISH_LAUNCH();
  std::vector<int> want;
  for (int p = 0; p < kPipes; ++p) {
    for (int message = 0; message < kMessages; ++message) {
      for (int t = 0; t < kItems; ++t) {
        want.push_back(message * 1000 + (kItems - 1 - t) * (2 * p + 1));
      }
    }
  }
  testing::expect_equal(out.download(), want);
}

void barriers() {
  constexpr int kCount = 1000, kSteps = 9;
  std::vector<int> cells = testing::random_integers(kCount, 100000);
  testing::Buffer<int> a(cells), b(kCount);
  testing::Buffer<GridBarrier> barrier(1);
  barrier.fill_bytes(0);
  heat<<<8, 128>>>(a.get(), b.get(), kCount, kSteps, barrier.get());
  FINISH_LAUNCH();
  for (int step = 0; step < kSteps; ++step) {
    const std::vector<int> old = cells;
    for (std::size_t i = 0; i < kCount; ++i) {
      cells[i] = (old[(i + kCount - 1) % kCount] + 2 * old[i] + old[(i + 1) % kCount]) / 4;
    }
  }
  testing::expect_equal(b.download(), cells);
}

void eigenvector() {
  constexpr int kSize = 60;
  int rounds = 20, n = kSize;
  std::vector<float> matrix(kSize * kSize);
  for (int i = 0; i < kSize; ++i) {
    for (int k = 0; k < kSize; ++k) matrix[std::size_t(i * kSize + k)] = 1.0f / float(i + k + 1);
  }
  const testing::Buffer<float> m(matrix);
  testing::Buffer<float> x(std::vector<float>(kSize, 1)), y(kSize), norms(20);
  norms.fill_bytes(0);
  const float* pm = m.get();
  float *px = x.get(), *py = y.get(), *pn = norms.get();
  void* arguments[] = {&pm, &px, &py, &pn, &n, &rounds};
  CUDA_CHECK(cudaLaunchCooperativeKernel(reinterpret_cast<const void*>(power_iteration), dim3(2),
                                         dim3(32), arguments, 0, nullptr));
  FINISH_LAUNCH();
  std::vector<double> want(kSize, 1);
  double norm = 0;
  for (int round = 0; round < rounds; ++round) {
    std::vector<double> next(kSize);
    norm = 0;
    for (std::size_t i = 0; i < kSize; ++i) {
      for (std::size_t k = 0; k < kSize; ++k) next[i] += double(matrix[i * kSize + k]) * want[k];
      norm = std::max(norm, std::fabs(next[i]));
    }
    for (std::size_t i = 0; i < kSize; ++i) want[i] = next[i] / norm;
  }
  testing::expect_close(x.download(), want, 1e-4);
  EXPECT(std::fabs(norms.download()[19] - norm) < 1e-4);
}

void last_block() {
  for (const int n : {1, 5000, 20001}) {
    const std::vector<int> values = testing::random_integers(std::size_t(n), 1000);
    const testing::Buffer<int> in(values);
    testing::Buffer<int> partial(40), out(1);
    int want = 0;
    for (const int v : values) want += v;
    for (const unsigned blocks : {1u, 13u, 40u}) {
      sum_with_last_block<<<blocks, 128>>>(in.get(), partial.get(), out.get(), n);
      FINISH_LAUNCH();
      EXPECT(out.download()[0] == want);
    }
  }
}

void against_the_order() {
  testing::Buffer<int> flags(16), out(16);
  flags.fill_bytes(0);
  backwards<<<16, 32>>>(flags.get(), out.get());
  FINISH_LAUNCH();
  std::vector<int> want(16, 1);
  for (std::size_t i = 15; i-- > 0;) want[i] = want[i + 1] * 3 + 1;
  testing::expect_equal(out.download(), want);
}

void run() {
  pipes();
  barriers();
  eigenvector();
  last_block();
  against_the_order();
}

}  // namespace

int main(int argc, char** argv) {
  return testing::run_program(argc, argv, run);
}
