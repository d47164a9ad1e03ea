#include "emulator/tests/checkers/pair.h"

// Several threads write one place.

namespace same_value {

// Every warp stores the flag. The value is the same; who stores it is not.
template <bool kOne>
__global__ void any_positive(const int* a, int* b) {
  __shared__ int found;
  const int i = int(threadIdx.x);
  if (i == 0) found = 0;
  __syncthreads();
  if (a[i] >= 0 && (!kOne || i == 0)) {
    found = 1;  // expect warning: race-same-value
  }
  __syncthreads();
  b[i] = found;
}

template <bool kOne>
void run() {
  int *a = zeros<int>(128), *b = zeros<int>(128);
  any_positive<kOne><<<1, 128>>>(a, b);
  finish();
  release(a, b);
}

}  // namespace same_value

namespace bytes {

// Neighbouring bytes are places of their own; the same byte is not.
__global__ void spread(int* b, int by) {
  __shared__ unsigned char bytes[256];
  const int i = int(threadIdx.x);
  bytes[i / by] = static_cast<unsigned char>(i);  // expect: race-shared
  __syncthreads();
  b[i] = bytes[i / by];
}

void run(int by) {
  int* b = zeros<int>(256);
  spread<<<1, 256>>>(b, by);
  finish();
  release(b);
}

}  // namespace bytes

namespace histogram {

// Plain increments lose counts; atomics do not.
template <bool kAtomic>
__global__ void histogram(const unsigned char* a, unsigned* b) {
  __shared__ unsigned bins[16];
  const int i = int(threadIdx.x);
  if (i < 16) bins[i] = 0;
  __syncthreads();
  if (kAtomic) {
    atomicAdd(&bins[a[i] % 16], 1u);
  } else {
    bins[a[i] % 16] += 1;  // expect: race-shared P30
  }
  __syncthreads();
  if (i < 16) b[i] = bins[i];
}

template <bool kAtomic>
void run() {
  unsigned char* a = zeros<unsigned char>(128);
  unsigned* b = zeros<unsigned>(16);
  histogram<kAtomic><<<1, 128>>>(a, b);
  finish();
  release(a, b);
}

}  // namespace histogram

namespace atomic_read {

// A counter that only atomics change, read before all threads are done.
template <bool kBarrier>
__global__ void count(const int* a, int* b) {
  __shared__ int counter;
  const int i = int(threadIdx.x);
  if (i == 0) counter = 0;
  __syncthreads();
  if (a[i] == 0) atomicAdd(&counter, 1);
  if (kBarrier) __syncthreads();
  if (i == 255) *b = counter;  // expect: race-shared // expect warning: warp-synchronous
}

template <bool kBarrier>
void run() {
  int *a = zeros<int>(256), *b = zeros<int>(1);
  count<kBarrier><<<1, 256>>>(a, b);
  finish();
  release(a, b);
}

}  // namespace atomic_read

namespace one_bin {

// Every bin is set to zero by one thread, and all threads count in one of them. The counting of the
// warp that set it does not hide that the others may count before.
template <bool kBarrier>
__global__ void count(int* b) {
  __shared__ int bins[128];
  const int i = int(threadIdx.x);
  bins[i] = 0;  // expect: race-shared P22 // expect warning: warp-synchronous
  if (kBarrier) __syncthreads();
  atomicAdd(&bins[7], 1);
  __syncthreads();
  b[i] = bins[i];
}

template <bool kBarrier>
void run() {
  int* b = zeros<int>(128);
  count<kBarrier><<<1, 128>>>(b);
  finish();
  release(b);
}

}  // namespace one_bin

namespace agreed_value {

// The lanes of a warp read a place, meet, and store one value there. Where each of them has added
// to what it read, only one addition is left.
enum class Stored { constant, sum_of_warp, own_sum };

template <Stored kStored>
__global__ void store(int* b) {
  __shared__ int total;
  const int i = int(threadIdx.x);
  if (i == 0) total = b[0];
  __syncthreads();
  const int before = total;
  b[i] = before;
  int sum = 1;
  for (int by = 16; by > 0; by /= 2) sum += __shfl_xor_sync(~0u, sum, by);
  __syncwarp();
  if (kStored == Stored::constant) total = 5;
  if (kStored == Stored::sum_of_warp) total = before + sum;
  if (kStored == Stored::own_sum) total = before + 1;  // expect: race-shared P30
  __syncthreads();
  b[i] += total;
}

template <Stored kStored>
void run() {
  int* b = zeros<int>(32);
  store<kStored><<<1, 32>>>(b);
  finish();
  release(b);
}

// Without a meeting in between, some lanes may still read while others already store.
template <bool kMeet>
__global__ void reset(int* b) {
  __shared__ int total;
  const int i = int(threadIdx.x);
  if (i == 0) total = b[0];
  __syncthreads();
  b[i] = total;  // expect warning: warp-synchronous
  if (kMeet) __syncwarp();
  total = 5;
  __syncthreads();
  b[i] += total;
}

template <bool kMeet>
void run_reset() {
  int* b = zeros<int>(32);
  reset<kMeet><<<1, 32>>>(b);
  finish();
  release(b);
}

}  // namespace agreed_value

void bug() {
  agreed_value::run<agreed_value::Stored::own_sum>();
  agreed_value::run_reset<false>();
  same_value::run<false>();
  bytes::run(256);
  histogram::run<false>();
  atomic_read::run<false>();
  one_bin::run<false>();
}
void clean() {
  agreed_value::run<agreed_value::Stored::constant>();
  agreed_value::run<agreed_value::Stored::sum_of_warp>();
  agreed_value::run_reset<true>();
  same_value::run<true>();
  bytes::run(1);
  histogram::run<true>();
  atomic_read::run<true>();
  one_bin::run<true>();
}
