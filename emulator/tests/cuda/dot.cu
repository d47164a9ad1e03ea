#include "emulator/tests/support/program.h"

// Dot products in double, with compensated summation, and mixed precision; SAXPY through
// cudaLaunchKernel; a norm by two kernels that depend on each other's result.

namespace {

__global__ void dot(const double* a, const double* b, double* out, int n) {
  __shared__ double cells[128];
  double sum = 0, carry = 0;
  for (int i = int(blockIdx.x * blockDim.x + threadIdx.x); i < n;
       i += int(gridDim.x * blockDim.x)) {
    // Kahan: what the sum loses is carried along.
    const double term = a[i] * b[i] - carry;
    const double next = sum + term;
    carry = (next - sum) - term;
    sum = next;
  }
  cells[threadIdx.x] = sum;
  __syncthreads();
  for (unsigned stride = 64; stride > 0; stride /= 2) {
    if (threadIdx.x < stride) cells[threadIdx.x] += cells[threadIdx.x + stride];
    __syncthreads();
  }
  if (threadIdx.x == 0) atomicAdd(out, cells[0]);
}

__global__ void mixed_dot(const float* a, const float* b, double* out, int n) {
  double sum = 0;
  for (int i = int(threadIdx.x); i < n; i += 32) sum += double(a[i]) * double(b[i]);
  for (int by = 16; by > 0; by /= 2) sum += __shfl_xor_sync(0xffffffffu, sum, by);
  if (threadIdx.x == 0) *out = sum;
}

__global__ void saxpy(int n, float alpha, const float* x, float* y) {
  const int i = int(blockIdx.x * blockDim.x + threadIdx.x);
  if (i < n) y[i] = alpha * x[i] + y[i];
}

__global__ void divide_by_root(double* values, const double* squared, int n) {
  const int i = int(blockIdx.x * blockDim.x + threadIdx.x);
  if (i < n) values[i] /= sqrt(*squared);
}

void run() {
  constexpr int kCount = 3001;
  const std::vector<float> x = testing::random_floats(kCount, 13);
  const std::vector<float> y = testing::random_floats(kCount, 14);
  const std::vector<double> a(x.begin(), x.end()), b(y.begin(), y.end());
  long double want = 0, squared = 0;
  for (int i = 0; i < kCount; ++i) {
    want += (long double)(a[std::size_t(i)]) * b[std::size_t(i)];
    squared += (long double)(a[std::size_t(i)]) * a[std::size_t(i)];
  }
  testing::Buffer<double> device_a(a), device_b(b), out(1);
  out.fill_bytes(0);
  dot<<<6, 128>>>(device_a.get(), device_b.get(), out.get(), kCount);
  FINISH_LAUNCH();
  testing::expect_close(out.download(), std::vector<double>{double(want)}, 1e-10);

  const testing::Buffer<float> device_x(x);
  testing::Buffer<float> device_y(y);
  mixed_dot<<<1, 32>>>(device_x.get(), device_y.get(), out.get(), kCount);
  FINISH_LAUNCH();
  testing::expect_close(out.download(), std::vector<double>{double(want)}, 1e-10);

  int n = kCount;
  float alpha = -2.5f;
  const float* px = device_x.get();
  float* py = device_y.get();
  void* arguments[] = {&n, &alpha, &px, &py};
  CUDA_CHECK(cudaLaunchKernel(reinterpret_cast<const void*>(saxpy), dim3(24), dim3(128), arguments,
                              0, nullptr));
  FINISH_LAUNCH();
  std::vector<double> want_y;
  for (int i = 0; i < kCount; ++i) {
    want_y.push_back(-2.5 * x[std::size_t(i)] + y[std::size_t(i)]);
  }
  testing::expect_close(device_y.download(), want_y, 1e-6);

  out.fill_bytes(0);
  dot<<<6, 128>>>(device_a.get(), device_a.get(), out.get(), kCount);
  divide_by_root<<<24, 128>>>(device_a.get(), out.get(), kCount);
  FINISH_LAUNCH();
  std::vector<double> unit;
  for (const double value : a) unit.push_back(value / std::sqrt(double(squared)));
  testing::expect_close(device_a.download(), unit, 1e-12);
}

}  // namespace

int main(int argc, char** argv) {
  return testing::run_program(argc, argv, run);
}
