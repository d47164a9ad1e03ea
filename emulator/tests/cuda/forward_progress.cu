#include <cooperative_groups.h>

#include <cstdio>
#include <cstring>

#include "emulator/tests/support/program.h"

// Threads that wait for threads: lanes for lanes of their warp, warps for warps, blocks for earlier
// blocks and for all blocks. With the argument `order`, prints instead what depends on the order in
// which threads happen to run; see tests/schedule.

namespace {

namespace cg = cooperative_groups;
constexpr unsigned kAll = 0xffffffffu;

/// Each lane takes the lock by itself; lanes that fail have to let the holder go on.
__global__ void count_under_lock(int* lock, volatile int* count) {
  for (bool done = false; !done;) {
    if (atomicCAS(lock, 0, 1) == 0) {
      *count = *count + 1;
      __threadfence();
      atomicExch(lock, 0);
      done = true;
    }
  }
}

/// The lock as it is usually written wrong for older cards: the loop itself has no way out but
/// success, so lanes of one warp must make progress independently.
__global__ void spin_then_work(int* lock, volatile int* count) {
  while (atomicCAS(lock, 0, 1) != 0) {
  }
  __threadfence();
  *count = *count + 1;
  __threadfence();
  atomicExch(lock, 0);
}

/// Odd lanes wait for their even neighbours' message, and answer.
__global__ void lanes_talk(volatile int* mailbox, int* out) {
  const int lane = int(threadIdx.x);
  volatile int* cell = mailbox + 2 * (lane / 2);
  if (lane % 2 == 0) {
    cell[0] = lane + 1;
    __threadfence();
    while (cell[1] == 0) {
    }
    out[lane] = cell[1];
  } else {
    while (cell[0] == 0) {
    }
    out[lane] = cell[0];
    __threadfence();
    cell[1] = 2 * lane + 1;
  }
}

/// Lanes meet at different __syncwarp() calls, and in masked collectives inside of branches.
__global__ void meet_across_branches(int* out) {
  __shared__ int cells[32];
  const int lane = int(threadIdx.x);
  const unsigned odd = __ballot_sync(kAll, lane % 2 == 1);
  int sum = 0;
  if (lane % 2 == 1) {
    cells[lane] = lane;
    __syncwarp();
    sum = cells[lane - 1];
    for (int step = 16; step > 1; step /= 2) sum += __shfl_xor_sync(odd, sum, step);
  } else {
    cells[lane] = 100 + lane;
    __syncwarp();
    sum = cells[lane + 1];
    if (lane % 4 == 0) {
      sum += int(__popc(__ballot_sync(0x11111111u, sum > 8)));
    } else {
      sum += __any_sync(0x44444444u, lane == 30) ? 1000 : 0;
    }
  }
  out[lane] = sum;
}

/// A warp waits for another one of its block.
__global__ void warps_in_a_chain(int* out) {
  __shared__ volatile int turn;
  if (threadIdx.x == 0) turn = 7;
  __syncthreads();
  const int warp = int(threadIdx.x) / 32;
  if (threadIdx.x % 32 == 0) {
    while (turn != warp) {
    }
    out[warp] = 7 - warp;
    __threadfence_block();
    turn = warp - 1;
  }
}

/// Block i goes on when block i - 1 has published its sum.
__global__ void chained_sum(const int* in, volatile int* sums, volatile int* ready, int* out) {
  const int block = int(blockIdx.x);
  if (threadIdx.x == 0) {
    int before = 0;
    if (block > 0) {
      while (ready[block - 1] == 0) {
      }
      __threadfence();
      before = sums[block - 1];
    }
    sums[block] = before + in[block];
    __threadfence();
    ready[block] = 1;
    out[block] = before;
  }
}

/// The blocks that started last do the work that the first ones wait for.
__global__ void wait_for_the_last(volatile int* arrived, int* out) {
  if (threadIdx.x == 0) {
    atomicAdd(const_cast<int*>(arrived), 1);
    while (*arrived < int(gridDim.x)) {
    }
    out[blockIdx.x] = *arrived;
  }
}

/// Three phases of all blocks, each of which reads what another block wrote in the one before.
__global__ void hand_written_barrier(int* values, unsigned* counter) {
  const unsigned blocks = gridDim.x;
  for (unsigned phase = 1; phase <= 3; ++phase) {
    const int mine = values[(phase - 1) * blocks + (blockIdx.x + 1) % blocks];
    if (threadIdx.x == 0) values[phase * blocks + blockIdx.x] = mine + 1;
    __syncthreads();
    if (threadIdx.x == 0) {
      __threadfence();
      atomicAdd(counter, 1u);
      while (*static_cast<volatile unsigned*>(counter) < phase * blocks) {
      }
      __threadfence();
    }
    __syncthreads();
  }
}

__global__ void grid_barrier(int* values) {
  const cg::grid_group grid = cg::this_grid();
  const unsigned blocks = gridDim.x;
  for (unsigned phase = 1; phase <= 3; ++phase) {
    if (threadIdx.x == 0) {
      values[phase * blocks + blockIdx.x] =
          values[(phase - 1) * blocks + (blockIdx.x + 1) % blocks] + 1;
    }
    grid.sync();
  }
}

/// Sums of floats depend on the order of their summands.
__global__ void sum_floats(float* sum) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  atomicAdd(sum, 1.0f / float(i + 1));
}

/// Who comes first?
__global__ void note_order(int* next, int* order) {
  if (threadIdx.x % 32 == 0) order[atomicAdd(next, 1)] = int(blockIdx.x * 8 + threadIdx.x / 32);
}

void check_phases(const std::vector<int>& values, std::size_t blocks) {
  std::vector<int> want(values.size(), 0);
  for (std::size_t phase = 1; phase <= 3; ++phase) {
    for (std::size_t b = 0; b < blocks; ++b) want[phase * blocks + b] = int(phase);
  }
  testing::expect_equal(values, want);
}

void lanes() {
  testing::Buffer<int> lock(1), count(1);
  lock.fill_bytes(0);
  count.fill_bytes(0);
  count_under_lock<<<4, 64>>>(lock.get(), count.get());
  FINISH_LAUNCH();
  EXPECT(count.download()[0] == 256);
  spin_then_work<<<2, 64>>>(lock.get(), count.get());
  FINISH_LAUNCH();
  EXPECT(count.download()[0] == 384);

  testing::Buffer<int> mailbox(32), out(32);
  mailbox.fill_bytes(0);
  lanes_talk<<<1, 32>>>(mailbox.get(), out.get());
  FINISH_LAUNCH();
  const std::vector<int> talked = out.download();
  for (int lane = 0; lane < 32; ++lane) {
    EXPECT(talked[std::size_t(lane)] == (lane % 2 == 0 ? 2 * (lane + 1) + 1 : lane));
  }
  meet_across_branches<<<1, 32>>>(out.get());
  FINISH_LAUNCH();
  const std::vector<int> met = out.download();
  EXPECT(met[1] == 1840);  // the even neighbours' 100 + lane, over all 16
  EXPECT(met[4] == 5 + 6);  // 6 of the neighbours 1, 5, ..., 29 are above 8
  EXPECT(met[2] == 1003);
  testing::Buffer<int> chain(8);
  warps_in_a_chain<<<1, 256>>>(chain.get());
  FINISH_LAUNCH();
  testing::expect_equal(chain.download(), {7, 6, 5, 4, 3, 2, 1, 0});
}

void blocks() {
  constexpr int kBlocks = 96;
  const std::vector<int> in(kBlocks, 3);
  testing::Buffer<int> device_in(in), sums(kBlocks), ready(kBlocks), out(kBlocks);
  ready.fill_bytes(0);
  chained_sum<<<kBlocks, 64>>>(device_in.get(), sums.get(), ready.get(), out.get());
  FINISH_LAUNCH();
  std::vector<int> want;
  for (int b = 0; b < kBlocks; ++b) want.push_back(3 * b);
  testing::expect_equal(out.download(), want);

  testing::Buffer<int> arrived(1);
  arrived.fill_bytes(0);
  wait_for_the_last<<<kBlocks, 32>>>(arrived.get(), out.get());
  FINISH_LAUNCH();
  testing::expect_equal(out.download(), std::vector<int>(kBlocks, kBlocks));

  constexpr std::size_t kResident = 40;
  testing::Buffer<int> values(4 * kResident);
  testing::Buffer<unsigned> counter(1);
  values.fill_bytes(0);
  counter.fill_bytes(0);
  hand_written_barrier<<<kResident, 64>>>(values.get(), counter.get());
  FINISH_LAUNCH();
  check_phases(values.download(), kResident);

  values.fill_bytes(0);
  int* pointer = values.get();
  void* arguments[] = {&pointer};
  CUDA_CHECK(cudaLaunchCooperativeKernel(reinterpret_cast<const void*>(grid_barrier),
                                         dim3(kResident), dim3(64), arguments, 0, nullptr));
  FINISH_LAUNCH();
  check_phases(values.download(), kResident);
}

/// What is different with another schedule, in figures that a test can compare.
int print_order() {
  testing::Buffer<float> sum(1);
  testing::Buffer<int> next(1), order(64);
  sum.fill_bytes(0);
  next.fill_bytes(0);
  sum_floats<<<64, 128>>>(sum.get());
  note_order<<<8, 256>>>(next.get(), order.get());
  FINISH_LAUNCH();
  std::printf("%a\n", double(sum.download()[0]));
  for (const int who : order.download()) std::printf("%d ", who);
  std::printf("\n");
  return 0;
}

void run() {
  lanes();
  blocks();
}

}  // namespace

int main(int argc, char** argv) {
  if (argc == 2 && std::strcmp(argv[1], "order") == 0) return print_order();
  return testing::run_program(argc, argv, run);
}
