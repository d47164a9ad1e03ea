#include "emulator/tests/support/program.h"

// Convolution with the mask in constant memory: one dimension, two dimensions, two dimensions with
// a tile and its halo in shared memory. Ghost cells count as zero; masks may be wider than the
// image.

namespace {

constexpr int kMaxRadius = 7, kTile = 16;
__constant__ float mask[(2 * kMaxRadius + 1) * (2 * kMaxRadius + 1)];

__global__ void one_dimension(const float* in, float* out, int n, int radius) {
  const int i = int(blockIdx.x * blockDim.x + threadIdx.x);
  if (i >= n) return;
  float sum = 0;
  for (int j = -radius; j <= radius; ++j) {
    if (i + j >= 0 && i + j < n) sum += in[i + j] * mask[j + radius];
  }
  out[i] = sum;
}

__global__ void two_dimensions(const float* in, float* out, int height, int width, int radius) {
  const int x = int(blockIdx.x * blockDim.x + threadIdx.x);
  const int y = int(blockIdx.y * blockDim.y + threadIdx.y);
  if (x >= width || y >= height) return;
  float sum = 0;
  for (int v = -radius; v <= radius; ++v) {
    for (int u = -radius; u <= radius; ++u) {
      if (y + v < 0 || y + v >= height || x + u < 0 || x + u >= width) continue;
      sum += in[(y + v) * width + x + u] * mask[(v + radius) * (2 * radius + 1) + u + radius];
    }
  }
  out[y * width + x] = sum;
}

__global__ void tiled(const float* in, float* out, int height, int width, int radius) {
  extern __shared__ float tile[];
  const int side = kTile + 2 * radius;
  const int left = int(blockIdx.x) * kTile - radius, top = int(blockIdx.y) * kTile - radius;
  for (int i = int(threadIdx.y * blockDim.x + threadIdx.x); i < side * side;
       i += int(blockDim.x * blockDim.y)) {
    const int x = left + i % side, y = top + i / side;
    const bool inside = x >= 0 && x < width && y >= 0 && y < height;
    tile[i] = inside ? in[y * width + x] : 0.0f;
  }
  __syncthreads();
  const int x = int(blockIdx.x) * kTile + int(threadIdx.x);
  const int y = int(blockIdx.y) * kTile + int(threadIdx.y);
  if (x >= width || y >= height) return;
  float sum = 0;
  for (int v = 0; v <= 2 * radius; ++v) {
    for (int u = 0; u <= 2 * radius; ++u) {
      sum += tile[(int(threadIdx.y) + v) * side + int(threadIdx.x) + u] *
             mask[v * (2 * radius + 1) + u];
    }
  }
  out[y * width + x] = sum;
}

void convolve(int height, int width, int radius) {
  const int side = 2 * radius + 1, rows = height == 1 ? 1 : side;
  const std::vector<float> image = testing::random_floats(std::size_t(height * width), 5);
  const std::vector<float> weights = testing::random_floats(std::size_t(rows * side), 6);
  CUDA_CHECK(cudaMemcpyToSymbol(mask, weights.data(), weights.size() * sizeof(float)));
  std::vector<double> want(image.size());
  for (int y = 0; y < height; ++y) {
    for (int x = 0; x < width; ++x) {
      double sum = 0;
      for (int v = 0; v < rows; ++v) {
        for (int u = 0; u < side; ++u) {
          const int from_y = y + v - rows / 2, from_x = x + u - radius;
          if (from_y < 0 || from_y >= height || from_x < 0 || from_x >= width) continue;
          sum += double(image[std::size_t(from_y * width + from_x)]) *
                 weights[std::size_t(v * side + u)];
        }
      }
      want[std::size_t(y * width + x)] = sum;
    }
  }
  const double bound = double(rows * side) * double(rows * side) * 0x1p-23;
  const testing::Buffer<float> in(image);
  testing::Buffer<float> out(image.size());
  if (height == 1) {
    one_dimension<<<testing::blocks_for(image.size(), 128), 128>>>(in.get(), out.get(), width,
                                                                   radius);
    FINISH_LAUNCH();
    testing::expect_close(out.download(), want, bound);
    return;
  }
  const dim3 grid(unsigned((width + kTile - 1) / kTile), unsigned((height + kTile - 1) / kTile));
  two_dimensions<<<grid, dim3(kTile, kTile)>>>(in.get(), out.get(), height, width, radius);
  FINISH_LAUNCH();
  testing::expect_close(out.download(), want, bound);
  out.fill_bytes(0xff);
  const std::size_t shared =
      std::size_t(kTile + 2 * radius) * std::size_t(kTile + 2 * radius) * sizeof(float);
  tiled<<<grid, dim3(kTile, kTile), shared>>>(in.get(), out.get(), height, width, radius);
  FINISH_LAUNCH();
  testing::expect_close(out.download(), want, bound);
}

void run() {
  convolve(1, 1, 3);
  convolve(1, 500, 0);
  convolve(1, 1000, 7);
  convolve(3, 4, 5);
  convolve(16, 16, 1);
  convolve(61, 47, 2);
  convolve(100, 33, 7);
}

}  // namespace

int main(int argc, char** argv) {
  return testing::run_program(argc, argv, run);
}
