#include <cuda_pipeline.h>
#include <cuda_runtime.h>

#include <cstddef>
#include <cstdio>
#include <cstdlib>

#include "convolution.h"
#include "reference/gpu_bench/cudnn.h"
#include "reference/gpu_bench/row.h"

namespace solution {
#include "reference/convolution/solution.cu"
}
#undef CHECK
namespace ring_of_rows {
#include "reference/convolution/hopper/ring_of_rows.cu"
}

namespace against {
namespace {

constexpr int kExtent = 8192;
constexpr std::size_t kPixels = std::size_t{kExtent} * kExtent;

// The obvious kernel: one thread per output, everything from global memory.
__global__ void naive(const float* image, const float* mask, float* result, int extent, int size) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= extent || y >= extent) return;
  float sum = 0;
  for (int i = 0; i < size; ++i) {
    for (int j = 0; j < size; ++j) {
      const int row = y + i - size / 2;
      const int column = x + j - size / 2;
      if (row < 0 || row >= extent || column < 0 || column >= extent) continue;
      sum += mask[i * size + j] * image[row * extent + column];
    }
  }
  result[y * extent + x] = sum;
}

Row row_of(int size) {
  Row row;
  row.lab = "convolution";
  row.size = std::to_string(size) + " x " + std::to_string(size) + " mask, 8192^2 floats";
  row.inputs = {uniform_floats(kPixels), uniform_floats(static_cast<std::size_t>(size) * size)};
  row.output_bytes = sizeof(float) * kPixels;
  row.error = [](const void* got, const void* want) { return relative_error(got, want, kPixels); };
  row.largest_error = 1e-5;  // floats; TF32 would differ by some 1e-4
  row.work = 2.0 * sizeof(float) * kPixels;
  row.ceiling = Ceiling::copy;
  std::string why_not;
  if (cudnn_found(why_not)) {
    row.contenders.push_back(cudnn_convolution(kExtent, kExtent, size));
  } else {
    row.size += " (without cuDNN: " + why_not + ")";
  }
  row.contenders.push_back({"naive kernel", [=](const Buffers& b) {
                              const dim3 block(32, 8);
                              const dim3 grid(kExtent / block.x, kExtent / block.y);
                              naive<<<grid, block>>>(b.input<float>(0), b.input<float>(1),
                                                     b.output<float>(), kExtent, size);
                            }});
  row.contenders.push_back({"solution", [=](const Buffers& b) {
                              solution::convolution(b.input<float>(0), b.input<float>(1),
                                                    b.output<float>(), kExtent, kExtent, size,
                                                    size);
                            }});
  if (size == 7) {
    row.contenders.push_back({"hopper/ring_of_rows", [=](const Buffers& b) {
                                ring_of_rows::convolution(b.input<float>(0), b.input<float>(1),
                                                          b.output<float>(), kExtent, kExtent, size,
                                                          size);
                              }});
  }
  return row;
}

const Registration kConvolution("convolution", [] {
  return std::vector<Row>{row_of(5), row_of(7)};
});

}  // namespace
}  // namespace against
