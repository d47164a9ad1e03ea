#include "heat.h"

__global__ void add(float* state, const float* rise, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) state[i] += rise[i];
}

__global__ void twice(const float* state, float* result, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) result[i] = 2 * state[i];
}

void heat_begin(const float* start, float* state, int n) {
  cudaMemcpyAsync(state, start, n * sizeof(float), cudaMemcpyHostToDevice);
}

void heat_step(float* state, const float* rise, int n) {
  add<<<(n + 63) / 64, 64>>>(state, rise, n);
}

void heat_end(float* state, float* result, int n) {
  twice<<<(n + 63) / 64, 64>>>(state, result, n);
  cudaDeviceSynchronize();
}
