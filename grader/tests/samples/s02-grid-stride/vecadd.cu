#include <cuda_runtime.h>
#include <stdio.h>
#include <stdlib.h>

#include "vecadd.h"

// from the lecture: never call CUDA without this
#define CHECK(call)                                                                  \
  do {                                                                               \
    cudaError_t err = (call);                                                        \
    if (err != cudaSuccess) {                                                        \
      fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(err));   \
      exit(1);                                                                       \
    }                                                                                \
  } while (0)

__global__ void add(const float* __restrict__ a, const float* __restrict__ b,
                    float* __restrict__ c, int n) {
  int stride = gridDim.x * blockDim.x;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += stride) {
    c[i] = a[i] + b[i];
  }
}

void vecadd(const float* a, const float* b, float* c, int n) {
  if (n <= 0) return;
  const size_t size = sizeof(float) * (size_t)n;

  float* dev_a = NULL;
  float* dev_b = NULL;
  float* dev_c = NULL;
  CHECK(cudaMalloc((void**)&dev_a, size));
  CHECK(cudaMalloc((void**)&dev_b, size));
  CHECK(cudaMalloc((void**)&dev_c, size));
  CHECK(cudaMemcpy(dev_a, a, size, cudaMemcpyHostToDevice));
  CHECK(cudaMemcpy(dev_b, b, size, cudaMemcpyHostToDevice));

  int device = 0, sms = 0;
  CHECK(cudaGetDevice(&device));
  CHECK(cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, device));
  int threads = 256;
  int blocks = min(8 * sms, (n - 1) / threads + 1);

  add<<<blocks, threads>>>(dev_a, dev_b, dev_c, n);
  CHECK(cudaGetLastError());
  CHECK(cudaDeviceSynchronize());

  CHECK(cudaMemcpy(c, dev_c, size, cudaMemcpyDeviceToHost));
  CHECK(cudaFree(dev_a));
  CHECK(cudaFree(dev_b));
  CHECK(cudaFree(dev_c));
}
