#include "emulator/tests/support/program.h"

// Device and constant variables from the host's side.

namespace {

__device__ int table[8] = {1, 2, 3, 4, 5, 6, 7, 8};
__constant__ float weights[4] = {0.5f, 1.5f, 2.5f, 3.5f};
__device__ double accumulator;
__managed__ int shared_counter = 5;
__device__ int* target;

struct Settings {
  int scale;
  double offset;
};
__constant__ Settings settings = {2, 0.25};

__global__ void use_all(double* out) {
  const unsigned i = threadIdx.x;
  out[i] = table[i] * weights[i % 4] * settings.scale + settings.offset;
  if (i == 0) accumulator += 1.5;
  if (i == 1) atomicAdd(&shared_counter, 10);
}

__global__ void write_target(int value) {
  *target = value;
}

std::vector<double> expected(const std::vector<int>& t, const std::vector<float>& w, Settings s) {
  std::vector<double> out;
  for (std::size_t i = 0; i < 8; ++i) {
    out.push_back(double(float(t[i]) * w[i % 4] * float(s.scale)) + s.offset);
  }
  return out;
}

void run() {
  testing::Buffer<double> out(8);
  use_all<<<1, 8>>>(out.get());
  FINISH_LAUNCH();
  testing::expect_equal(out.download(),
                        expected({1, 2, 3, 4, 5, 6, 7, 8}, {0.5f, 1.5f, 2.5f, 3.5f}, {2, 0.25}));
  EXPECT(shared_counter == 15);

  // The whole table, then two elements in the middle.
  std::vector<int> t = {10, 20, 30, 40, 50, 60, 70, 80};
  CUDA_CHECK(cudaMemcpyToSymbol(table, t.data(), sizeof table));
  const int middle[2] = {-1, -2};
  CUDA_CHECK(cudaMemcpyToSymbol(table, middle, sizeof middle, 3 * sizeof(int)));
  t[3] = -1, t[4] = -2;
  std::vector<float> w = {1, 2, 3, 4};
  CUDA_CHECK(cudaMemcpyToSymbol(weights, w.data(), sizeof weights, 0, cudaMemcpyHostToDevice));
  const Settings changed = {-3, 100};
  CUDA_CHECK(cudaMemcpyToSymbolAsync(settings, &changed, sizeof changed, 0, cudaMemcpyHostToDevice,
                                     cudaStreamPerThread));
  CUDA_CHECK(cudaStreamSynchronize(cudaStreamPerThread));
  shared_counter = 1;
  use_all<<<1, 8>>>(out.get());
  FINISH_LAUNCH();
  testing::expect_equal(out.download(), expected(t, w, changed));
  EXPECT(shared_counter == 11);

  // A managed variable, too, although host code has it at its own address.
  const int replaced = 111;
  CUDA_CHECK(cudaMemcpyToSymbol(shared_counter, &replaced, sizeof replaced));
  EXPECT(shared_counter == 111);
  void* managed = nullptr;
  CUDA_CHECK(cudaGetSymbolAddress(&managed, shared_counter));
  EXPECT(managed == &shared_counter);
  std::size_t managed_bytes = 0;
  CUDA_CHECK(cudaGetSymbolSize(&managed_bytes, shared_counter));
  EXPECT(managed_bytes == sizeof shared_counter);

  std::vector<int> back(8);
  CUDA_CHECK(cudaMemcpyFromSymbol(back.data(), table, sizeof table));
  testing::expect_equal(back, t);
  int one = 0;
  CUDA_CHECK(cudaMemcpyFromSymbol(&one, table, sizeof one, 4 * sizeof(int)));
  EXPECT(one == -2);
  double sum = 0;
  CUDA_CHECK(cudaMemcpyFromSymbol(&sum, accumulator, sizeof sum));
  EXPECT(sum == 3.0);

  void* address = nullptr;
  std::size_t size = 0;
  CUDA_CHECK(cudaGetSymbolAddress(&address, table));
  CUDA_CHECK(cudaGetSymbolSize(&size, table));
  EXPECT(size == 32);
  CUDA_CHECK(cudaMemset(address, 0, size));
  CUDA_CHECK(cudaMemcpyFromSymbol(back.data(), table, sizeof table));
  testing::expect_equal(back, std::vector<int>(8, 0));

  // A device pointer kept in a device variable.
  testing::Buffer<int> cell(1);
  int* pointer = cell.get();
  CUDA_CHECK(cudaMemcpyToSymbol(target, &pointer, sizeof pointer));
  write_target<<<1, 1>>>(77);
  FINISH_LAUNCH();
  EXPECT(cell.download()[0] == 77);

  // From a device buffer to a symbol.
  const testing::Buffer<int> values(std::vector<int>{9, 8, 7, 6, 5, 4, 3, 2});
  CUDA_CHECK(cudaMemcpyToSymbol(table, values.get(), 32, 0, cudaMemcpyDeviceToDevice));
  CUDA_CHECK(cudaMemcpyFromSymbol(back.data(), table, sizeof table));
  testing::expect_equal(back, {9, 8, 7, 6, 5, 4, 3, 2});
}

}  // namespace

int main(int argc, char** argv) {
  return testing::run_program(argc, argv, run);
}
