#include <cooperative_groups.h>
#include <cuda_pipeline.h>

#include <algorithm>
#include <climits>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>

#include "attention.h"
#include "convolution.h"
#include "differences.h"
#include "emulator/tests/support/program.h"
#include "softmax.h"
#include "sort.h"
#include "spmv.h"
#include "stencil.h"

// The kernels of the labs for large cards, as they are: tiles that wait for each other, masks of
// lanes in shared memory, clusters that exchange sums, rings and windows in shared memory.

namespace masks {
#include "reference/sort/hopper/shared_masks.cu"
}
#undef CHECK
namespace rows {
#include "reference/softmax/hopper/long_rows.cu"
}
#undef CHECK
namespace by_four {
#include "reference/differences/hopper/by_four.cu"
}
#undef CHECK
namespace window {
#include "reference/spmv/hopper/window_of_x.cu"
}
#undef CHECK
namespace ring {
#include "reference/convolution/hopper/ring_of_rows.cu"
}
#undef CHECK
namespace planes {
#include "reference/stencil/hopper/planes_in_a_ring.cu"
}
#undef CHECK
namespace copies {
#include "reference/attention/hopper/asynchronous_copies.cu"
}

namespace {

using testing::Buffer;
using testing::expect_close;
using testing::random_floats;
using testing::random_integers;

void sort_and_compare(int count, int limit) {
  std::vector<unsigned> keys;
  for (const int x : random_integers(std::size_t(count), limit)) {
    keys.push_back(unsigned(x) * 2654435761u);
  }
  const Buffer<unsigned> in(keys);
  Buffer<unsigned> out(keys.size());
  masks::sort(in.get(), out.get(), count);
  FINISH_LAUNCH();
  std::sort(keys.begin(), keys.end());
  EXPECT(out.download() == keys);
}

void subtract_and_compare(int count) {
  const std::vector<float> values = random_floats(std::size_t(count));
  const Buffer<float> in(values);
  Buffer<float> out(values.size());
  by_four::differences(in.get(), out.get(), count);
  FINISH_LAUNCH();
  std::vector<float> want = values;
  for (std::size_t i = 1; i < want.size(); ++i) want[i] -= values[i - 1];
  testing::expect_equal(out.download(), want);
}

void exponentiate_and_compare(int row_count, int columns) {
  const std::vector<float> values = random_floats(std::size_t(row_count * columns));
  const Buffer<float> in(values);
  Buffer<float> out(values.size());
  rows::softmax(in.get(), out.get(), row_count, columns);
  FINISH_LAUNCH();
  std::vector<double> want;
  for (int r = 0; r < row_count; ++r) {
    const float* row = values.data() + r * columns;
    double sum = 0;
    for (int c = 0; c < columns; ++c) sum += std::exp(double(row[c]));
    for (int c = 0; c < columns; ++c) want.push_back(std::exp(double(row[c])) / sum);
  }
  expect_close(out.download(), want, 1e-8);
}

// Rows of 0 to 40 elements and some long ones, in `band` columns from the row's number on.
void multiply_and_compare(int row_count, int band) {
  std::vector<int> lengths = random_integers(std::size_t(row_count), 40);
  lengths[3] = lengths[4] = 1500;  // left over, one after the other
  lengths.back() = 1100;
  const int width = row_count + band;
  std::vector<int> row_starts{0};
  std::vector<int> columns;
  for (int r = 0; r < row_count; ++r) {
    const int length = lengths[std::size_t(r)];
    for (const int x : random_integers(std::size_t(length), band, unsigned(r + 1))) {
      columns.push_back(r + x);
    }
    row_starts.push_back(int(columns.size()));
  }
  const std::vector<float> values = random_floats(columns.size(), 2);
  const std::vector<float> x = random_floats(std::size_t(width), 3);
  const Buffer<int> d_starts(row_starts), d_columns(columns);
  const Buffer<float> d_values(values), d_x(x);
  std::vector<double> want(lengths.size(), 0);
  Buffer<float> y(want.size());
  window::spmv(d_starts.get(), d_columns.get(), d_values.get(), d_x.get(), y.get(), row_count,
               int(columns.size()));
  FINISH_LAUNCH();
  for (std::size_t r = 0; r < want.size(); ++r) {
    for (int k = row_starts[r]; k < row_starts[r + 1]; ++k) {
      want[r] += double(values[std::size_t(k)]) * double(x[std::size_t(columns[std::size_t(k)])]);
    }
  }
  expect_close(y.download(), want, 1e-4);
}

void convolve_and_compare(int height, int width) {
  const std::vector<float> image = random_floats(std::size_t(height * width));
  const std::vector<float> mask = random_floats(49, 2);
  const Buffer<float> d_image(image), d_mask(mask);
  Buffer<float> out(image.size());
  ring::convolution(d_image.get(), d_mask.get(), out.get(), height, width, 7, 7);
  FINISH_LAUNCH();
  std::vector<double> want;
  for (int r = 0; r < height; ++r) {
    for (int c = 0; c < width; ++c) {
      double sum = 0;
      for (int i = 0; i < 49; ++i) {
        const int y = r + i / 7 - 3;
        const int x = c + i % 7 - 3;
        if (y < 0 || y >= height || x < 0 || x >= width) continue;
        sum += double(mask[std::size_t(i)]) * double(image[std::size_t(y * width + x)]);
      }
      want.push_back(sum);
    }
  }
  expect_close(out.download(), want, 1e-5);
}

void step_and_compare(int nx, int ny, int nz) {
  const std::vector<float> cells = random_floats(std::size_t(nx * ny * nz));
  const Buffer<float> in(cells);
  Buffer<float> out(cells.size());
  planes::stencil(in.get(), out.get(), nx, ny, nz);
  FINISH_LAUNCH();
  std::vector<double> want(cells.begin(), cells.end());
  const auto cell = [&](int x, int y, int z) {
    return double(cells[std::size_t((z * ny + y) * nx + x)]);
  };
  for (int z = 1; z < nz - 1; ++z) {
    for (int y = 1; y < ny - 1; ++y) {
      for (int x = 1; x < nx - 1; ++x) {
        const double around = cell(x - 1, y, z) + cell(x + 1, y, z) + cell(x, y - 1, z) +
                              cell(x, y + 1, z) + cell(x, y, z - 1) + cell(x, y, z + 1);
        want[std::size_t((z * ny + y) * nx + x)] =
            double(kCentre) * cell(x, y, z) + double(kNeighbour) * around;
      }
    }
  }
  expect_close(out.download(), want, 1e-6);
}

void attend_and_compare(int n, bool causal) {
  constexpr float kScale = 0.08838834764f;
  const std::size_t count = std::size_t(n) * 128;
  const std::vector<float> q = random_floats(count, 1), k = random_floats(count, 2),
                           v = random_floats(count, 3);
  const Buffer<float> dq(q), dk(k), dv(v);
  Buffer<float> out(count);
  copies::attention(dq.get(), dk.get(), dv.get(), out.get(), 1, n, 128, kScale, causal);
  FINISH_LAUNCH();
  std::vector<double> want;
  for (int i = 0; i < n; ++i) {
    std::vector<double> sums(128, 0);
    double total = 0;
    for (int j = 0; j < (causal ? i + 1 : n); ++j) {
      double score = 0;
      for (int x = 0; x < 128; ++x) {
        score += double(q[std::size_t(i * 128 + x)]) * double(k[std::size_t(j * 128 + x)]);
      }
      const double weight = std::exp(score * double(kScale));
      total += weight;
      for (int x = 0; x < 128; ++x) {
        sums[std::size_t(x)] += weight * double(v[std::size_t(j * 128 + x)]);
      }
    }
    for (const double sum : sums) want.push_back(sum / total);
  }
  expect_close(out.download(), want, 1e-5);
}

void run() {
  sort_and_compare(1, 1 << 30);
  sort_and_compare(20001, 1 << 30);  // three tiles, the last one not full
  sort_and_compare(9216, 3);  // a full tile, few digits
  for (const int count : {1, 1030, 2047, 2048}) subtract_and_compare(count);
  exponentiate_and_compare(2, 4100);
  exponentiate_and_compare(1, 16388);
  exponentiate_and_compare(2, 33000);  // a cluster
  multiply_and_compare(2500, 2000);
  multiply_and_compare(1000, 100000);  // not all in a window
  convolve_and_compare(70, 300);
  step_and_compare(101, 37, 40);  // rows that all begin differently, two parts of the planes
  step_and_compare(32, 3, 9);
  attend_and_compare(64, false);
  attend_and_compare(100, true);
}

}  // namespace

int main(int argc, char** argv) {
  return testing::run_program(argc, argv, run);
}
