// A program that knows nothing of warpgrade: a tiled matrix product which checks itself. With an
// argument, one row too many of `a` is read: a bug that the self-check cannot see.

#include <cuda_runtime.h>

#include <cmath>
#include <cstdio>
#include <vector>

constexpr int kTile = 16;

__global__ void gemm(const float* a, const float* b, float* c, int m, int k, int n, int slack) {
  __shared__ float tile_a[kTile][kTile];
  __shared__ float tile_b[kTile][kTile];
  const int row = blockIdx.y * kTile + threadIdx.y;
  const int column = blockIdx.x * kTile + threadIdx.x;
  float sum = 0.0f;
  for (int start = 0; start < k; start += kTile) {
    const int a_column = start + threadIdx.x;
    const int b_row = start + threadIdx.y;
    const bool in_a = row < m + slack && a_column < k;
    tile_a[threadIdx.y][threadIdx.x] = in_a ? a[row * k + a_column] : 0.0f;
    tile_b[threadIdx.y][threadIdx.x] = b_row < k && column < n ? b[b_row * n + column] : 0.0f;
    __syncthreads();
    for (int i = 0; i < kTile; ++i) sum += tile_a[threadIdx.y][i] * tile_b[i][threadIdx.x];
    __syncthreads();
  }
  if (row < m && column < n) c[row * n + column] = sum;
}

int main(int argc, char**) {
  const int m = 77, k = 50, n = 93;
  const int slack = argc > 1 ? 1 : 0;
  std::vector<float> a(m * k), b(k * n), c(m * n);
  for (int i = 0; i < m * k; ++i) a[i] = static_cast<float>(i % 13 - 6);
  for (int i = 0; i < k * n; ++i) b[i] = static_cast<float>(i % 7 - 3);

  float *d_a, *d_b, *d_c;
  cudaMalloc(&d_a, a.size() * sizeof(float));
  cudaMalloc(&d_b, b.size() * sizeof(float));
  cudaMalloc(&d_c, c.size() * sizeof(float));
  cudaMemcpy(d_a, a.data(), a.size() * sizeof(float), cudaMemcpyHostToDevice);
  cudaMemcpy(d_b, b.data(), b.size() * sizeof(float), cudaMemcpyHostToDevice);
  const dim3 block(kTile, kTile);
  const dim3 grid((n + kTile - 1) / kTile, (m + kTile - 1) / kTile);
  gemm<<<grid, block>>>(d_a, d_b, d_c, m, k, n, slack);
  const cudaError_t status = cudaMemcpy(c.data(), d_c, c.size() * 4, cudaMemcpyDeviceToHost);
  if (status != cudaSuccess) {
    std::printf("failed: %s\n", cudaGetErrorString(status));
    return 2;
  }
  cudaFree(d_a);
  cudaFree(d_b);
  cudaFree(d_c);

  int wrong = 0;
  for (int i = 0; i < m; ++i) {
    for (int j = 0; j < n; ++j) {
      double want = 0.0;
      for (int l = 0; l < k; ++l) want += static_cast<double>(a[i * k + l]) * b[l * n + j];
      if (!(std::fabs(c[i * n + j] - want) <= 1e-3)) ++wrong;
    }
  }
  std::printf("%s: %d of %d elements differ\n", wrong == 0 ? "passed" : "failed", wrong, m * n);
  return wrong == 0 ? 0 : 1;
}
