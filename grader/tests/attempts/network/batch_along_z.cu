#include "network.h"
#include <cuda_runtime.h>
#include <cstdio>

#define TILE 16

__global__ void conv_forward(const float* x, const float* k, float* y, int channels, int height, int width, int maps,
                             int mask, int first)
{
   const int H = height - mask + 1;
   const int W = width - mask + 1;
   const int tilesAcross = (W + TILE - 1) / TILE;
   const int m = blockIdx.x;
   const int r = (blockIdx.y / tilesAcross) * TILE + threadIdx.y;
   const int c = (blockIdx.y % tilesAcross) * TILE + threadIdx.x;
   const int b = blockIdx.z + first;
   if (r < H && c < W)
   {
      float acc = 0.f;
      for (int ch = 0; ch < channels; ch++)
         for (int p = 0; p < mask; p++)
            for (int q = 0; q < mask; q++)
               acc += x[((b * channels + ch) * height + r + p) * width + c + q] *
                      k[((m * channels + ch) * mask + p) * mask + q];
      y[((b * maps + m) * H + r) * W + c] = acc;
   }
}

__global__ void pool_forward(const float* y, const float* bias, float* out, int total, int maps, int H, int W)
{
   int i = blockIdx.x * blockDim.x + threadIdx.x;
   if (i >= total) return;
   int oh = (H + 1) / 2, ow = (W + 1) / 2;
   int col = i % ow, row = i / ow % oh, bm = i / (ow * oh);
   float sum = 0;
   int n = 0;
   for (int r = 2 * row; r <= 2 * row + 1; r++)
      for (int c = 2 * col; c <= 2 * col + 1; c++)
         if (r < H && c < W)
         {
            sum += y[(bm * H + r) * W + c];
            n++;
         }
   out[i] = 1.f / (1.f + expf(-(sum / n + bias[bm % maps])));
}

void network_layer(const float* images, const float* weights, const float* bias, float* out, int batch, int channels,
                   int height, int width, int maps, int mask)
{
   if (batch == 0) return;
   int H = height - mask + 1, W = width - mask + 1;
   float* y = NULL;
   cudaMalloc((void**)&y, sizeof(float) * batch * maps * H * W);
   dim3 block(TILE, TILE);
   int tiles = ((H + TILE - 1) / TILE) * ((W + TILE - 1) / TILE);
   dim3 grid(maps, tiles, batch);
   conv_forward<<<grid, block>>>(images, weights, y, channels, height, width, maps, mask, 0);
   int total = batch * maps * ((H + 1) / 2) * ((W + 1) / 2);
   pool_forward<<<(total + 255) / 256, 256>>>(y, bias, out, total, maps, H, W);
   cudaFree(y);
}
