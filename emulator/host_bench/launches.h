#pragma once

#include <cuda_runtime.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>

namespace warpsim::bench {

/// The number given as argument `index`, or the default.
inline int argument(int argc, char** argv, int index, int usual) {
  return index < argc ? std::atoi(argv[index]) : usual;
}

/// Prints the host's seconds for each of `count` launches, one line each, as "launch <seconds>".
template <class Launch>
void time_launches(int count, Launch launch) {
  for (int i = 0; i < count; ++i) {
    const auto start = std::chrono::steady_clock::now();
    launch();
    cudaDeviceSynchronize();
    const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
    std::printf("launch %.9f\n", seconds.count());
  }
}

}  // namespace warpsim::bench
