#include "emulator/tests/checkers/wgmma.h"

// options: --card h200

// The sums are read while they are still formed.
template <bool kWaits>
__global__ void read_early(float* out) {
  __shared__ Operands operands;
  fill(operands);
  float d[4] = {};
  FENCE();
  MULTIPLY(d, describe(operands.a), describe(operands.b));
  COMMIT();
  if (kWaits) WAIT();
  out[threadIdx.x] = d[0];  // expect: group-registers P84
  WAIT();
}

// One of two groups has been waited for, and it is the other's sums that are read.
template <bool kWaits>
__global__ void read_second(float* out) {
  __shared__ Operands operands;
  fill(operands);
  float d[4] = {}, e[4] = {};
  FENCE();
  MULTIPLY(d, describe(operands.a), describe(operands.b));
  COMMIT();
  MULTIPLY(e, describe(operands.a), describe(operands.b));
  COMMIT();
  asm volatile("wgmma.wait_group.sync.aligned 1;" ::: "memory");
  out[threadIdx.x] = d[0];
  if (kWaits) WAIT();
  out[threadIdx.x + 128] = e[0];  // expect: group-registers P84
  WAIT();
}

// The sums are changed between two products.
template <bool kFences>
__global__ void scale(float* out) {
  __shared__ Operands operands;
  fill(operands);
  float d[4] = {};
  FENCE();
  MULTIPLY(d, describe(operands.a), describe(operands.b));
  COMMIT();
  WAIT();
  for (float& x : d) x = x * 2 + out[threadIdx.x];
  if (kFences) FENCE();
  MULTIPLY(d, describe(operands.a), describe(operands.b));  // expect: group-fence P85
  COMMIT();
  WAIT();
  out[threadIdx.x] = d[0];
}

// A thread writes to an operand that is still read.
template <bool kWaits>
__global__ void overwrite(float* out) {
  __shared__ Operands operands;
  fill(operands);
  float d[4] = {};
  FENCE();
  MULTIPLY(d, describe(operands.a), describe(operands.b));  // expect: group-operand P79
  COMMIT();
  if (kWaits) WAIT();
  __syncthreads();
  if (threadIdx.x == 0) operands.b[0] = 0x4000;
  WAIT();
  out[threadIdx.x] = d[0];
}

// Three of the four warps of a group.
template <int kThreads>
__global__ void leave_out(float* out) {
  __shared__ Operands operands;
  fill(operands);
  float d[4] = {};
  if (threadIdx.x < kThreads) {
    FENCE();
    MULTIPLY(d, describe(operands.a), describe(operands.b));  // expect: warp-group P85
    COMMIT();
    WAIT();
  }
  out[threadIdx.x] = d[0];
}

// Descriptors that differ within a warp.
template <int kThreads>
__global__ void describe_by_thread(float* out) {
  __shared__ Operands operands;
  fill(operands);
  float d[4] = {};
  FENCE();
  const auto b = describe(operands.b) + (threadIdx.x % kThreads) * 0;
  const auto a = describe(operands.a) + (threadIdx.x / kThreads % 2) * 16;
  MULTIPLY(d, a, b);  // expect: matrix-descriptor P86
  COMMIT();
  WAIT();
  out[threadIdx.x] = d[0];
}

template <bool kGood>
void run() {
  float* out = zeros<float>(256);
  read_early<kGood><<<1, 128>>>(out);
  read_second<kGood><<<1, 128>>>(out);
  scale<kGood><<<1, 128>>>(out);
  overwrite<kGood><<<1, 128>>>(out);
  leave_out<kGood ? 128 : 96><<<1, 128>>>(out);
  describe_by_thread<kGood ? 128 : 16><<<1, 128>>>(out);
  finish();
  release(out);
}

void bug() {
  run<false>();
}
void clean() {
  run<true>();
}
