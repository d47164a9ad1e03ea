#include "vecadd.h"

#include <cuda_runtime.h>

// One thread computes one element of c.
__global__ void add(const float* a, const float* b, float* c, int n) {
  // TODO 1: which element does this thread compute? Use blockIdx.x, blockDim.x and threadIdx.x.

  // TODO 2: the grid may have more threads than there are elements. Add only where there is one.
}

void vecadd(const float* a, const float* b, float* c, int n) {
  // a, b and c are in host memory, which a kernel cannot access.

  // TODO 3: allocate a device buffer for each of a, b and c (cudaMalloc takes bytes).

  // TODO 4: copy a and b to the device.

  // TODO 5: how many blocks of 256 threads cover n elements? Launch the kernel; check the launch.

  // TODO 6: copy the result back into c, and free what you allocated.
}
