#include "emulator/tests/support/program.h"

// Heat flow on a grid: five-point stencil over several steps, naive and with a tile and halo in
// shared memory, and Conway's game of life on a torus.

namespace {

constexpr int kTile = 16;

__global__ void heat_naive(const float* in, float* out, int height, int width) {
  const int x = int(blockIdx.x * blockDim.x + threadIdx.x);
  const int y = int(blockIdx.y * blockDim.y + threadIdx.y);
  if (x >= width || y >= height) return;
  const int i = y * width + x;
  if (x == 0 || y == 0 || x == width - 1 || y == height - 1) {
    out[i] = in[i];
  } else {
    out[i] = 0.5f * in[i] + 0.125f * (in[i - 1] + in[i + 1] + in[i - width] + in[i + width]);
  }
}

__global__ void heat_tiled(const float* in, float* out, int height, int width) {
  __shared__ float tile[kTile + 2][kTile + 2];
  const int tx = int(threadIdx.x) + 1, ty = int(threadIdx.y) + 1;
  const int x = int(blockIdx.x) * kTile + tx - 1, y = int(blockIdx.y) * kTile + ty - 1;
  const int i = y * width + x;
  const bool inside = x < width && y < height;
  if (inside) {
    tile[ty][tx] = in[i];
    if (tx == 1 && x > 0) tile[ty][0] = in[i - 1];
    if (ty == 1 && y > 0) tile[0][tx] = in[i - width];
    if (tx == kTile && x < width - 1) tile[ty][kTile + 1] = in[i + 1];
    if (ty == kTile && y < height - 1) tile[kTile + 1][tx] = in[i + width];
  }
  __syncthreads();
  if (!inside) return;
  if (x == 0 || y == 0 || x == width - 1 || y == height - 1) {
    out[i] = tile[ty][tx];
  } else {
    out[i] = 0.5f * tile[ty][tx] +
             0.125f * (tile[ty][tx - 1] + tile[ty][tx + 1] + tile[ty - 1][tx] + tile[ty + 1][tx]);
  }
}

__global__ void life(const unsigned char* in, unsigned char* out, int height, int width) {
  const int x = int(blockIdx.x * blockDim.x + threadIdx.x);
  const int y = int(blockIdx.y * blockDim.y + threadIdx.y);
  if (x >= width || y >= height) return;
  int alive = 0;
  for (int dy = -1; dy <= 1; ++dy) {
    for (int dx = -1; dx <= 1; ++dx) {
      if (dx == 0 && dy == 0) continue;
      alive += in[(y + dy + height) % height * width + (x + dx + width) % width];
    }
  }
  out[y * width + x] = alive == 3 || (alive == 2 && in[y * width + x] != 0);
}

using Heat = void (*)(const float*, float*, int, int);

std::vector<float> flow(Heat kernel, const std::vector<float>& start, int height, int width,
                        int steps) {
  testing::Buffer<float> a(start), b(start.size());
  float *from = a.get(), *to = b.get();
  const dim3 grid(unsigned((width + kTile - 1) / kTile), unsigned((height + kTile - 1) / kTile));
  for (int i = 0; i < steps; ++i) {
    kernel<<<grid, dim3(kTile, kTile)>>>(from, to, height, width);
    std::swap(from, to);
  }
  FINISH_LAUNCH();
  return steps % 2 == 0 ? a.download() : b.download();
}

void heat(int height, int width, int steps) {
  const std::vector<float> start = testing::random_floats(std::size_t(height * width), 12);
  std::vector<double> want(start.begin(), start.end());
  for (int step = 0; step < steps; ++step) {
    const std::vector<double> old = want;
    for (int y = 1; y < height - 1; ++y) {
      for (int x = 1; x < width - 1; ++x) {
        const auto i = std::size_t(y * width + x), w = std::size_t(width);
        want[i] = 0.5 * old[i] + 0.125 * (old[i - 1] + old[i + 1] + old[i - w] + old[i + w]);
      }
    }
  }
  testing::expect_close(flow(heat_naive, start, height, width, steps), want, steps * 0x1p-22);
  testing::expect_close(flow(heat_tiled, start, height, width, steps), want, steps * 0x1p-22);
}

/// A glider that crosses the border comes back where it started, shifted by one every four steps.
void glider() {
  constexpr int kSide = 20;
  std::vector<unsigned char> start(kSide * kSide);
  for (const int cell : {1, kSide + 2, 2 * kSide, 2 * kSide + 1, 2 * kSide + 2}) {
    start[std::size_t(cell)] = 1;
  }
  testing::Buffer<unsigned char> a(start), b(start.size());
  for (int i = 0; i < 4 * kSide; ++i) {
    const bool even = i % 2 == 0;
    life<<<dim3(3, 3), dim3(8, 8)>>>(even ? a.get() : b.get(), even ? b.get() : a.get(), kSide,
                                     kSide);
  }
  FINISH_LAUNCH();
  testing::expect_equal(a.download(), start);
}

void run() {
  heat(3, 3, 1);
  heat(16, 16, 5);
  heat(50, 37, 10);
  heat(17, 100, 9);
  glider();
}

}  // namespace

int main(int argc, char** argv) {
  return testing::run_program(argc, argv, run);
}
