#include "emulator/cudart/tests/kernels.h"

// Kernels of the API tests that use what the headers for clang do not cover (docs/cuda-headers.md).

namespace {

__managed__ int managed_value = 7;

__global__ void add_to_managed(int value) {
  managed_value += value;
}

__global__ void count_down(cudaGraphConditionalHandle handle, int* counter) {
  cudaGraphSetConditional(handle, --*counter > 0);
}

__global__ void set_condition(cudaGraphConditionalHandle handle, unsigned value) {
  cudaGraphSetConditional(handle, value);
}

}  // namespace

void launch_add_to_managed(int value) {
  add_to_managed<<<1, 1>>>(value);
}

const void* count_down_kernel() {
  return reinterpret_cast<const void*>(count_down);
}
const void* set_condition_kernel() {
  return reinterpret_cast<const void*>(set_condition);
}

int& managed_value_on_host() {
  return managed_value;
}
