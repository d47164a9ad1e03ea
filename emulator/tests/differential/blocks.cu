#include "emulator/tests/differential/kernel.h"

// Threads of a block and blocks of a grid: barriers, shapes, special registers, single-pass
// cooperation between blocks.

namespace differential {
namespace {

using S = std::int32_t;
using U = std::uint32_t;

/// Registers a launch without input: `kernel(out)`; element i of `out` must be `model(i)`.
template <class R, class Model>
void add_shape(Suite& suite, std::string name, void (*kernel)(R*), Shape shape, std::size_t outputs,
               Model model) {
  suite.add(std::move(name), [=] {
    testing::Buffer<R> out(outputs);
    out.fill_bytes(0);
    kernel<<<shape.grid, shape.block, shape.shared>>>(out.get());
    FINISH_LAUNCH();
    std::vector<R> want(outputs);
    for (std::size_t i = 0; i < outputs; ++i) want[i] = model(U(i));
    require_agreement(out.download(), want);
  });
}

// Shapes ------------------------------------------------------------------------------------------

__device__ U linear_thread() {
  return (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
}

__device__ U linear_block() {
  return (blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;
}

/// Every thread writes who it is at its own place.
__global__ void coordinates(U* out) {
  const U threads = blockDim.x * blockDim.y * blockDim.z;
  const U i = linear_block() * threads + linear_thread();
  out[i] = threadIdx.x | threadIdx.y << 8 | threadIdx.z << 16 | blockIdx.x << 20 |
           blockIdx.y << 24 | blockIdx.z << 28;
}

/// Warp and lane as the hardware numbers them, against the linear thread index.
__global__ void warps_and_lanes(U* out) {
  U lane;
  asm volatile("mov.u32 %0, %%laneid;" : "=r"(lane));
  const U i = linear_thread();
  // Threads of one warp share a vote.
  const U first = __shfl_sync(__activemask(), i, 0);
  out[i] = lane | first << 8;
}

__global__ void shape_registers(U* out) {
  out[linear_block()] = gridDim.x + 10 * gridDim.y + 100 * gridDim.z + 1000 * blockDim.x +
                        10000 * blockDim.y + 100000 * blockDim.z;
}

__global__ void grid_stride(U* out) {
  for (U i = blockIdx.x * blockDim.x + threadIdx.x; i < 1000; i += gridDim.x * blockDim.x) {
    out[i] = i * i;
  }
}

void add_coordinates(Suite& suite, const char* name, dim3 grid, dim3 block) {
  const U threads = block.x * block.y * block.z;
  add_shape(suite, std::string("coordinates in ") + name, coordinates,
            {.grid = grid, .block = block}, std::size_t{grid.x} * grid.y * grid.z * threads,
            [=](U i) {
              const U t = i % threads, b = i / threads;
              return t % block.x | t / block.x % block.y << 8 | t / (block.x * block.y) << 16 |
                     b % grid.x << 20 | b / grid.x % grid.y << 24 | b / (grid.x * grid.y) << 28;
            });
  add_shape(suite, std::string("warps and lanes in ") + name, warps_and_lanes,
            {.grid = 1, .block = block}, threads, [](U i) { return i % 32 | i / 32 * 32 << 8; });
}

// Barriers ----------------------------------------------------------------------------------------

/// Each round reads what another thread wrote in the last one.
template <int Threads>
__global__ void rounds(U* out) {
  __shared__ U cells[Threads];
  const U i = threadIdx.x;
  cells[i] = i;
  for (int round = 0; round < 20; ++round) {
    __syncthreads();
    const U next = cells[(i * 7 + 3) % Threads] * 3 + U(round);
    __syncthreads();
    cells[i] = next;
  }
  out[i] = cells[i];
}

template <int Threads>
U rounds_model(U i) {
  std::vector<U> cells(Threads), next(Threads);
  for (U j = 0; j < Threads; ++j) cells[j] = j;
  for (U round = 0; round < 20; ++round) {
    for (U j = 0; j < Threads; ++j) next[j] = cells[(j * 7 + 3) % Threads] * 3 + round;
    cells = next;
  }
  return cells[i];
}

/// A barrier in a loop whose length is the same in the block but not known at compile time, and
/// work of different length before each.
__global__ void barrier_in_loop(U* out) {
  __shared__ U sum;
  if (threadIdx.x == 0) sum = 0;
  const U count = 3 + blockIdx.x;
  for (U round = 0; round < count; ++round) {
    __syncthreads();
    U work = 1;
    for (U i = 0; i < threadIdx.x % 5; ++i) work += i;
    if (threadIdx.x == round) sum = sum * 2 + work;
    __syncthreads();
  }
  if (threadIdx.x == 0) out[blockIdx.x] = sum;
}

__global__ void sync_and_count(int* out) {
  const int i = int(threadIdx.x);
  out[i] = __syncthreads_count(i % 3 == 0) + 1000 * __syncthreads_count(i < 10);
}

__global__ void sync_and_vote(int* out) {
  const int i = int(threadIdx.x);
  out[i] = (__syncthreads_and(i < 100) != 0) + 2 * (__syncthreads_and(i < 99) != 0) +
           4 * (__syncthreads_or(i == 77) != 0) + 8 * (__syncthreads_or(i > 99) != 0);
}

/// Named barriers: two producer warps and two consumer warps.
__global__ void named_barriers(U* out) {
  __shared__ U cells[64];
  const U i = threadIdx.x;
  if (i < 64) {
    for (U round = 0; round < 3; ++round) {
      asm volatile("bar.sync 1, 128;" ::: "memory");  // consumers are ready
      cells[i] = i * 10 + round;
      asm volatile("bar.arrive 2, 128;" ::: "memory");
    }
  } else {
    U sum = 0;
    for (U round = 0; round < 3; ++round) {
      asm volatile("bar.arrive 1, 128;" ::: "memory");
      asm volatile("bar.sync 2, 128;" ::: "memory");
      sum = sum * 5 + cells[127 - i];
    }
    out[i - 64] = sum;
  }
}

/// A barrier for part of the block: the first two warps only.
__global__ void partial_barrier(U* out) {
  __shared__ U cells[64];
  const U i = threadIdx.x;
  if (i >= 64) {
    out[i] = i;
    return;
  }
  cells[i] = i * 3;
  asm volatile("bar.sync 3, 64;" ::: "memory");
  out[i] = cells[63 - i];
}

/// Threads that have left count as having arrived.
__global__ void leave_before_barrier(U* out) {
  __shared__ U cells[32];
  const U i = threadIdx.x;
  if (i >= 32) return;  // whole warps leave
  cells[i] = i + 1;
  __syncthreads();
  out[i] = cells[31 - i];
}

__global__ void reduction_tree(U* out) {
  __shared__ U cells[256];
  const U i = threadIdx.x;
  cells[i] = (blockIdx.x + 1) * i;
  __syncthreads();
  for (U by = 128; by > 0; by /= 2) {
    if (i < by) cells[i] += cells[i + by];
    __syncthreads();
  }
  if (i == 0) out[blockIdx.x] = cells[0];
}

// Between blocks ----------------------------------------------------------------------------------

__device__ U blocks_done;

/// The last block to finish adds up what all of them wrote.
__global__ void last_block_sums(U* out) {
  __shared__ bool last;
  if (threadIdx.x == 0) {
    out[1 + blockIdx.x] = blockIdx.x * blockIdx.x;
    __threadfence();
    last = atomicInc(&blocks_done, gridDim.x - 1) == gridDim.x - 1;
  }
  __syncthreads();
  if (!last || threadIdx.x != 0) return;
  __threadfence();
  U sum = 0;
  volatile U* written = out;
  for (U i = 0; i < gridDim.x; ++i) sum += written[1 + i];
  out[0] = sum;
}

__device__ U next_ticket;

/// Blocks wait for the block before them, in the order in which they drew a ticket.
__global__ void chained_blocks(U* out) {
  if (threadIdx.x != 0) return;
  const U ticket = atomicAdd(&next_ticket, 1);
  volatile U* slots = out;
  U before = 1;
  if (ticket > 0) {
    while ((before = slots[ticket - 1]) == 0) {
    }
  }
  slots[ticket] = before * 3 + 1;
  __threadfence();
  if (ticket == gridDim.x - 1) atomicExch(&next_ticket, 0);
}

U chain(U i) {
  return i == 0 ? 4 : chain(i - 1) * 3 + 1;
}

// Registers ---------------------------------------------------------------------------------------

__global__ void clocks(U* out) {
  const long long start = clock64();
  U sum = 0;
  for (U i = 0; i < 100 + threadIdx.x; ++i) sum = sum * 3 + out[threadIdx.x] + i;
  const long long end = clock64();
  const clock_t narrow = clock();
  std::uint64_t nanoseconds;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(nanoseconds));
  out[threadIdx.x] = (end > start) + 2 * (nanoseconds > 0) + 4 * (narrow == clock_t(-1)) + 0 * sum;
}

__global__ void hardware_place(U* out) {
  U sm, sms, warp, warps;
  asm volatile("mov.u32 %0, %%smid;" : "=r"(sm));
  asm volatile("mov.u32 %0, %%nsmid;" : "=r"(sms));
  asm volatile("mov.u32 %0, %%warpid;" : "=r"(warp));
  asm volatile("mov.u32 %0, %%nwarpid;" : "=r"(warps));
  out[blockIdx.x * blockDim.x + threadIdx.x] = (sm < sms) + 2 * (warp < warps) + 4 * warpSize;
}

__global__ void shared_sizes(U* out) {
  extern __shared__ unsigned char buffer[];
  __shared__ U fixed[5];
  U dynamic_bytes, total_bytes;
  asm volatile("mov.u32 %0, %%dynamic_smem_size;" : "=r"(dynamic_bytes));
  asm volatile("mov.u32 %0, %%total_smem_size;" : "=r"(total_bytes));
  if (threadIdx.x < 5) fixed[threadIdx.x] = threadIdx.x;
  buffer[threadIdx.x] = static_cast<unsigned char>(threadIdx.x);
  __syncthreads();
  out[threadIdx.x] = dynamic_bytes + 1000 * (total_bytes >= dynamic_bytes + 20) +
                     10000 * fixed[threadIdx.x % 5] + 100000 * buffer[31 - threadIdx.x];
}

}  // namespace

void register_cases(Suite& suite) {
  add_coordinates(suite, "one dimension", 5, 96);
  add_coordinates(suite, "one dimension, ragged", 7, 45);
  add_coordinates(suite, "blocks of one", 10, 1);
  add_coordinates(suite, "a full block", 2, 1024);
  add_coordinates(suite, "two dimensions", dim3(3, 2), dim3(16, 8));
  add_coordinates(suite, "two dimensions, ragged", dim3(2, 5), dim3(7, 9));
  add_coordinates(suite, "three dimensions", dim3(2, 3, 4), dim3(8, 4, 2));
  add_coordinates(suite, "three dimensions, ragged", dim3(3, 1, 2), dim3(5, 3, 7));
  add_coordinates(suite, "a tall block", dim3(1, 4), dim3(1, 33, 3));
  add_shape(suite, "shape registers", shape_registers,
            {.grid = dim3(2, 3, 4), .block = dim3(5, 6, 7)}, 24,
            [](U) { return 2 + 30 + 400 + 5000 + 60000 + 700000u; });
  add_shape(suite, "grid stride", grid_stride, {.grid = 3, .block = 70}, 1000,
            [](U i) { return i * i; });

  add_shape(suite, "barriers, one warp", rounds<32>, {.block = 32}, 32, rounds_model<32>);
  add_shape(suite, "barriers, part of a warp", rounds<13>, {.block = 13}, 13, rounds_model<13>);
  add_shape(suite, "barriers, ragged block", rounds<100>, {.block = 100}, 100, rounds_model<100>);
  add_shape(suite, "barriers, full block", rounds<1024>, {.block = 1024}, 1024, rounds_model<1024>);
  add_shape(suite, "barrier in a loop", barrier_in_loop, {.grid = 4, .block = 48}, 4, [](U block) {
    U sum = 0;
    for (U round = 0; round < 3 + block; ++round) {
      U work = 1;
      for (U i = 0; i < round % 5; ++i) work += i;
      sum = sum * 2 + work;
    }
    return sum;
  });
  add_shape(suite, "__syncthreads_count", sync_and_count, {.block = 100}, 100,
            [](U) { return 34 + 1000 * 10; });
  add_shape(suite, "__syncthreads_and and _or", sync_and_vote, {.block = 100}, 100,
            [](U) { return 1 + 4; });
  add_shape(suite, "named barriers", named_barriers, {.block = 128}, 64, [](U i) {
    U sum = 0;
    for (U round = 0; round < 3; ++round) sum = sum * 5 + (63 - i) * 10 + round;
    return sum;
  });
  add_shape(suite, "barrier of part of the block", partial_barrier, {.block = 96}, 96,
            [](U i) { return i < 64 ? (63 - i) * 3 : i; });
  add_shape(suite, "whole warps leave before a barrier", leave_before_barrier, {.block = 128}, 32,
            [](U i) { return 32 - i; });
  add_shape(suite, "reduction tree", reduction_tree, {.grid = 5, .block = 256}, 5,
            [](U block) { return (block + 1) * (255 * 256 / 2); });

  add_shape(suite, "last block sums", last_block_sums, {.grid = 50, .block = 64}, 51,
            [](U i) { return i == 0 ? 49u * 50 * 99 / 6 : (i - 1) * (i - 1); });
  add_shape(suite, "last block sums, again", last_block_sums, {.grid = 20, .block = 32}, 21,
            [](U i) { return i == 0 ? 19u * 20 * 39 / 6 : (i - 1) * (i - 1); });
  add_shape(suite, "blocks that wait for blocks", chained_blocks, {.grid = 60, .block = 32}, 60,
            chain);
  add_shape(suite, "blocks that wait for blocks, again", chained_blocks, {.grid = 9, .block = 64},
            9, chain);

  add_shape(suite, "clocks advance", clocks, {.block = 64}, 64, [](U) { return 3u; });
  add_shape(suite, "place on the hardware", hardware_place, {.grid = 6, .block = 96}, 576,
            [](U) { return 3u + 128; });
  add_shape(suite, "shared memory sizes", shared_sizes, {.block = 32, .shared = 100}, 32,
            [](U i) { return 1100u + 10000 * (i % 5) + 100000 * (31 - i); });
}

}  // namespace differential
