#include "emulator/tests/support/program.h"

// Iteration counts of the Mandelbrot set: loops of very different length side by side. The host
// does the same operations in the same order, so counts are equal.

namespace {

constexpr int kLimit = 200;

// Products and sums that the compiler may not fuse.
__host__ __device__ double multiply(double a, double b) {
#ifdef __CUDA_ARCH__
  return __dmul_rn(a, b);
#else
  return a * b;
#endif
}

__host__ __device__ int iterations(double re, double im) {
  double x = 0, y = 0;
  int count = 0;
  while (count < kLimit) {
    const double x2 = multiply(x, x), y2 = multiply(y, y);
    if (x2 + y2 > 4) break;
    y = multiply(2 * x, y) + im;
    x = x2 - y2 + re;
    ++count;
  }
  return count;
}

__global__ void mandelbrot(int* out, int width, int height) {
  const int column = int(blockIdx.x * blockDim.x + threadIdx.x);
  const int row = int(blockIdx.y * blockDim.y + threadIdx.y);
  if (column >= width || row >= height) return;
  out[row * width + column] = iterations(3.0 * column / width - 2.0, 2.0 * row / height - 1.0);
}

void run() {
  constexpr int kWidth = 100, kHeight = 61;
  std::vector<int> want;
  for (int row = 0; row < kHeight; ++row) {
    for (int column = 0; column < kWidth; ++column) {
      want.push_back(iterations(3.0 * column / kWidth - 2.0, 2.0 * row / kHeight - 1.0));
    }
  }
  testing::Buffer<int> out(want.size());
  mandelbrot<<<dim3(7, 8), dim3(16, 8)>>>(out.get(), kWidth, kHeight);
  FINISH_LAUNCH();
  testing::expect_equal(out.download(), want);
}

}  // namespace

int main(int argc, char** argv) {
  return testing::run_program(argc, argv, run);
}
