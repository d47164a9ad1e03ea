#include "emulator/cudart/tests/kernels.h"

// Linked to the runtime statically, as nvcc does by default: what the launcher must refuse.
int main() {
  launch_print(1);
  return cudaDeviceSynchronize() == cudaSuccess ? 0 : 1;
}
