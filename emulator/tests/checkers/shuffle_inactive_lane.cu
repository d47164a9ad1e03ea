#include "emulator/tests/checkers/pair.h"

// Sums and maxima over warps that are not full. What a lane gets from one that has ended, waits
// elsewhere or does not exist is undefined; it is a mistake where it goes into a result.

namespace ended {

template <bool kStay>
__global__ void maximum(const float* a, float* b, int n) {
  const int i = int(threadIdx.x);
  if (!kStay && i >= n) return;
  float v = i < n ? a[i] : -1e30f;
  for (int d = 16; d > 0; d /= 2) {
    v = fmaxf(v, __shfl_down_sync(0xffffffff, v, d));  // expect: shuffle-inactive-lane P38
  }
  if (i == 0) b[0] = v;
}

template <bool kStay>
void run() {
  float *a = zeros<float>(18), *b = zeros<float>(1);
  maximum<kStay><<<1, 32>>>(a, b, 18);
  finish();
  release(a, b);
}

}  // namespace ended

namespace never_there {

// A block of 50 threads: its second warp has 18 lanes.
template <bool kCount>
__global__ void sum(const float* a, float* b) {
  const int lane = int(threadIdx.x) % 32;
  const int lanes = min(32, int(blockDim.x) - int(threadIdx.x) / 32 * 32);
  float v = a[threadIdx.x];
  for (int d = 16; d > 0; d /= 2) {
    const float other = __shfl_down_sync(0xffffffff, v, d);  // expect: shuffle-inactive-lane P38
    // What comes from beyond the last lane is thrown away.
    if (!kCount || lane + d < lanes) v += other;
  }
  if (lane == 0) b[threadIdx.x / 32] = v;
}

template <bool kCount>
void run() {
  float *a = zeros<float>(50), *b = zeros<float>(2);
  sum<kCount><<<1, 50>>>(a, b);
  finish();
  release(a, b);
}

}  // namespace never_there

namespace elsewhere {

// Half of a warp shuffles among itself; the mask names it, and the source is in the other half.
template <int kFrom>
__global__ void pick(const int* a, int* b) {
  const int i = int(threadIdx.x);
  if (i < 16) b[i] = __shfl_sync(0xffff, a[i], kFrom);  // expect: shuffle-inactive-lane P38
}

template <int kFrom>
void run() {
  int *a = zeros<int>(32), *b = zeros<int>(16);
  pick<kFrom><<<1, 32>>>(a, b);
  finish();
  release(a, b);
}

}  // namespace elsewhere

namespace two_findings {

// The mask is of the moment, and its lanes read from lanes that it leaves out: one instruction, two
// mistakes.
template <bool kStay>
__global__ void sum(float* b, int n) {
  const int i = int(threadIdx.x);
  const unsigned all = __ballot_sync(~0u, kStay || i < n);
  if (!kStay && i >= n) return;
  float v = i < n ? float(i) : 0;
  for (int d = 16; d > 0; d /= 2) {
    const unsigned m = kStay ? all : __activemask();
    v += __shfl_down_sync(m, v, d);  // expect: shuffle-inactive-lane // expect warning: sync-mask
  }
  if (i == 0) b[0] = v;
}

template <bool kStay>
void run() {
  float* b = zeros<float>(1);
  sum<kStay><<<1, 32>>>(b, 17);
  finish();
  release(b);
}

}  // namespace two_findings

namespace unused {

// A tree over 16 lanes of a warp that has no more: lane 0's result is right, and the others' sums,
// which took from beyond lane 15, go nowhere.
__global__ void sum(const int* a, int* b) {
  int v = a[threadIdx.x];
  for (int d = 8; d > 0; d /= 2) v += __shfl_down_sync(0xffff, v, d);
  if (threadIdx.x == 0) b[0] = v;
}

void run() {
  int *a = zeros<int>(16), *b = zeros<int>(1);
  sum<<<1, 16>>>(a, b);
  finish();
  release(a, b);
}

}  // namespace unused

void bug() {
  ended::run<false>();
  never_there::run<false>();
  elsewhere::run<20>();
  two_findings::run<false>();
}
void clean() {
  ended::run<true>();
  never_there::run<true>();
  elsewhere::run<12>();
  two_findings::run<true>();
  unused::run();
}
