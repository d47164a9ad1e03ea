// What the variables of a kernel are, step by step; built with debug information.
#include <cuda_runtime.h>

struct Pair {
  int first;
  float second;
};

// A function with a frame of its own, which is called with another depth each time.
__device__ int depth_sum(int depth) {
  int own = depth * 10;
  if (depth > 0) own += depth_sum(depth - 1);
  return own;
}

__global__ void follow(const float* in, float* out, int n) {
  const int constant = 7;
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  Pair pair = {i * 3, 0.5f};
  float sums[2] = {0.0f, 1.0f};
  float buffer[64];
  buffer[i % 64] = in[i % n];
  for (int k = 0; k < 3; ++k) {
    if (threadIdx.x < 20) {
      const int inner = i + 100 * k;
      sums[k % 2] += inner;
    }
  }
  bool even = i % 2 == 0;
  unsigned long long wide = 0x123456789abcdefull + i;
  const int sum = depth_sum(2);
  out[i] =
      sums[0] + sums[1] + pair.first * pair.second + even + wide + sum + constant + buffer[i % 64];
}

int main() {
  float *in, *out;
  cudaMalloc(&in, 48 * sizeof(float));
  cudaMalloc(&out, 96 * sizeof(float));
  cudaMemset(in, 0, 48 * sizeof(float));
  follow<<<2, 48>>>(in, out, 48);
  const bool ok = cudaDeviceSynchronize() == cudaSuccess;
  cudaFree(in);
  cudaFree(out);
  return ok ? 0 : 1;
}
