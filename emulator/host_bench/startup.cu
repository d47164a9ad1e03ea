// One empty launch: the cost of loading the emulator, parsing the module and ending.

#include "emulator/host_bench/launches.h"

namespace {
__global__ void nothing() {}
}  // namespace

int main() {
  warpsim::bench::time_launches(1, [] { nothing<<<1, 1>>>(); });
  return cudaDeviceSynchronize() == cudaSuccess ? 0 : 1;
}
