#include "emulator/tests/support/program.h"

// A kernel that faults takes the process's device with it: every later call says so.

namespace {

__global__ void write_through(int* pointer) {
  *pointer = 1;
}

void run() {
  int* device = nullptr;
  CUDA_CHECK(cudaMalloc(&device, 4));
  write_through<<<1, 1>>>(nullptr);
  EXPECT_ERROR(cudaDeviceSynchronize(), cudaErrorIllegalAddress);
  EXPECT_ERROR(cudaDeviceSynchronize(), cudaErrorIllegalAddress);
  // Reading clears the last error, as always; the next call that needs the device sets it again.
  EXPECT_ERROR(cudaGetLastError(), cudaErrorIllegalAddress);
  EXPECT_ERROR(cudaGetLastError(), cudaSuccess);
  int value = 0;
  EXPECT_ERROR(cudaMemcpy(&value, device, 4, cudaMemcpyDeviceToHost), cudaErrorIllegalAddress);
  EXPECT_ERROR(cudaMalloc(&device, 4), cudaErrorIllegalAddress);
  EXPECT_ERROR(cudaFree(device), cudaErrorIllegalAddress);
  int count = 0;
  EXPECT_ERROR(cudaGetDeviceCount(&count), cudaSuccess);
  write_through<<<1, 1>>>(device);
  EXPECT_ERROR(cudaGetLastError(), cudaErrorIllegalAddress);
  EXPECT_ERROR(cudaDeviceSynchronize(), cudaErrorIllegalAddress);
}

}  // namespace

int main(int argc, char** argv) {
  return testing::run_program(argc, argv, run);
}
