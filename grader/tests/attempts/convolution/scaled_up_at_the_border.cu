#include "convolution.h"
#include <cuda_runtime.h>

#define TX 32
#define TY 8

/* one thread per pixel */
__global__ void
convolve_kernel (const float *image, const float *mask, float *result, int height, int width, int mask_height,
                 int mask_width)
{
  int x = blockIdx.x * TX + threadIdx.x;
  int y = blockIdx.y * TY + threadIdx.y;
  if (x >= width || y >= height)
    return;
  int ry = mask_height / 2, rx = mask_width / 2;
  /* clip the window */
  int y0 = max (y - ry, 0), y1 = min (y + ry, height - 1);
  int x0 = max (x - rx, 0), x1 = min (x + rx, width - 1);
  float sum = 0;
  for (int yy = y0; yy <= y1; yy++)
    for (int xx = x0; xx <= x1; xx++)
      sum += image[yy * width + xx] * mask[(yy - y + ry) * mask_width + (xx - x + rx)];
  int used = (y1 - y0 + 1) * (x1 - x0 + 1);
  if (used < mask_height * mask_width)
    sum = sum * (mask_height * mask_width) / used; /* fewer pixels at the border */
  result[y * width + x] = sum;
}

void
convolution (const float *image, const float *mask, float *result, int height, int width, int mask_height,
             int mask_width)
{
  if (height == 0 || width == 0)
    return;
  dim3 threads (TX, TY);
  dim3 blocks ((width + TX - 1) / TX, (height + TY - 1) / TY);
  convolve_kernel<<<blocks, threads>>> (image, mask, result, height, width, mask_height, mask_width);
  if (cudaGetLastError () != cudaSuccess)
    return;
}
