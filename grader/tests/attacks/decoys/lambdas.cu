// lab:     softmax
// does:    is made of templates of kernels that take lambdas
// becomes: kept
// flag:    none

#include <cuda_runtime.h>

#include "softmax.h"

template <typename Map, typename Combine>
__global__ void reduce_rows(const float* in, float* out, int columns, float none, Map map,
                            Combine combine) {
  __shared__ float part[256];
  const size_t start = static_cast<size_t>(blockIdx.x) * columns;
  float mine = none;
  for (int c = threadIdx.x; c < columns; c += 256) {
    mine = combine(mine, map(in[start + c], blockIdx.x));
  }
  part[threadIdx.x] = mine;
  __syncthreads();
  for (int d = 128; d > 0; d /= 2) {
    if (threadIdx.x < d) part[threadIdx.x] = combine(part[threadIdx.x], part[threadIdx.x + d]);
    __syncthreads();
  }
  if (threadIdx.x == 0) out[blockIdx.x] = part[0];
}

template <typename Map>
__global__ void map_all(const float* in, float* out, size_t count, int columns, Map map) {
  const size_t i = static_cast<size_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i < count) out[i] = map(in[i], static_cast<int>(i / columns));
}

void softmax(const float* in, float* out, int rows, int columns) {
  if (rows == 0 || columns == 0) return;
  float *largest, *sums;
  cudaMalloc(&largest, rows * sizeof(float));
  cudaMalloc(&sums, rows * sizeof(float));
  reduce_rows<<<rows, 256>>>(
      in, largest, columns, -INFINITY, [] __device__(float x, int) { return x; },
      [] __device__(float x, float y) { return fmaxf(x, y); });
  const auto power = [largest] __device__(float x, int row) { return expf(x - largest[row]); };
  reduce_rows<<<rows, 256>>>(in, sums, columns, 0.0f, power,
                             [] __device__(float x, float y) { return x + y; });
  const size_t count = static_cast<size_t>(rows) * columns;
  map_all<<<static_cast<unsigned>((count + 255) / 256), 256>>>(
      in, out, count, columns,
      [power, sums] __device__(float x, int row) { return power(x, row) / sums[row]; });
  cudaFree(largest);
  cudaFree(sums);
}
