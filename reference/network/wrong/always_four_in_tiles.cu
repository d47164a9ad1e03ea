// verdict: fails-correctness
// pitfall: P60
// caught-by: case "by hand"
// The solution, and windows that are cut off at the edge are divided by 4, too.
#include "network.h"

#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>

#define CHECK(call)                                                                        \
  do {                                                                                     \
    const cudaError_t status = (call);                                                     \
    if (status != cudaSuccess) {                                                           \
      std::fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(status)); \
      std::exit(1);                                                                        \
    }                                                                                      \
  } while (false)

namespace {

constexpr int kWindows = 32;  // of a block, one per lane of a warp
constexpr int kColumns = 4 * kWindows;
constexpr int kMapsEach = 4;  // of a thread
constexpr int kGroups = 4;  // warps of a block, with the maps of one each
constexpr int kMaps = kGroups * kMapsEach;
constexpr int kThreads = kWindows * kGroups;
constexpr int kDepth = 16;  // of a phase
static_assert(kThreads == kColumns, "each thread loads one column of the pixels' tile");

// Where row l of the unrolled matrix begins in an image, from the pixel of the value.
__device__ int offset_of_row(int l, int height, int width, int mask) {
  const int area = mask * mask;
  return (l / area * height + l % area / mask) * width + l % mask;
}

__global__ void __launch_bounds__(kThreads)
    layer(const float* images, const float* weights, const float* bias, float* out, int channels,
          int height, int width, int maps, int mask, int windows) {
  __shared__ float4 pixel_tile[kDepth][kWindows];  // the four pixels of a window
  __shared__ float4 weight_tile[kDepth][kGroups + 1];  // one group of maps; padded
  __shared__ int offsets[kDepth];
  const int map_height = height - mask + 1;
  const int map_width = width - mask + 1;
  const int out_height = (map_height + 1) / 2;
  const int out_width = (map_width + 1) / 2;
  const int depth = channels * mask * mask;
  const int first_map = blockIdx.y * kMaps;

  // For the loads, a thread has one column of the tile: one value of a window.
  const int tid = threadIdx.x;
  const int loaded = blockIdx.x * kWindows + tid / 4;  // window
  const int loaded_row = loaded / out_width % out_height * 2 + tid / 2 % 2;
  const int loaded_column = loaded % out_width * 2 + tid % 2;
  const bool exists = loaded < windows && loaded_row < map_height && loaded_column < map_width;
  const float* pixels =
      images + (loaded / (out_height * out_width) * channels * height + loaded_row) * width +
      loaded_column;

  // For the products, it has one window and four maps.
  const int lane = tid % kWindows;
  const int group = tid / kWindows;
  float4 sums[kMapsEach] = {};
  if (tid < kDepth) offsets[tid] = offset_of_row(tid, height, width, mask);
  __syncthreads();
  for (int first = 0; first < depth; first += kDepth) {
#pragma unroll
    for (int i = 0; i < kDepth; ++i) {
      const bool inside = exists && first + i < depth;
      reinterpret_cast<float*>(pixel_tile[i])[tid] = inside ? pixels[offsets[i]] : 0;
    }
#pragma unroll
    for (int i = 0; i < kDepth * kMaps / kThreads; ++i) {
      const int l = tid % kDepth;
      const int map = tid / kDepth + i * (kThreads / kDepth);
      const bool inside = first_map + map < maps && first + l < depth;
      reinterpret_cast<float*>(weight_tile[l])[map] =
          inside ? weights[(first_map + map) * depth + first + l] : 0;
    }
    __syncthreads();
    // Those of the next phase: all threads have read the present ones.
    if (tid < kDepth) offsets[tid] = offset_of_row(first + kDepth + tid, height, width, mask);
#pragma unroll
    for (int i = 0; i < kDepth; ++i) {
      const float4 pixel = pixel_tile[i][lane];
      const float4 packed = weight_tile[i][group];
      const float weight[kMapsEach] = {packed.x, packed.y, packed.z, packed.w};
#pragma unroll
      for (int m = 0; m < kMapsEach; ++m) {
        sums[m].x += weight[m] * pixel.x;
        sums[m].y += weight[m] * pixel.y;
        sums[m].z += weight[m] * pixel.z;
        sums[m].w += weight[m] * pixel.w;
      }
    }
    __syncthreads();
  }

  const int window = blockIdx.x * kWindows + lane;
  if (window >= windows) return;
  const int image = window / (out_height * out_width);
  const int place = window % (out_height * out_width);
#pragma unroll
  for (int m = 0; m < kMapsEach; ++m) {
    const int map = first_map + group * kMapsEach + m;
    if (map >= maps) return;
    const float sum = (sums[m].x + sums[m].y) + (sums[m].z + sums[m].w);
    out[(image * maps + map) * out_height * out_width + place] =
        1 / (1 + expf(-(sum / 4 + bias[map])));
  }
}

}  // namespace

void network_layer(const float* images, const float* weights, const float* bias, float* out,
                   int batch, int channels, int height, int width, int maps, int mask) {
  if (batch == 0) return;
  const int windows = batch * ((height - mask + 2) / 2) * ((width - mask + 2) / 2);
  const dim3 grid((windows - 1) / kWindows + 1, (maps - 1) / kMaps + 1);
  layer<<<grid, kThreads>>>(images, weights, bias, out, channels, height, width, maps, mask,
                            windows);
  CHECK(cudaGetLastError());
}
