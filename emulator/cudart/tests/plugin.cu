#include <cuda_runtime.h>

// A library that a program loads and unloads.

__device__ int offset = 40;

static __global__ void add(int* out, int value) {
  *out = value + offset;
}

extern "C" int plugin_add(int value) {
  int* device = nullptr;
  int host = 0;
  cudaMalloc(&device, sizeof host);
  add<<<1, 1>>>(device, value);
  if (cudaGetLastError() != cudaSuccess) return -1;
  cudaMemcpy(&host, device, sizeof host, cudaMemcpyDeviceToHost);
  cudaFree(device);
  return host;
}
