// One empty launch: what it costs to load the emulator, parse the module and end.

#include "emulator/host_bench/launches.h"

namespace {
__global__ void nothing() {}
}  // namespace

int main() {
  warpsim::bench::time_launches(1, [] { nothing<<<1, 1>>>(); });
  return cudaDeviceSynchronize() == cudaSuccess ? 0 : 1;
}
