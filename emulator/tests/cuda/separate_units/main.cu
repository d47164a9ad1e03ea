#include "emulator/tests/cuda/separate_units/part.h"
#include "emulator/tests/support/program.h"

// A program of two units compiled with -rdc=true: device functions and variables of one are used by
// the other, and both have names of their own that are the same.

namespace {

// part.cu has one of the same name that says something else.
__device__ int own_answer() {
  return 1;
}

__global__ void call_over(int* out, int n) {
  const int i = int(threadIdx.x);
  if (i >= n) return;
  out[i] = scaled(i) + bias + table[i % 4] + own_answer();
}

__global__ void call_through_pointer(int* out) {
  const Operation operation = operations[threadIdx.x % 2];
  out[threadIdx.x] = operation(int(threadIdx.x), 3) + twice(int(threadIdx.x));
}

void run() {
  testing::Buffer<int> out(32);
  call_over<<<1, 32>>>(out.get(), 32);
  FINISH_LAUNCH();
  std::vector<int> want;
  for (int i = 0; i < 32; ++i) want.push_back(3 * i + 100 + (i % 4 + 1) * 1000 + 1);
  testing::expect_equal(out.download(), want);

  // Variables of the other unit, by their symbols.
  const int new_bias = -5;
  const int new_table[4] = {0, 0, 7, 0};
  CUDA_CHECK(cudaMemcpyToSymbol(bias, &new_bias, sizeof new_bias));
  CUDA_CHECK(cudaMemcpyToSymbol(table, new_table, sizeof new_table));
  call_over<<<1, 32>>>(out.get(), 32);
  FINISH_LAUNCH();
  for (int i = 0; i < 32; ++i) {
    want[std::size_t(i)] = 3 * i - 5 + (i % 4 == 2 ? 7 : 0) + 1;
  }
  testing::expect_equal(out.download(), want);

  call_through_pointer<<<1, 32>>>(out.get());
  FINISH_LAUNCH();
  for (int i = 0; i < 32; ++i) want[std::size_t(i)] = (i % 2 == 0 ? i + 3 : i * 3) + 2 * i;
  testing::expect_equal(out.download(), want);

  // A kernel of the other unit, and what it left in that unit's variable.
  EXPECT(count_in_part(64) == 64 * 2);
  int seen = 0;
  CUDA_CHECK(cudaMemcpyFromSymbol(&seen, counter, sizeof seen));
  EXPECT(seen == 64 * 2);
}

}  // namespace

int main(int argc, char** argv) {
  return testing::run_program(argc, argv, run);
}
