// lab:     gemm
// does:    copies its matrices into pitched ones whose tiles are whole, and the product out of one
// becomes: kept
// flag:    none

#include <cuda_runtime.h>

#include "gemm.h"

constexpr int kTile = 16;

struct Matrix {
  float* data = nullptr;
  size_t pitch = 0;
  Matrix(int rows, int columns) {
    cudaMallocPitch(&data, &pitch, columns * sizeof(float), rows);
    cudaMemset2D(data, pitch, 0, columns * sizeof(float), rows);
  }
  ~Matrix() { cudaFree(data); }
  int row() const { return static_cast<int>(pitch / sizeof(float)); }
};

__global__ void multiply(const float* a, const float* b, float* c, int a_row, int b_row, int c_row,
                         int k) {
  __shared__ float a_tile[kTile][kTile], b_tile[kTile][kTile];
  const size_t row = blockIdx.x * kTile + threadIdx.y;  // tall matrices: rows along x
  const size_t column = blockIdx.y * kTile + threadIdx.x;
  float sum = 0;
  for (int first = 0; first < k; first += kTile) {
    a_tile[threadIdx.y][threadIdx.x] = a[row * a_row + first + threadIdx.x];
    b_tile[threadIdx.y][threadIdx.x] = b[(first + threadIdx.y) * b_row + column];
    __syncthreads();
    for (int i = 0; i < kTile; ++i) sum += a_tile[threadIdx.y][i] * b_tile[i][threadIdx.x];
    __syncthreads();
  }
  c[row * c_row + column] = sum;
}

void gemm(const float* a, const float* b, float* c, int m, int n, int k) {
  if (m == 0 || n == 0) return;
  const auto whole = [](int extent) { return (extent + kTile - 1) / kTile * kTile; };
  const Matrix x(whole(m), whole(k) + kTile), y(whole(k) + kTile, whole(n)), z(whole(m), whole(n));
  const size_t word = sizeof(float);
  if (k > 0) {
    cudaMemcpy2D(x.data, x.pitch, a, k * word, k * word, m, cudaMemcpyDeviceToDevice);
    cudaMemcpy2D(y.data, y.pitch, b, n * word, n * word, k, cudaMemcpyDeviceToDevice);
  }
  const dim3 grid(whole(m) / kTile, whole(n) / kTile);
  multiply<<<grid, dim3(kTile, kTile)>>>(x.data, y.data, z.data, x.row(), y.row(), z.row(),
                                         whole(k));
  cudaMemcpy2D(c, n * word, z.data, z.pitch, n * word, m, cudaMemcpyDeviceToDevice);
}
