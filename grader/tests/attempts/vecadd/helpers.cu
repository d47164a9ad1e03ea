#include "vecadd.h"

#include <cuda_runtime.h>

// ---- small helpers so that vecadd() itself stays readable -------------------------------------

static float* upload(const float* from, int n) {
  float* d_buffer = nullptr;
  cudaMalloc(&d_buffer, n * sizeof(float));
  cudaMemcpy(d_buffer, from, n * sizeof(d_buffer), cudaMemcpyHostToDevice);
  return d_buffer;
}

static void download(float* to, const float* d_buffer, int n) {
  cudaMemcpy(to, d_buffer, n * sizeof(*to), cudaMemcpyDeviceToHost);
}

// ---- the kernel -------------------------------------------------------------------------------

__global__ void vecadd_kernel(const float* x, const float* y, float* z, int n) {
  const int tid = blockIdx.x * blockDim.x + threadIdx.x;
  if (tid >= n) return;
  z[tid] = x[tid] + y[tid];
}

void vecadd(const float* a, const float* b, float* c, int n) {
  if (n <= 0) return;

  float* d_a = upload(a, n);
  float* d_b = upload(b, n);
  float* d_c = nullptr;
  cudaMalloc(&d_c, n * sizeof(float));

  const int threads = 128;
  vecadd_kernel<<<(n + threads - 1) / threads, threads>>>(d_a, d_b, d_c, n);

  download(c, d_c, n);

  cudaFree(d_a);
  cudaFree(d_b);
  cudaFree(d_c);
}
