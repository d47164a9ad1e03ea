// lab:     spmv
// does:    copies the matrix to the host and lays it out there by columns, padded (ELLPACK)
// becomes: kept
// flag:    none

#include <cuda_runtime.h>

#include <algorithm>
#include <vector>

#include "spmv.h"

constexpr int kLongest = 64;  // elements of a row beyond these stay in the matrix as it was

__global__ void multiply(const int* ell_columns, const float* ell_values, const int* row_starts,
                         const int* columns, const float* values, const float* x, float* y,
                         int width, int rows) {
  const int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows) return;
  float sum = 0;
  for (int k = 0; k < width; ++k) {
    const size_t at = static_cast<size_t>(k) * rows + row;
    if (ell_columns[at] >= 0) sum += ell_values[at] * x[ell_columns[at]];
  }
  for (int k = row_starts[row] + width; k < row_starts[row + 1]; ++k) {
    sum += values[k] * x[columns[k]];
  }
  y[row] = sum;
}

void spmv(const int* row_starts, const int* columns, const float* values, const float* x, float* y,
          int rows, int nonzeros) {
  if (rows == 0) return;
  std::vector<int> starts(rows + 1), host_columns(nonzeros);
  std::vector<float> host_values(nonzeros);
  cudaMemcpy(starts.data(), row_starts, (rows + 1) * sizeof(int), cudaMemcpyDeviceToHost);
  if (nonzeros > 0) {
    cudaMemcpy(host_columns.data(), columns, nonzeros * sizeof(int), cudaMemcpyDeviceToHost);
    cudaMemcpy(host_values.data(), values, nonzeros * sizeof(float), cudaMemcpyDeviceToHost);
  }
  int width = 0;
  for (int row = 0; row < rows; ++row) width = std::max(width, starts[row + 1] - starts[row]);
  width = std::min(width, kLongest);
  std::vector<int> ell_columns(static_cast<size_t>(width) * rows, -1);
  std::vector<float> ell_values(static_cast<size_t>(width) * rows);
  for (int row = 0; row < rows; ++row) {
    for (int k = 0; k < width && starts[row] + k < starts[row + 1]; ++k) {
      ell_columns[static_cast<size_t>(k) * rows + row] = host_columns[starts[row] + k];
      ell_values[static_cast<size_t>(k) * rows + row] = host_values[starts[row] + k];
    }
  }
  int* c = nullptr;
  float* v = nullptr;
  if (width > 0) {
    cudaMalloc(&c, ell_columns.size() * sizeof(int));
    cudaMalloc(&v, ell_values.size() * sizeof(float));
    cudaMemcpy(c, ell_columns.data(), ell_columns.size() * sizeof(int), cudaMemcpyHostToDevice);
    cudaMemcpy(v, ell_values.data(), ell_values.size() * sizeof(float), cudaMemcpyHostToDevice);
  }
  multiply<<<(rows + 127) / 128, 128>>>(c, v, row_starts, columns, values, x, y, width, rows);
  cudaFree(c);
  cudaFree(v);
}
