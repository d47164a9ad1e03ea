#undef NDEBUG
#include <cassert>

#include "emulator/tests/support/program.h"

// assert() in a kernel that holds is silent; one that fails ends the kernel with its own error.

namespace {

__global__ void require_below(const int* values, int limit) {
  assert(values[threadIdx.x] < limit && "too large");
}

void run() {
  const testing::Buffer<int> values(std::vector<int>{1, 5, 3, 7});
  require_below<<<1, 4>>>(values.get(), 8);
  FINISH_LAUNCH();
  require_below<<<1, 4>>>(values.get(), 5);
  EXPECT_ERROR(cudaDeviceSynchronize(), cudaErrorAssert);
  EXPECT_ERROR(cudaGetLastError(), cudaErrorAssert);
}

}  // namespace

int main(int argc, char** argv) {
  return testing::run_program(argc, argv, run);
}
