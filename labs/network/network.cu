#include "network.h"

#include <cuda_runtime.h>

// One thread per value before pooling: begin like this, and pool in a second kernel.
__global__ void convolve(const float* images, const float* weights, float* values, int batch,
                         int channels, int height, int width, int maps, int mask) {
  // TODO 1: which image, which map, which row and which column has this thread? Is it within the
  // map, which is smaller than the image?

  // TODO 2: one sum over all channels and over the mask's rows and columns.
}

__global__ void pool(const float* values, const float* bias, float* out, int batch, int maps,
                     int map_height, int map_width) {
  // TODO 3: the mean of a window of 2 x 2, which may be cut off at the right and at the bottom.
  // When does the bias come in, and when the sigmoid?
}

void network_layer(const float* images, const float* weights, const float* bias, float* out,
                   int batch, int channels, int height, int width, int maps, int mask) {
  // All arrays are in device memory already.

  // TODO 4: how large is a map before pooling, and after it? Allocate device memory for the values
  // before pooling, launch both kernels, check the launches, and free what you allocated. A grid
  // has at most 65535 blocks along y and z: is the batch always smaller?

  // TODO 5: once all cases pass, write the layer as a product of matrices whose tiles are built in
  // shared memory, and pool before anything is stored.
}
