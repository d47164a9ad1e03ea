// Stores to global memory whose values nothing reads.
//
// options: --check all,unused-stores

#include "pair.h"

namespace {

constexpr int kCount = 256;

__global__ void scale(const float* in, float* out, float* factors) {
  const int i = threadIdx.x;
  const float factor = 1.0f + in[i];
  out[i] = factor * in[i];
  factors[i] = factor;  // expect note: unused-store
}

__global__ void first_pass(float* out) {
  out[threadIdx.x] = 1.0f;  // expect note: unused-store
}

/// Overwrites what nothing has read.
__global__ void second_pass(float* out) {
  out[threadIdx.x] = 2.0f;
}

// -- what is read, and where ----------------------------------------------------------------------

__global__ void read_by_kernel(const float* in, float* out) {
  out[threadIdx.x] = in[threadIdx.x];
}

/// Read by another thread of the same kernel.
__global__ void reverse(float* values, float* out) {
  const int i = threadIdx.x;
  values[i] = static_cast<float>(i);
  __syncthreads();
  out[i] = values[kCount - 1 - i];
}

/// Each byte of a word by a store of its own, and the word is read as a whole.
__global__ void store_bytes(unsigned char* bytes) {
  bytes[2 * threadIdx.x] = 1;
  bytes[2 * threadIdx.x + 1] = 2;
}

/// One value of all of them is used.
__global__ void store_all(float* values) {
  values[threadIdx.x] = 3.0f;
}

/// The count is not read, but an atomic is not a store that could be left out.
__global__ void count(int* counter) {
  atomicAdd(counter, 1);
}

__global__ void store_for_host(float* managed) {
  managed[threadIdx.x] = 4.0f;
}

__global__ void store_text(char* text) {
  if (threadIdx.x < 3) text[threadIdx.x] = threadIdx.x < 2 ? 'a' : '\0';
}

__global__ void print_text(const char* text) {
  if (threadIdx.x == 0) printf("%s\n", text);
}

}  // namespace

void bug() {
  float* in = zeros<float>(kCount);
  float* out = zeros<float>(kCount);
  float* factors = zeros<float>(kCount);
  float host[kCount];
  scale<<<1, kCount>>>(in, out, factors);
  look(cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost));
  first_pass<<<1, kCount>>>(out);
  second_pass<<<1, kCount>>>(out);
  look(cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost));
  finish();
  release(in, out, factors);
}

void clean() {
  float* in = zeros<float>(kCount);
  float* out = zeros<float>(kCount);
  float* factors = zeros<float>(kCount);
  int* counter = zeros<int>(1);
  auto* bytes = zeros<unsigned char>(2 * kCount);
  float host[kCount];
  unsigned short pairs[kCount];
  scale<<<1, kCount>>>(in, out, factors);
  read_by_kernel<<<1, kCount>>>(factors, in);
  look(cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost));
  look(cudaMemcpy(factors, in, sizeof host, cudaMemcpyDeviceToDevice));
  reverse<<<1, kCount>>>(in, out);
  look(cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost));
  store_bytes<<<1, kCount>>>(bytes);
  look(cudaMemcpy(pairs, bytes, sizeof pairs, cudaMemcpyDeviceToHost));
  store_all<<<1, kCount>>>(in);
  look(cudaMemcpy(host, in + 7, sizeof *host, cudaMemcpyDeviceToHost));
  count<<<1, kCount>>>(counter);
  float* managed = nullptr;
  look(cudaMallocManaged(&managed, kCount * sizeof(float)));
  store_for_host<<<1, kCount>>>(managed);
  char* text = zeros<char>(3);
  store_text<<<1, 32>>>(text);
  print_text<<<1, 32>>>(text);
  finish();
  release(in, out, factors, counter, bytes, managed, text);
}
