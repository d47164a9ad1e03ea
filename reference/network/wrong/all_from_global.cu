// verdict: fails-concept
// pitfall: P64
// caught-by: concept traffic
// Right and plain: pixels and weights come from global memory for every product.
#include "network.h"

#include <cuda_runtime.h>

constexpr int kBlock = 256;

__global__ void layer(const float* images, const float* weights, const float* bias, float* out,
                      int channels, int height, int width, int maps, int mask, int count) {
  const int i = blockIdx.x * kBlock + threadIdx.x;
  if (i >= count) return;
  const int map_height = height - mask + 1;
  const int map_width = width - mask + 1;
  const int out_height = (map_height + 1) / 2;
  const int out_width = (map_width + 1) / 2;
  const int left = i % out_width * 2;
  const int top = i / out_width % out_height * 2;
  const int map = i / out_width / out_height % maps;
  const int image = i / out_width / out_height / maps;
  const int right = min(left + 2, map_width);
  const int bottom = min(top + 2, map_height);

  float sum = 0;
  for (int k = 0; k < channels; ++k) {
    const float* pixels = images + (image * channels + k) * height * width;
    const float* weight = weights + (map * channels + k) * mask * mask;
    for (int p = 0; p < mask; ++p) {
      for (int q = 0; q < mask; ++q) {
        for (int row = top; row < bottom; ++row) {
          for (int column = left; column < right; ++column) {
            sum += weight[p * mask + q] * pixels[(row + p) * width + column + q];
          }
        }
      }
    }
  }
  const float mean = sum / ((right - left) * (bottom - top));
  out[i] = 1 / (1 + expf(-(mean + bias[map])));
}

void network_layer(const float* images, const float* weights, const float* bias, float* out,
                   int batch, int channels, int height, int width, int maps, int mask) {
  if (batch == 0) return;
  const int count = batch * maps * ((height - mask + 2) / 2) * ((width - mask + 2) / 2);
  layer<<<(count - 1) / kBlock + 1, kBlock>>>(images, weights, bias, out, channels, height, width,
                                              maps, mask, count);
}
