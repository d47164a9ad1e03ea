// gemm [n] [launches]: tiled n x n x n float product, shared loads and fused multiply-adds, the
// emulator's hot path.

#include <vector>

#include "emulator/host_bench/launches.h"

namespace {

constexpr int kTile = 16;

__global__ void gemm(const float* a, const float* b, float* c, int n) {
  __shared__ float tile_a[kTile][kTile];
  __shared__ float tile_b[kTile][kTile];
  const int row = blockIdx.y * kTile + threadIdx.y;
  const int column = blockIdx.x * kTile + threadIdx.x;
  float sum = 0.0f;
  for (int start = 0; start < n; start += kTile) {
    tile_a[threadIdx.y][threadIdx.x] = a[row * n + start + threadIdx.x];
    tile_b[threadIdx.y][threadIdx.x] = b[(start + threadIdx.y) * n + column];
    __syncthreads();
    for (int i = 0; i < kTile; ++i) sum += tile_a[threadIdx.y][i] * tile_b[i][threadIdx.x];
    __syncthreads();
  }
  c[row * n + column] = sum;
}

}  // namespace

int main(int argc, char** argv) {
  const int n = warpsim::bench::argument(argc, argv, 1, 512);
  const std::size_t count = static_cast<std::size_t>(n) * n;
  const std::size_t bytes = sizeof(float) * count;
  std::vector<float> ones(count, 1.0f);
  float *a, *b, *c;
  cudaMalloc(&a, bytes);
  cudaMalloc(&b, bytes);
  cudaMalloc(&c, bytes);
  cudaMemcpy(a, ones.data(), bytes, cudaMemcpyHostToDevice);
  cudaMemcpy(b, ones.data(), bytes, cudaMemcpyHostToDevice);
  const dim3 block(kTile, kTile);
  const dim3 grid(n / kTile, n / kTile);
  warpsim::bench::time_launches(warpsim::bench::argument(argc, argv, 2, 5),
                                [&] { gemm<<<grid, block>>>(a, b, c, n); });
  float last = 0.0f;
  cudaMemcpy(&last, c + count - 1, sizeof last, cudaMemcpyDeviceToHost);
  cudaFree(a);
  cudaFree(b);
  cudaFree(c);
  return last == static_cast<float>(n) ? 0 : 1;
}
