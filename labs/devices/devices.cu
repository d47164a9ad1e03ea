#include "devices.h"

#include <cuda_runtime.h>

constexpr int kBlock = 256;

// The largest |in[i]| of `count` samples, as the bits of a float: those of non-negative floats are
// ordered like the floats, so atomicMax for unsigned works on them.
__global__ void find_peak(const float* in, int count, unsigned* peak) {
  // TODO 1: a few blocks, several samples per thread, then one atomicMax per warp or block.
  // __float_as_uint converts; where is *peak set to 0 before this kernel runs?
}

__global__ void scale(float* samples, int count, const unsigned* peak) {
  // TODO 2: divide by __uint_as_float(*peak). What if it is 0?
}

void scale_to_peak(const float* samples, float* result, int n) {
  // samples and result are in pinned host memory: cudaMemcpyAsync returns at once.

  // TODO 3: all on device 0, to have something that works.

  // TODO 4: device 0 takes the first part, device 1 the rest. Memory, streams and events belong to
  // the device that is current (cudaSetDevice) when they are created. Which sizes leave a device
  // without samples?

  // TODO 5: each device needs the other's peak. Let the host fetch both at first; then copy them
  // from device to device, or let the kernel read the other device's memory
  // (cudaDeviceEnablePeerAccess). How does a device know that the other's peak is there?

  // TODO 6: wait for both devices, free everything, and make device 0 current again.
}
