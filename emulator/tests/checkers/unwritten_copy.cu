#include "emulator/tests/checkers/pair.h"

// The result is copied back although no kernel wrote it.
// expect on the host warning: unwritten-copy
void run(bool write) {
  int* a = nullptr;
  int host[32];
  if (cudaMalloc(&a, sizeof host) != cudaSuccess) return;
  if (write && cudaMemset(a, 0, sizeof host) != cudaSuccess) return;
  if (cudaMemcpy(host, a, sizeof host, cudaMemcpyDeviceToHost) != cudaSuccess) return;
  release(a);
}

// No thread writes what lies between the members of a struct.
struct Pair {
  int value;
  long place;
};
__global__ void find(Pair* pair) {
  pair->value = 3;
  pair->place = 5;
}

void find_and_copy() {
  Pair* device = nullptr;
  Pair host;
  if (cudaMalloc(&device, sizeof host) != cudaSuccess) return;
  find<<<1, 1>>>(device);
  look(cudaMemcpyAsync(&host, device, sizeof host, cudaMemcpyDeviceToHost));
  finish();
  release(device);
}

// A member that was forgotten is not padding.
struct Sample {
  int number;
  char kind;
  double value;
  float weight;
};

template <bool kAll>
__global__ void fill(Sample* samples) {
  Sample& sample = samples[threadIdx.x];
  sample.number = int(threadIdx.x);
  sample.kind = 'x';
  if (kAll) sample.value = 0.5;
  sample.weight = 1;
}

// Every second element is not padding either.
__global__ void fill_even(int* a) {
  a[2 * threadIdx.x] = 1;
}

// expect on the host warning: unwritten-copy
// expect on the host warning: unwritten-copy
template <bool kAll>
void copy_samples() {
  Sample *device = nullptr, host[32];
  if (cudaMalloc(&device, sizeof host) != cudaSuccess) return;
  fill<kAll><<<1, 32>>>(device);
  look(cudaMemcpy(host, device, sizeof host, cudaMemcpyDeviceToHost));
  int *numbers = nullptr, even[64];
  if (cudaMalloc(&numbers, sizeof even) != cudaSuccess) return;
  if (!kAll) fill_even<<<1, 32>>>(numbers);
  if (!kAll) look(cudaMemcpy(even, numbers, sizeof even, cudaMemcpyDeviceToHost));
  finish();
  release(device, numbers);
}

void bug() {
  run(false);
  copy_samples<false>();
}
void clean() {
  run(true);
  copy_samples<true>();
  find_and_copy();
}
