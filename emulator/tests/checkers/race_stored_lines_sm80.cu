#include <cooperative_groups.h>
#include <cuda_pipeline.h>

#include "emulator/tests/checkers/pair.h"

// Each block stores whole lines of its own, once, and one more access comes to a line of another
// block's or, in the programs without a race, of its own or of nobody's.

constexpr int kBlocks = 5;
constexpr int kThreads = 64;
constexpr int kCount = kBlocks * kThreads;

__device__ int own() {
  return int(blockIdx.x * kThreads + threadIdx.x);
}

namespace later_read {

__global__ void run(float* c, float* sum, int from) {
  c[own()] = float(threadIdx.x);
  __syncthreads();
  if (blockIdx.x == kBlocks - 1 && threadIdx.x < 32) {
    sum[threadIdx.x] = c[from + threadIdx.x];  // expect: race-global
  }
}

}  // namespace later_read

namespace earlier_read {

__global__ void run(float* c, float* sum, int from) {
  if (blockIdx.x == 0 && threadIdx.x == 0) sum[0] = c[from];  // expect: race-global
  __syncthreads();
  c[own()] = float(threadIdx.x);
}

}  // namespace earlier_read

namespace second_store {

__global__ void run(float* c, int to) {
  c[own()] = float(threadIdx.x);  // expect: race-global
  __syncthreads();
  if (blockIdx.x == 2 && threadIdx.x == 7) c[to] = -1;
}

}  // namespace second_store

namespace same_value {

__global__ void run(float* c, int to) {
  c[own()] = 2;  // expect warning: race-same-value
  __syncthreads();
  if (blockIdx.x == 2 && threadIdx.x < 32) {
    c[to + threadIdx.x] = 2;
  }
}

}  // namespace same_value

namespace update {

__global__ void run(int* c, int at) {
  c[own()] = int(threadIdx.x);  // expect: race-global
  __syncthreads();
  if (blockIdx.x == 4 && threadIdx.x == 0) atomicAdd(&c[at], 1);
}

}  // namespace update

namespace byte {

__global__ void run(int* c, int at) {
  c[own()] = int(threadIdx.x);  // expect: race-global
  __syncthreads();
  if (blockIdx.x == 4 && threadIdx.x == 0) {
    reinterpret_cast<unsigned char*>(c)[at] = 1;
  }
}

}  // namespace byte

namespace vector {

__global__ void run(float* c, int at) {
  c[own()] = float(threadIdx.x);  // expect: race-global
  __syncthreads();
  if (blockIdx.x == 4 && threadIdx.x < 8) {
    reinterpret_cast<float4*>(c + at)[threadIdx.x] = {1, 2, 3, 4};
  }
}

}  // namespace vector

namespace wide {

__global__ void run(float* c, float* sum, int from) {
  reinterpret_cast<float4*>(c)[own()] = {1, 2, 3, 4};
  __syncthreads();
  if (blockIdx.x == kBlocks - 1 && threadIdx.x < 32) {
    sum[threadIdx.x] = c[from + threadIdx.x];  // expect: race-global
  }
}

}  // namespace wide

namespace shifted {

// A line of two warps, or of two blocks.
__global__ void run(float* c, int to) {
  c[own() + 1] = float(threadIdx.x);  // expect: race-global
  __syncthreads();
  if (blockIdx.x == 1 && threadIdx.x == 0) c[to] = -1;
}

}  // namespace shifted

namespace own_update {

__global__ void run(float* c, float* sum, int from) {
  c[own()] += 1;
  __syncthreads();
  if (blockIdx.x == 2 && threadIdx.x == 0) sum[0] = c[from];  // expect: race-global
}

}  // namespace own_update

namespace update_of_another {

__global__ void run(float* c, int distance) {
  c[own()] = c[own() ^ distance] + 1;  // expect: race-global
}

}  // namespace update_of_another

namespace late_update {

// Only the last block stores to what the others read.
__global__ void run(float* c, float* sum, int shift) {
  const float value = c[own()];  // expect: race-global
  if (blockIdx.x == kBlocks - 1) {
    c[(own() + shift) % kCount] = value + 1;
  } else {
    sum[own()] = value;
  }
}

}  // namespace late_update

namespace strides {

// The lines of a block come in no order.
__global__ void run(float* c, int step) {
  for (int i = own(); i < 4 * kCount; i += step) {
    c[i] = float(i + int(blockIdx.x));  // expect: race-global
  }
}

}  // namespace strides

namespace in_block {

// Two warps of a block store one line, some lanes each.
__global__ void run(float* c, int far) {
  const int lane = int(threadIdx.x) % 32;
  if (threadIdx.x < 32 ? lane < 16 : lane >= far) {
    c[blockIdx.x * 32 + lane] = float(threadIdx.x);  // expect: race-global
  }
}

}  // namespace in_block

namespace copy {

__global__ void run(const float* a, float* c, const float* from) {
  __shared__ float tile[kThreads];
  c[own()] = a[own()];
  __syncthreads();
  __pipeline_memcpy_async(&tile[threadIdx.x], &from[threadIdx.x],
                          sizeof(float));  // expect anywhere: race-global
  __pipeline_commit();
  __pipeline_wait_prior(0);
  __syncthreads();
  if (tile[63 - threadIdx.x] > 1) c[own()] = 1;
}

}  // namespace copy

namespace whole_grid {

__global__ void run(float* c, float* d, bool waits) {
  c[own()] = float(threadIdx.x);
  if (waits) cooperative_groups::this_grid().sync();
  d[own()] = c[kCount - 1 - own()];  // expect: race-global
}

void launch(float* c, float* d, bool waits) {
  void* arguments[] = {&c, &d, &waits};
  look(cudaLaunchCooperativeKernel(run, dim3(kBlocks), dim3(kThreads), arguments));
}

}  // namespace whole_grid

namespace again {

// An array of two launches, the second of which has the place of one that is no more.
__global__ void run(float* c, float* sum) {
  if (sum != nullptr) sum[own()] = c[kCount - 1 - own()];
  if (sum == nullptr) c[own()] = 1;
}

void launch() {
  auto* old = zeros<float>(kCount);
  run<<<kBlocks, kThreads>>>(old, nullptr);
  finish();
  release(old);
  float *now = zeros<float>(kCount), *sum = zeros<float>(kCount);
  run<<<kBlocks, kThreads>>>(now, sum);
  finish();
  release(now, sum);
}

}  // namespace again

/// @param meets  the one more access is to a line of another block's
void run_all(bool meets) {
  float *a = zeros<float>(kCount), *c = zeros<float>(kCount + 64), *d = zeros<float>(4 * kCount);
  int* n = zeros<int>(kCount + 64);
  later_read::run<<<kBlocks, kThreads>>>(c, d, meets ? 0 : kCount - 32);
  earlier_read::run<<<kBlocks, kThreads>>>(c, d, meets ? kCount - 1 : 0);
  second_store::run<<<kBlocks, kThreads>>>(c, meets ? 0 : 2 * kThreads + 7);
  same_value::run<<<kBlocks, kThreads>>>(c, meets ? 4 * kThreads : kCount);
  update::run<<<kBlocks, kThreads>>>(n, meets ? 3 * kThreads : kCount);
  byte::run<<<kBlocks, kThreads>>>(n, 4 * (meets ? kThreads - 1 : kCount));
  vector::run<<<kBlocks, kThreads>>>(c, meets ? kThreads : kCount);
  wide::run<<<kBlocks, kThreads>>>(d, c, meets ? 0 : 4 * (kCount - kThreads));
  shifted::run<<<kBlocks, kThreads>>>(c, meets ? kThreads : 0);
  own_update::run<<<kBlocks, kThreads>>>(c, d, meets ? kCount - 1 : 2 * kThreads + 33);
  update_of_another::run<<<kBlocks, kThreads>>>(c, meets ? 32 : 0);
  late_update::run<<<kBlocks, kThreads>>>(c, d, meets ? kThreads : 0);
  strides::run<<<kBlocks, kThreads>>>(d, meets ? kCount - 32 : kCount);
  in_block::run<<<kBlocks, kThreads>>>(c, meets ? 15 : 16);
  copy::run<<<kBlocks, kThreads>>>(a, c, meets ? c : a);
  whole_grid::launch(c, d, !meets);
  finish();
  release(a, c, d, n);
  again::launch();
}

void bug() {
  run_all(true);
}
void clean() {
  run_all(false);
}
