#include "emulator/tests/support/program.h"

// Sparse matrix times vector: compressed rows with a thread or a warp for each row, and coordinates
// with atomics. Rows of very different length, some empty.

namespace {

struct Csr {
  int rows, columns;
  std::vector<int> starts, indices;
  std::vector<float> values;
};

__global__ void thread_per_row(int rows, const int* starts, const int* indices, const float* values,
                               const float* x, float* y) {
  const int row = int(blockIdx.x * blockDim.x + threadIdx.x);
  if (row >= rows) return;
  float sum = 0;
  for (int i = starts[row]; i < starts[row + 1]; ++i) sum += values[i] * x[indices[i]];
  y[row] = sum;
}

__global__ void warp_per_row(int rows, const int* starts, const int* indices, const float* values,
                             const float* x, float* y) {
  const int row = int(blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = int(threadIdx.x % 32);
  if (row >= rows) return;
  float sum = 0;
  for (int i = starts[row] + lane; i < starts[row + 1]; i += 32) sum += values[i] * x[indices[i]];
  for (int by = 16; by > 0; by /= 2) sum += __shfl_down_sync(0xffffffffu, sum, by);
  if (lane == 0) y[row] = sum;
}

__global__ void coordinates(int count, const int* row_of, const int* indices, const float* values,
                            const float* x, float* y) {
  const int i = int(blockIdx.x * blockDim.x + threadIdx.x);
  if (i < count) atomicAdd(&y[row_of[i]], values[i] * x[indices[i]]);
}

Csr random_matrix(int rows, int columns) {
  Csr m{rows, columns, {0}, {}, {}};
  const std::vector<int> lengths = testing::random_integers(std::size_t(rows), 12, 7);
  for (int row = 0; row < rows; ++row) {
    // Every tenth row is long, every seventh empty.
    const int length = row % 10 == 3 ? columns : row % 7 == 0 ? 0 : lengths[std::size_t(row)];
    for (int i = 0; i < length; ++i) {
      m.indices.push_back((row * 13 + i * 7) % columns);
      m.values.push_back(float((row + i) % 17 - 8) / 4);
    }
    m.starts.push_back(int(m.indices.size()));
  }
  return m;
}

void multiply(int rows, int columns) {
  const Csr m = random_matrix(rows, columns);
  const std::vector<float> vector = testing::random_floats(std::size_t(columns), 8);
  std::vector<double> want(std::size_t(rows), 0.0);
  std::vector<int> row_of(m.indices.size());
  for (int row = 0; row < rows; ++row) {
    for (int i = m.starts[std::size_t(row)]; i < m.starts[std::size_t(row) + 1]; ++i) {
      const auto at = std::size_t(i);
      want[std::size_t(row)] += double(m.values[at]) * vector[std::size_t(m.indices[at])];
      row_of[at] = row;
    }
  }
  const double bound = columns * columns * 2 * 0x1p-23;
  const testing::Buffer<int> starts(m.starts), indices(m.indices), device_rows(row_of);
  const testing::Buffer<float> values(m.values), x(vector);
  testing::Buffer<float> y{std::size_t(rows)};
  thread_per_row<<<testing::blocks_for(std::size_t(rows), 64), 64>>>(
      rows, starts.get(), indices.get(), values.get(), x.get(), y.get());
  FINISH_LAUNCH();
  testing::expect_close(y.download(), want, bound);
  y.fill_bytes(0xff);
  warp_per_row<<<testing::blocks_for(std::size_t(rows) * 32, 128), 128>>>(
      rows, starts.get(), indices.get(), values.get(), x.get(), y.get());
  FINISH_LAUNCH();
  testing::expect_close(y.download(), want, bound);
  y.fill_bytes(0);
  coordinates<<<testing::blocks_for(row_of.size(), 96), 96>>>(
      int(row_of.size()), device_rows.get(), indices.get(), values.get(), x.get(), y.get());
  FINISH_LAUNCH();
  testing::expect_close(y.download(), want, bound);
}

void run() {
  multiply(5, 3);
  multiply(100, 70);
  multiply(1000, 200);
}

}  // namespace

int main(int argc, char** argv) {
  return testing::run_program(argc, argv, run);
}
