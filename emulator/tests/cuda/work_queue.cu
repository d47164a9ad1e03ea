#include <algorithm>
#include <numeric>

#include "emulator/tests/support/program.h"

// Threads that stay and fetch work: a counter of chunks, a queue that tasks add to, stealing
// between blocks, and the atomics of a whole warp made one.

namespace {

__host__ __device__ int collatz_steps(unsigned long long x) {
  int steps = 0;
  for (; x != 1; ++steps) x = x % 2 == 0 ? x / 2 : 3 * x + 1;
  return steps;
}

/// A warp takes 32 numbers at a time until none is left; lengths differ wildly.
__global__ void collatz(int* out, int n, int* next) {
  const int lane = int(threadIdx.x % 32);
  for (;;) {
    int chunk = 0;
    if (lane == 0) chunk = atomicAdd(next, 32);
    chunk = __shfl_sync(~0u, chunk, 0);
    if (chunk >= n) break;
    if (chunk + lane < n) out[chunk + lane] = collatz_steps((unsigned long long)(chunk + lane) + 1);
  }
}

struct Interval {
  float from, to;
};

struct Queue {
  int head, tail, unfinished;
};

/// Adaptive quadrature: an interval is either good enough or becomes two new tasks. It ends when
/// nothing is in the queue and nobody can add to it.
__global__ void integrate(Interval* tasks, volatile int* ready, Queue* queue, double* total) {
  if (threadIdx.x % 32 != 0) return;
  const auto f = [](float x) { return sqrtf(x); };
  volatile int* const unfinished = &queue->unfinished;
  for (;;) {
    // Reserve a place, then wait until it is filled or all work is done.
    const int mine = atomicAdd(&queue->head, 1);
    while (ready[mine] == 0) {
      if (*unfinished == 0) return;
      __nanosleep(100);
    }
    __threadfence();
    const Interval task = tasks[mine];
    const float middle = 0.5f * (task.from + task.to), width = task.to - task.from;
    const float coarse = 0.5f * width * (f(task.from) + f(task.to));
    const float fine = 0.5f * coarse + 0.5f * width * f(middle);
    if (fabsf(fine - coarse) < 1e-5f * width) {
      atomicAdd(total, double(fine));
    } else {
      const int place = atomicAdd(&queue->tail, 2);
      atomicAdd(&queue->unfinished, 2);
      tasks[place] = {task.from, middle};
      tasks[place + 1] = {middle, task.to};
      __threadfence();
      ready[place] = 1;
      ready[place + 1] = 1;
    }
    __threadfence();
    atomicSub(&queue->unfinished, 1);
  }
}

constexpr int kWorkers = 6, kPerWorker = 40;

/// Each block empties its own list and then the others'; every task is done exactly once.
__global__ void steal(int* tops, int* done, int* stolen) {
  for (unsigned k = 0; k < gridDim.x; ++k) {
    const int victim = int((blockIdx.x + k) % gridDim.x);
    // The first worker's list is much the longest.
    const int length = victim == 0 ? kPerWorker : 3;
    for (;;) {
      __shared__ int task;
      if (threadIdx.x == 0) task = atomicAdd(&tops[victim], 1);
      __syncthreads();
      const int mine = task;
      __syncthreads();
      if (mine >= length) break;
      if (threadIdx.x == unsigned(mine) % blockDim.x) {
        atomicAdd(&done[victim * kPerWorker + mine], 1);
        if (victim != int(blockIdx.x)) atomicAdd(stolen, 1);
      }
    }
  }
}

/// Compaction: one atomic for the lanes that are there.
__global__ void compact(const int* in, int* out, int* count, int n) {
  const int i = int(blockIdx.x * blockDim.x + threadIdx.x);
  if (i >= n || in[i] % 7 != 0) return;
  const unsigned mask = __activemask();
  const int leader = __ffs(int(mask)) - 1;
  const unsigned lane = threadIdx.x % 32;
  int base = 0;
  if (int(lane) == leader) base = atomicAdd(count, __popc(mask));
  base = __shfl_sync(mask, base, leader);
  out[base + __popc(mask & ((1u << lane) - 1))] = in[i];
}

/// A histogram in which equal keys of a warp become one addition.
__global__ void grouped_histogram(const int* in, int* bins, int n) {
  for (int i = int(blockIdx.x * blockDim.x + threadIdx.x); i - int(threadIdx.x % 32) < n;
       i += int(gridDim.x * blockDim.x)) {
    const unsigned there = __ballot_sync(~0u, i < n);
    if (i >= n) break;
    const unsigned same = __match_any_sync(there, in[i]);
    if (__ffs(int(same)) - 1 == int(threadIdx.x % 32)) atomicAdd(&bins[in[i]], __popc(same));
  }
}

void persistent_warps() {
  constexpr int kCount = 3001;
  testing::Buffer<int> out(kCount), next(1);
  next.fill_bytes(0);
  collatz<<<3, 128>>>(out.get(), kCount, next.get());
  FINISH_LAUNCH();
  std::vector<int> want;
  for (int i = 1; i <= kCount; ++i) want.push_back(collatz_steps((unsigned long long)i));
  testing::expect_equal(out.download(), want);
}

void tasks_that_make_tasks() {
  constexpr int kMost = 20000;
  testing::Buffer<Interval> tasks(kMost);
  testing::Buffer<int> ready(kMost);
  testing::Buffer<Queue> queue(std::vector<Queue>{{0, 1, 1}});
  testing::Buffer<double> total(1);
  total.fill_bytes(0);
  ready.fill_bytes(0);
  const Interval whole = {0, 4};
  const int one = 1;
  CUDA_CHECK(cudaMemcpy(tasks.get(), &whole, sizeof whole, cudaMemcpyHostToDevice));
  CUDA_CHECK(cudaMemcpy(ready.get(), &one, sizeof one, cudaMemcpyHostToDevice));
  integrate<<<4, 64>>>(tasks.get(), ready.get(), queue.get(), total.get());
  FINISH_LAUNCH();
  const Queue end = queue.download()[0];
  EXPECT(end.unfinished == 0 && end.tail > 100 && end.tail <= kMost);
  EXPECT(std::fabs(total.download()[0] - 16.0 / 3) < 1e-3);
}

void stealing() {
  testing::Buffer<int> tops(kWorkers), done(kWorkers * kPerWorker), stolen(1);
  for (testing::Buffer<int>* const b : {&tops, &done, &stolen}) b->fill_bytes(0);
  steal<<<kWorkers, 64>>>(tops.get(), done.get(), stolen.get());
  FINISH_LAUNCH();
  std::vector<int> want(kWorkers * kPerWorker);
  for (int w = 0; w < kWorkers; ++w) {
    for (int k = 0; k < (w == 0 ? kPerWorker : 3); ++k) want[std::size_t(w * kPerWorker + k)] = 1;
  }
  testing::expect_equal(done.download(), want);
  EXPECT(stolen.download()[0] <= kPerWorker + 3 * (kWorkers - 1));
}

void aggregated() {
  const std::vector<int> values = testing::random_integers(5000, 21, 2);
  const testing::Buffer<int> in(values);
  testing::Buffer<int> out(5000), count(1), bins(21);
  count.fill_bytes(0);
  bins.fill_bytes(0);
  out.fill_bytes(0);
  compact<<<20, 256>>>(in.get(), out.get(), count.get(), 5000);
  FINISH_LAUNCH();
  std::vector<int> want, want_bins(21), got = out.download();
  for (const int x : values) {
    if (x % 7 == 0) want.push_back(x);
    ++want_bins[std::size_t(x)];
  }
  EXPECT(count.download()[0] == int(want.size()));
  got.resize(want.size());
  std::sort(got.begin(), got.end());
  std::sort(want.begin(), want.end());
  testing::expect_equal(got, want);
  grouped_histogram<<<3, 256>>>(in.get(), bins.get(), 5000);
  FINISH_LAUNCH();
  testing::expect_equal(bins.download(), want_bins);
}

void run() {
  persistent_warps();
  tasks_that_make_tasks();
  stealing();
  aggregated();
}

}  // namespace

int main(int argc, char** argv) {
  return testing::run_program(argc, argv, run);
}
