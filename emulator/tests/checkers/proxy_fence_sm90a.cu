#include "emulator/tests/checkers/wgmma.h"

// options: --card h200

#define SEND(to, from)                                                                   \
  asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], 512;" ::"l"(to), \
               "r"(shared_address(from))                                                 \
               : "memory")

// Threads write what the tensor cores read, with a barrier but without a fence of the proxy.
template <bool kFences>
__global__ void multiply(float* out) {
  __shared__ Operands operands;
  for (int i = int(threadIdx.x); i < 64 * 16; i += int(blockDim.x)) operands.a[i] = 0x3c00;
  for (int i = int(threadIdx.x); i < 8 * 16; i += int(blockDim.x)) operands.b[i] = 0x3c00;
  if (kFences) PROXY_FENCE();
  __syncthreads();
  float d[4] = {};
  FENCE();
  MULTIPLY(d, describe(operands.a), describe(operands.b));  // expect: proxy-fence P82
  COMMIT();
  WAIT();
  out[threadIdx.x] = d[0];
}

// The same for a copy out of shared memory.
template <bool kFences>
__global__ void send(float* out) {
  __shared__ alignas(16) float tile[128];
  tile[threadIdx.x] = 1;
  if (kFences) PROXY_FENCE();
  __syncthreads();
  if (threadIdx.x == 0) {
    SEND(out, tile);  // expect: proxy-fence P82
    asm volatile("cp.async.bulk.commit_group;\ncp.async.bulk.wait_group 0;" ::: "memory");
  }
}

// The reader's fence after the barrier does as well.
__global__ void send_fenced_by_reader(float* out) {
  __shared__ alignas(16) float tile[128];
  tile[threadIdx.x] = 1;
  __syncthreads();
  if (threadIdx.x == 0) {
    PROXY_FENCE();
    SEND(out, tile);
    asm volatile("cp.async.bulk.commit_group;\ncp.async.bulk.wait_group 0;" ::: "memory");
  }
}

template <bool kFences>
void run() {
  float* out = zeros<float>(128);
  multiply<kFences><<<1, 128>>>(out);
  send<kFences><<<1, 128>>>(out);
  send_fenced_by_reader<<<1, 128>>>(out);
  finish();
  release(out);
}

void bug() {
  run<false>();
}
void clean() {
  run<true>();
}
