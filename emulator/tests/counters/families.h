#pragma once

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <string>
#include <vector>

#include "emulator/tests/support/device.h"

// What the programs of families share. A family is a number of groups, and a group a number of
// kernels that do the same work in different ways; h200_families.csv has each kernel's time on a
// card. Every kernel is launched once; its group and use are printed. With --time it is launched
// again and again, and the median of its times by events, in microseconds, is printed too.

namespace families {

/// Groups that constants of the model were chosen with, and groups that they never were.
enum class Use { fitted, held_out };

struct Session {
  bool timed = false;
  std::string group;
  Use use = Use::fitted;
};
inline Session session;

inline void begin(int argc, char** argv) {
  for (int i = 1; i < argc; ++i) session.timed |= std::strcmp(argv[i], "--time") == 0;
}

inline void group(const std::string& name, Use use) {
  session.group = name;
  session.use = use;
}

template <class Launch>
void run(Launch launch) {
  launch();
  CUDA_CHECK(cudaGetLastError());
  CUDA_CHECK(cudaDeviceSynchronize());
  std::printf("%s,%s", session.group.c_str(), session.use == Use::fitted ? "fitted" : "held out");
  if (!session.timed) {
    std::printf("\n");
    return;
  }
  constexpr int kWarmUp = 3;
  constexpr int kRepeats = 21;
  cudaEvent_t begin, end;
  CUDA_CHECK(cudaEventCreate(&begin));
  CUDA_CHECK(cudaEventCreate(&end));
  std::vector<float> ms(kRepeats);
  for (int i = 0; i < kWarmUp; ++i) launch();
  for (float& one : ms) {
    CUDA_CHECK(cudaEventRecord(begin));
    launch();
    CUDA_CHECK(cudaEventRecord(end));
    CUDA_CHECK(cudaEventSynchronize(end));
    CUDA_CHECK(cudaEventElapsedTime(&one, begin, end));
  }
  CUDA_CHECK(cudaEventDestroy(begin));
  CUDA_CHECK(cudaEventDestroy(end));
  std::nth_element(ms.begin(), ms.begin() + kRepeats / 2, ms.end());
  std::printf(",%.2f\n", 1e3 * ms[kRepeats / 2]);
}

/// RUN((copy<4, 22>), blocks, threads, a, b)
#define RUN(kernel, blocks, threads, ...) \
  ::families::run([&] { kernel<<<blocks, threads>>>(__VA_ARGS__); })

template <class T>
T* allocate(size_t count) {
  T* p = nullptr;
  CUDA_CHECK(cudaMalloc(&p, count * sizeof(T)));
  CUDA_CHECK(cudaMemset(p, 0, count * sizeof(T)));
  return p;
}

__device__ inline unsigned global_index() {
  return blockIdx.x * blockDim.x + threadIdx.x;
}

}  // namespace families
