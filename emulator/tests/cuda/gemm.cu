#include "emulator/tests/support/program.h"

// Matrix multiplication: naive, tiled with static and dynamic shared memory, and with several
// results a thread. Shapes that fit the tile and shapes that do not.

namespace {

__global__ void naive(const float* a, const float* b, float* c, int m, int k, int n) {
  const int row = int(blockIdx.y * blockDim.y + threadIdx.y);
  const int column = int(blockIdx.x * blockDim.x + threadIdx.x);
  if (row >= m || column >= n) return;
  float sum = 0;
  for (int i = 0; i < k; ++i) sum += a[row * k + i] * b[i * n + column];
  c[row * n + column] = sum;
}

template <int Tile>
__global__ void tiled(const float* a, const float* b, float* c, int m, int k, int n) {
  __shared__ float tile_a[Tile][Tile], tile_b[Tile][Tile];
  const int x = int(threadIdx.x), y = int(threadIdx.y);
  const int row = int(blockIdx.y) * Tile + y, column = int(blockIdx.x) * Tile + x;
  float sum = 0;
  for (int at = 0; at < k; at += Tile) {
    tile_a[y][x] = row < m && at + x < k ? a[row * k + at + x] : 0.0f;
    tile_b[y][x] = at + y < k && column < n ? b[(at + y) * n + column] : 0.0f;
    __syncthreads();
    for (int i = 0; i < Tile; ++i) sum += tile_a[y][i] * tile_b[i][x];
    __syncthreads();
  }
  if (row < m && column < n) c[row * n + column] = sum;
}

/// The tile's width comes with the launch.
__global__ void tiled_dynamic(const float* a, const float* b, float* c, int m, int k, int n) {
  extern __shared__ float tiles[];
  const int tile = int(blockDim.x), x = int(threadIdx.x), y = int(threadIdx.y);
  float *tile_a = tiles, *tile_b = tiles + tile * tile;
  const int row = int(blockIdx.y) * tile + y, column = int(blockIdx.x) * tile + x;
  float sum = 0;
  for (int at = 0; at < k; at += tile) {
    tile_a[y * tile + x] = row < m && at + x < k ? a[row * k + at + x] : 0.0f;
    tile_b[y * tile + x] = at + y < k && column < n ? b[(at + y) * n + column] : 0.0f;
    __syncthreads();
    for (int i = 0; i < tile; ++i) sum += tile_a[y * tile + i] * tile_b[i * tile + x];
    __syncthreads();
  }
  if (row < m && column < n) c[row * n + column] = sum;
}

/// Each thread keeps a column of `Rows` results in registers.
template <int Tile, int Rows>
__global__ void coarsened(const float* a, const float* b, float* c, int m, int k, int n) {
  __shared__ float tile_a[Tile * Rows][Tile + 1], tile_b[Tile][Tile];
  const int x = int(threadIdx.x), y = int(threadIdx.y);
  const int row = int(blockIdx.y) * Tile * Rows + y, column = int(blockIdx.x) * Tile + x;
  float sums[Rows] = {};
  for (int at = 0; at < k; at += Tile) {
#pragma unroll
    for (int r = 0; r < Rows; ++r) {
      const int from = row + r * Tile;
      tile_a[y + r * Tile][x] = from < m && at + x < k ? a[from * k + at + x] : 0.0f;
    }
    tile_b[y][x] = at + y < k && column < n ? b[(at + y) * n + column] : 0.0f;
    __syncthreads();
    for (int i = 0; i < Tile; ++i) {
      const float from_b = tile_b[i][x];
#pragma unroll
      for (int r = 0; r < Rows; ++r) sums[r] += tile_a[y + r * Tile][i] * from_b;
    }
    __syncthreads();
  }
#pragma unroll
  for (int r = 0; r < Rows; ++r) {
    if (row + r * Tile < m && column < n) c[(row + r * Tile) * n + column] = sums[r];
  }
}

struct Shape {
  int m, k, n;
};

void multiply(const Shape& s) {
  const std::vector<float> a = testing::random_floats(std::size_t(s.m) * std::size_t(s.k), 3);
  const std::vector<float> b = testing::random_floats(std::size_t(s.k) * std::size_t(s.n), 4);
  std::vector<double> want(std::size_t(s.m) * std::size_t(s.n));
  for (int i = 0; i < s.m; ++i) {
    for (int l = 0; l < s.k; ++l) {
      const double left = a[std::size_t(i * s.k + l)];
      for (int j = 0; j < s.n; ++j) {
        want[std::size_t(i * s.n + j)] += left * b[std::size_t(l * s.n + j)];
      }
    }
  }
  const testing::Buffer<float> device_a(a), device_b(b);
  testing::Buffer<float> c(want.size());
  const auto check = [&] {
    FINISH_LAUNCH();
    // k roundings of sums that stay below k.
    testing::expect_close(c.download(), want, double(s.k) * s.k * 0x1p-23);
    c.fill_bytes(0xff);
  };
  const auto grid = [&](int width, int height) {
    return dim3(unsigned((s.n + width - 1) / width), unsigned((s.m + height - 1) / height));
  };
  naive<<<grid(16, 16), dim3(16, 16)>>>(device_a.get(), device_b.get(), c.get(), s.m, s.k, s.n);
  check();
  tiled<16><<<grid(16, 16), dim3(16, 16)>>>(device_a.get(), device_b.get(), c.get(), s.m, s.k, s.n);
  check();
  tiled<32><<<grid(32, 32), dim3(32, 32)>>>(device_a.get(), device_b.get(), c.get(), s.m, s.k, s.n);
  check();
  const int tile = 8 + s.k % 5;  // also widths that are not a power of two
  tiled_dynamic<<<grid(tile, tile), dim3(unsigned(tile), unsigned(tile)),
                  2 * std::size_t(tile) * std::size_t(tile) * sizeof(float)>>>(
      device_a.get(), device_b.get(), c.get(), s.m, s.k, s.n);
  check();
  coarsened<16, 4>
      <<<grid(16, 64), dim3(16, 16)>>>(device_a.get(), device_b.get(), c.get(), s.m, s.k, s.n);
  check();
}

void run() {
  for (const Shape shape : {Shape{1, 1, 1},
                            {16, 16, 16},
                            {32, 32, 32},
                            {33, 17, 65},
                            {1, 100, 7},
                            {100, 1, 50},
                            {47, 129, 31},
                            {128, 96, 160}}) {
    multiply(shape);
  }
}

}  // namespace

int main(int argc, char** argv) {
  return testing::run_program(argc, argv, run);
}
