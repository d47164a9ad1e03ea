// The time of a runtime call: with the device in the same process, and with `warpsim --separate` in
// another.
//   cmake --build build --target bench_round_trip
//   build/bin/warpsim --quiet --check none [--separate] -- build/bin/bench/round_trip

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <vector>

__global__ void nothing() {}

template <class Call>
void measure(const char* what, int times, Call call) {
  using Clock = std::chrono::steady_clock;
  std::vector<double> microseconds;
  for (int i = 0; i < times; ++i) {
    const Clock::time_point begin = Clock::now();
    call();
    microseconds.push_back(std::chrono::duration<double, std::micro>(Clock::now() - begin).count());
  }
  std::sort(microseconds.begin(), microseconds.end());
  std::printf("%-24s median %6.2f us, 90 %% below %6.2f us\n", what,
              microseconds[microseconds.size() / 2], microseconds[microseconds.size() * 9 / 10]);
}

int main() {
  cudaFree(nullptr);
  int device = 0;
  void* memory = nullptr;
  measure("cudaGetDevice", 20000, [&] { cudaGetDevice(&device); });
  measure("cudaStreamQuery", 20000, [&] { cudaStreamQuery(nullptr); });
  measure("cudaMalloc and cudaFree", 2000, [&] {
    cudaMalloc(&memory, 100);
    cudaFree(memory);
  });
  measure("an empty kernel", 2000, [&] { nothing<<<1, 1>>>(); });
  return cudaDeviceSynchronize() == cudaSuccess ? 0 : 1;
}
