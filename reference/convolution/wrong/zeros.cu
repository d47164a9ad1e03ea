// verdict: fails-correctness
// pitfall: none
// caught-by: case "by hand"
// Trivial: all zeros.
#include "convolution.h"

#include <cuda_runtime.h>

void convolution(const float* image, const float* mask, float* result, int height, int width,
                 int mask_height, int mask_width) {
  cudaMemset(result, 0, (size_t)height * width * sizeof(float));
}
