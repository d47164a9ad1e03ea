#include "gemm_fused.h"

#include <cuda_runtime.h>

namespace {

template <int kSide>
class Tile {
 public:
  __device__ float& at(int line, int step) { return cells_[line][step]; }

  // Rows `first_line`, ... of a matrix with `lines` rows of `steps` floats, from step `first_step` on.
  __device__ void load(const float* matrix, int first_line, int lines, int first_step, int steps) {
    const int line = first_line + threadIdx.y;
    const int step = first_step + threadIdx.x;
    if (line < lines && step < steps) {
      cells_[threadIdx.y][threadIdx.x] = matrix[static_cast<size_t>(line) * steps + step];
    }
  }

 private:
  float cells_[kSide][kSide + 1];
};

constexpr int kSide = 16;

// B is stored by columns, so for us it is a matrix of n rows with k floats, just like A has m rows.
__global__ void layer(const float* a, const float* b, const float* c, float* out, int m, int n,
                      int k) {
  __shared__ Tile<kSide> a_tile;
  __shared__ Tile<kSide> b_tile;
  const int top = blockIdx.y * kSide, left = blockIdx.x * kSide;

  float sum = 0.0f;
  for (int first = 0; first < k; first += kSide) {
    a_tile.load(a, top, m, first, k);
    b_tile.load(b, left, n, first, k);
    __syncthreads();
#pragma unroll
    for (int s = 0; s < kSide; ++s) sum += a_tile.at(threadIdx.y, s) * b_tile.at(threadIdx.x, s);
    __syncthreads();
  }

  const int row = top + threadIdx.y, column = left + threadIdx.x;
  if (row >= m || column >= n) return;
  const size_t place = static_cast<size_t>(row) * n + column;
  out[place] = fmaxf(sum + c[place], 0.0f);
}

}  // namespace

void gemm_fused(const float* a, const float* b, const float* c, float* out, int m, int n, int k) {
  if (m == 0 || n == 0) return;
  layer<<<dim3((n + kSide - 1) / kSide, (m + kSide - 1) / kSide), dim3(kSide, kSide)>>>(a, b, c, out,
                                                                                        m, n, k);
  if (cudaGetLastError() != cudaSuccess) return;
}
