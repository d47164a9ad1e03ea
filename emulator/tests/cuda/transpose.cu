#include "emulator/tests/support/program.h"

// Matrix transposition: naive, through shared memory, with padding against bank conflicts, and with
// blocks that handle four rows a thread.

namespace {

constexpr int kTile = 32, kRows = 8;

__global__ void naive(const int* in, int* out, int rows, int columns) {
  const int x = int(blockIdx.x * blockDim.x + threadIdx.x);
  const int y = int(blockIdx.y * blockDim.y + threadIdx.y);
  if (x < columns && y < rows) out[x * rows + y] = in[y * columns + x];
}

template <int Padding>
__global__ void through_shared(const int* in, int* out, int rows, int columns) {
  __shared__ int tile[kTile][kTile + Padding];
  int x = int(blockIdx.x) * kTile + int(threadIdx.x);
  int y = int(blockIdx.y) * kTile + int(threadIdx.y);
  for (int j = 0; j < kTile; j += kRows) {
    if (x < columns && y + j < rows) {
      tile[threadIdx.y + unsigned(j)][threadIdx.x] = in[(y + j) * columns + x];
    }
  }
  __syncthreads();
  x = int(blockIdx.y) * kTile + int(threadIdx.x);
  y = int(blockIdx.x) * kTile + int(threadIdx.y);
  for (int j = 0; j < kTile; j += kRows) {
    if (x < rows && y + j < columns) {
      out[(y + j) * rows + x] = tile[threadIdx.x][threadIdx.y + unsigned(j)];
    }
  }
}

void transpose(int rows, int columns) {
  const std::vector<int> in = testing::random_integers(std::size_t(rows * columns), 1 << 30);
  std::vector<int> want(in.size());
  for (int y = 0; y < rows; ++y) {
    for (int x = 0; x < columns; ++x) {
      want[std::size_t(x * rows + y)] = in[std::size_t(y * columns + x)];
    }
  }
  const testing::Buffer<int> device_in(in);
  testing::Buffer<int> out(in.size());
  const auto blocks = [](int n, int width) { return unsigned((n + width - 1) / width); };
  const dim3 tiles(blocks(columns, kTile), blocks(rows, kTile));

  naive<<<dim3(blocks(columns, 16), blocks(rows, 16)), dim3(16, 16)>>>(device_in.get(), out.get(),
                                                                       rows, columns);
  FINISH_LAUNCH();
  testing::expect_equal(out.download(), want);
  out.fill_bytes(0);
  through_shared<0><<<tiles, dim3(kTile, kRows)>>>(device_in.get(), out.get(), rows, columns);
  FINISH_LAUNCH();
  testing::expect_equal(out.download(), want);
  out.fill_bytes(0);
  through_shared<1><<<tiles, dim3(kTile, kRows)>>>(device_in.get(), out.get(), rows, columns);
  FINISH_LAUNCH();
  testing::expect_equal(out.download(), want);
}

void run() {
  transpose(1, 1);
  transpose(32, 32);
  transpose(100, 37);
  transpose(33, 129);
  transpose(256, 192);
}

}  // namespace

int main(int argc, char** argv) {
  return testing::run_program(argc, argv, run);
}
