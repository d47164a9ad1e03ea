#include "images.h"

#include <cuda_runtime.h>

// One thread per pixel, in blocks of 32 x 8: x along a row.

__global__ void gray_pixels(const unsigned char* rgb, unsigned char* gray, int height, int width) {
  // TODO 1: which row and which column has this thread? There may be no such pixel.

  // TODO 2: where are the three bytes of the pixel, and where is its gray value?
}

__global__ void blur_pixels(const unsigned char* image, unsigned char* blurred, int height,
                            int width, int radius) {
  // TODO 3: add up the window, and count the pixels that exist. Which type can hold the sum?
}

void to_gray(const unsigned char* rgb, unsigned char* gray, int height, int width) {
  // The arrays are in device memory already.

  // TODO 4: when is there nothing to do? How many blocks in x and in y? Check the launch.
}

void box_blur(const unsigned char* image, unsigned char* blurred, int height, int width,
              int radius) {
  // TODO 5: the same for the blur.

  // TODO 6: once all cases pass, count how often a pixel is loaded. A tile with its halo in shared
  // memory is loaded once; sums of rows, and then sums of those, save most of the additions.
}
