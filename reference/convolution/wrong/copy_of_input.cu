// verdict: fails-correctness
// pitfall: none
// caught-by: case "by hand"
// Trivial: the result is the image.
#include "convolution.h"

#include <cuda_runtime.h>

void convolution(const float* image, const float* mask, float* result, int height, int width,
                 int mask_height, int mask_width) {
  cudaMemcpy(result, image, (size_t)height * width * sizeof(float), cudaMemcpyDeviceToDevice);
}
