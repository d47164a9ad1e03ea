#include <numeric>

#include "emulator/tests/support/program.h"

// Copies in every direction, pitched and boxed, and memory set to a value.

namespace {

template <class T>
std::vector<T> counting(std::size_t n) {
  std::vector<T> values(n);
  std::iota(values.begin(), values.end(), T(0));
  return values;
}

__global__ void add_one(int* values, std::size_t pitch, int width, int height) {
  const int x = int(threadIdx.x), y = int(blockIdx.x);
  if (x >= width || y >= height) return;
  int* row = reinterpret_cast<int*>(reinterpret_cast<char*>(values) + std::size_t(y) * pitch);
  row[x] += 1;
}

void one_dimension() {
  const std::vector<int> values = counting<int>(100);
  testing::Buffer<int> a(values), b(100);
  b.fill_bytes(0);
  // Part of one buffer into the middle of another.
  CUDA_CHECK(cudaMemcpy(b.get() + 20, a.get() + 50, 30 * sizeof(int), cudaMemcpyDeviceToDevice));
  std::vector<int> want(100), got = b.download();
  std::iota(want.begin() + 20, want.begin() + 50, 50);
  testing::expect_equal(got, want);
  // The direction from the pointers.
  std::vector<int> back(100), again(100);
  CUDA_CHECK(cudaMemcpy(back.data(), a.get(), 400, cudaMemcpyDefault));
  testing::expect_equal(back, values);
  CUDA_CHECK(cudaMemcpy(again.data(), back.data(), 400, cudaMemcpyHostToHost));
  testing::expect_equal(again, values);
  CUDA_CHECK(cudaMemcpy(b.get(), again.data(), 400, cudaMemcpyDefault));
  testing::expect_equal(b.download(), values);
  CUDA_CHECK(cudaMemcpy(b.get(), a.get(), 0, cudaMemcpyDeviceToDevice));

  b.fill_bytes(0x7f);
  testing::expect_equal(b.download(), std::vector<int>(100, 0x7f7f7f7f));
  CUDA_CHECK(cudaMemsetAsync(b.get() + 1, 0, 4, nullptr));
  CUDA_CHECK(cudaDeviceSynchronize());
  EXPECT(b.download()[0] == 0x7f7f7f7f && b.download()[1] == 0 && b.download()[2] == 0x7f7f7f7f);
}

void two_dimensions() {
  constexpr int kWidth = 37, kHeight = 11;
  const std::vector<int> values = counting<int>(kWidth * kHeight);
  int* device = nullptr;
  std::size_t pitch = 0;
  CUDA_CHECK(cudaMallocPitch(&device, &pitch, kWidth * sizeof(int), kHeight));
  EXPECT(pitch >= kWidth * sizeof(int) && pitch % 32 == 0);
  CUDA_CHECK(cudaMemcpy2D(device, pitch, values.data(), kWidth * sizeof(int), kWidth * sizeof(int),
                          kHeight, cudaMemcpyHostToDevice));
  add_one<<<kHeight, 64>>>(device, pitch, kWidth, kHeight);
  FINISH_LAUNCH();
  // A window of 5 x 3 out of the middle.
  std::vector<int> window(15), want;
  const char* from = reinterpret_cast<const char*>(device) + 4 * pitch + 7 * sizeof(int);
  CUDA_CHECK(cudaMemcpy2D(window.data(), 5 * sizeof(int), from, pitch, 5 * sizeof(int), 3,
                          cudaMemcpyDeviceToHost));
  for (int y = 4; y < 7; ++y) {
    for (int x = 7; x < 12; ++x) want.push_back(y * kWidth + x + 1);
  }
  testing::expect_equal(window, want);
  // One row set to zero, read back asynchronously.
  CUDA_CHECK(
      cudaMemset2D(reinterpret_cast<char*>(device) + 2 * pitch, pitch, 0, kWidth * sizeof(int), 1));
  std::vector<int> back(values.size());
  CUDA_CHECK(cudaMemcpy2DAsync(back.data(), kWidth * sizeof(int), device, pitch,
                               kWidth * sizeof(int), kHeight, cudaMemcpyDeviceToHost, nullptr));
  CUDA_CHECK(cudaStreamSynchronize(nullptr));
  for (std::size_t i = 0; i < back.size(); ++i) {
    EXPECT(back[i] == (i / kWidth == 2 ? 0 : values[i] + 1));
  }
  CUDA_CHECK(cudaFree(device));
}

void three_dimensions() {
  const cudaExtent extent = make_cudaExtent(6 * sizeof(int), 5, 4);
  cudaPitchedPtr box;
  CUDA_CHECK(cudaMalloc3D(&box, extent));
  EXPECT(box.pitch >= extent.width && box.ysize == 5);
  std::vector<int> values = counting<int>(6 * 5 * 4), back(values.size());
  cudaMemcpy3DParms copy = {};
  copy.srcPtr = make_cudaPitchedPtr(values.data(), 6 * sizeof(int), 6, 5);
  copy.dstPtr = box;
  copy.extent = extent;
  copy.kind = cudaMemcpyHostToDevice;
  CUDA_CHECK(cudaMemcpy3D(&copy));
  CUDA_CHECK(cudaMemset3D(box, 0, make_cudaExtent(2 * sizeof(int), 1, 1)));
  copy.srcPtr = box;
  copy.dstPtr = make_cudaPitchedPtr(back.data(), 6 * sizeof(int), 6, 5);
  copy.kind = cudaMemcpyDeviceToHost;
  CUDA_CHECK(cudaMemcpy3D(&copy));
  values[0] = values[1] = 0;
  testing::expect_equal(back, values);
  CUDA_CHECK(cudaFree(box.ptr));
}

void run() {
  one_dimension();
  two_dimensions();
  three_dimensions();
}

}  // namespace

int main(int argc, char** argv) {
  return testing::run_program(argc, argv, run);
}
