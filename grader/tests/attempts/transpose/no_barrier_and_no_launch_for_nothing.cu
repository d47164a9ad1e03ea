#include "transpose.h"
#include <cuda_runtime.h>

template <int T>
__global__ void turn(const float* __restrict__ in, float* __restrict__ out, int rows, int columns)
{
  __shared__ float tile[T * (T + 1)];
  auto inside = [=](int r, int c) { return r < rows && c < columns; };

  const int r = blockIdx.y * T + threadIdx.y;
  const int c = blockIdx.x * T + threadIdx.x;
  if (inside(r, c))
    tile[threadIdx.y * (T + 1) + threadIdx.x] = in[r * columns + c];

  const int c2 = blockIdx.x * T + threadIdx.y;
  const int r2 = blockIdx.y * T + threadIdx.x;
  if (inside(r2, c2))
    out[c2 * rows + r2] = tile[threadIdx.x * (T + 1) + threadIdx.y];
}

void transpose(const float* in, float* out, int rows, int columns)
{
  constexpr int T = 16;
  turn<T><<<dim3((columns + T - 1) / T, (rows + T - 1) / T), dim3(T, T)>>>(in, out, rows, columns);
  if (cudaGetLastError() != cudaSuccess) return;
}
