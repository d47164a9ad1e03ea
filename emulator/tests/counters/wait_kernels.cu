// Kernels that wait for memory, and one that only reads it again and again.

#include <cooperative_groups.h>

#include <cstdio>

namespace {

/// The first block waits while the second one works.
__global__ void wait_for_flag(volatile int* flag, int* out) {
  if (blockIdx.x == 0) {
    while (*flag == 0) {
    }
    out[0] = 1;
  } else {
    unsigned x = 1;
    for (int i = 0; i < 20000; ++i) x = x * 1664525u + (x >> 16);
    out[1] = static_cast<int>(x);
    __threadfence();
    *flag = 1;
  }
}

__global__ void meet_twice(int* out) {
  cooperative_groups::this_grid().sync();
  out[blockIdx.x * blockDim.x + threadIdx.x] = 1;
  cooperative_groups::this_grid().sync();
}

__global__ void sum_volatile(const volatile int* word, int* out) {
  int sum = 0;
  for (int i = 0; i < 100; ++i) sum += *word;
  *out = sum;
}

bool check(cudaError_t error) {
  if (error != cudaSuccess) std::fprintf(stderr, "%s\n", cudaGetErrorString(error));
  return error == cudaSuccess;
}

}  // namespace

int main() {
  int* words = nullptr;
  if (!check(cudaMalloc(&words, 4096)) || !check(cudaMemset(words, 0, 4096))) return 1;
  int* out = words + 1;
  wait_for_flag<<<2, 1>>>(words, out);
  sum_volatile<<<1, 1>>>(words, out);
  void* arguments[] = {&out};
  if (!check(cudaLaunchCooperativeKernel(meet_twice, dim3(8), dim3(64), arguments))) return 1;
  return check(cudaDeviceSynchronize()) && check(cudaFree(words)) ? 0 : 1;
}
