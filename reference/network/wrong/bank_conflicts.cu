// verdict: fails-concept
// pitfall: P69
// caught-by: concept conflict-free
// The tile of pixels is stored by columns: it is read in steps of 16 words, which are in two banks.
#include "network.h"

#include <cuda_runtime.h>

constexpr int kTile = 16;
constexpr int kWindows = kTile / 4;  // of a block

__global__ void layer(const float* images, const float* weights, const float* bias, float* out,
                      int channels, int height, int width, int maps, int mask, int windows) {
  __shared__ float weight_tile[kTile][kTile];
  __shared__ float pixel_tile[kTile][kTile];
  const int tx = threadIdx.x;
  const int ty = threadIdx.y;
  const int map_height = height - mask + 1;
  const int map_width = width - mask + 1;
  const int out_height = (map_height + 1) / 2;
  const int out_width = (map_width + 1) / 2;
  const int area = mask * mask;
  const int depth = channels * area;

  const int map = blockIdx.y * kTile + ty;
  const int window = blockIdx.x * kWindows + tx / 4;  // of all images
  const int image = window / (out_height * out_width);
  const int place = window % (out_height * out_width);
  const int top = place / out_width * 2;
  const int left = place % out_width * 2;
  const int row = top + tx / 2 % 2;
  const int column = left + tx % 2;
  const bool exists = window < windows && row < map_height && column < map_width;
  const float* pixels = images + (image * channels * height + row) * width + column;

  float sum = 0;
  for (int first = 0; first < depth; first += kTile) {
    weight_tile[ty][tx] = map < maps && first + tx < depth ? weights[map * depth + first + tx] : 0;
    const int l = first + ty;  // row of the unrolled matrix
    const int k = l / area;
    const int p = l % area / mask;
    const int q = l % mask;
    pixel_tile[tx][ty] = exists && l < depth ? pixels[(k * height + p) * width + q] : 0;
    __syncthreads();
    for (int i = 0; i < kTile; ++i) sum += weight_tile[ty][i] * pixel_tile[tx][i];
    __syncthreads();
  }
  sum += __shfl_xor_sync(0xffffffff, sum, 1);
  sum += __shfl_xor_sync(0xffffffff, sum, 2);
  if (map < maps && window < windows && tx % 4 == 0) {
    const int count = min(2, map_height - top) * min(2, map_width - left);
    const int at = (image * maps + map) * out_height * out_width + place;
    out[at] = 1 / (1 + expf(-(sum / count + bias[map])));
  }
}

void network_layer(const float* images, const float* weights, const float* bias, float* out,
                   int batch, int channels, int height, int width, int maps, int mask) {
  if (batch == 0) return;
  const int windows = batch * ((height - mask + 2) / 2) * ((width - mask + 2) / 2);
  const dim3 grid((windows - 1) / kWindows + 1, (maps - 1) / kTile + 1);
  layer<<<grid, dim3(kTile, kTile)>>>(images, weights, bias, out, channels, height, width, maps,
                                      mask, windows);
}
