// verdict: fails-correctness
// pitfall: none
// caught-by: case "by hand"
// Trivial: the input is copied.
#include "stencil.h"

#include <cuda_runtime.h>

void stencil(const float* in, float* out, int nx, int ny, int nz) {
  cudaMemcpy(out, in, sizeof(float) * nx * ny * nz, cudaMemcpyDeviceToDevice);
}
