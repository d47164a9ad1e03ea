// Convolution with a mask of 7 x 7, for cards that copy asynchronously to shared
// memory: the solution's sliding window, with longer columns.
//
// A warp goes down 256 columns of the image. Each lane has two groups of four adjacent ones, 128
// apart, and the sums of the M outputs per column that a row of pixels takes part in. The rows come
// through a ring of four in shared memory that belongs to the warp: three are on their way while
// one is used, and no barrier is needed. 64 outputs per column read 70 rows, where the solution's 8
// read
// 14. Each row is used in the same way, so the loop has one row's code, and in each step the sums
// move on by one output: the first multiply-add of a sum reads one register and writes another.
//
// Instructions are the limit, 49 multiply-adds per output and what is around them:
// docs/performance.md has the figures.
//
// Sizes: width is a multiple of 4; image and result are aligned to 16 bytes.
#include <cuda_pipeline.h>
#include <cuda_runtime.h>

#include <cstddef>
#include <cstdio>
#include <cstdlib>

#include "convolution.h"

#define CHECK(call)                                                                        \
  do {                                                                                     \
    const cudaError_t status = (call);                                                     \
    if (status != cudaSuccess) {                                                           \
      std::fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(status)); \
      std::exit(1);                                                                        \
    }                                                                                      \
  } while (false)

namespace {

constexpr int kLanes = 32;
constexpr int kWarps = 4;  // of a block, one above the other
constexpr int kBlocks = 4;  // per multiprocessor, by which registers are limited
constexpr int kGroups = 2;  // of four columns per lane
constexpr int kColumns = 4 * kLanes * kGroups;  // of a warp
constexpr int kOutputs = 64;  // rows of the result per warp
constexpr int kRing = 4;  // rows; a power of two
constexpr int kAhead = kRing - 1;
constexpr int kFours = kLanes * kGroups + 2;  // of a row in the ring: one more on either side
constexpr int M = 7;  // rows and columns of the mask

__constant__ float c_mask[M * M];

__device__ void put(const float4& four, float* to) {
  to[0] = four.x;
  to[1] = four.y;
  to[2] = four.z;
  to[3] = four.w;
}

__global__ void __launch_bounds__(kLanes* kWarps, kBlocks)
    slide(const float* __restrict__ image, float* __restrict__ result, int height, int width) {
  constexpr int kRowsRead = kOutputs + M - 1;
  __shared__ float4 rings[kWarps][kRing][kFours];
  const int lane = threadIdx.x;
  float4(&ring)[kRing][kFours] = rings[threadIdx.y];
  const int column = blockIdx.x * kColumns + 4 * lane;  // of the lane's first group
  const int first_row = (blockIdx.y * kWarps + threadIdx.y) * kOutputs;
  if (first_row >= height) return;

  // The width is a multiple of 4: of four columns all or none exist. What is outside is 0.
  bool exists[kGroups + 1];
#pragma unroll
  for (int g = 0; g <= kGroups; ++g) {
    const int c = column - 4 + 4 * kLanes * g;
    exists[g] = c >= 0 && c < width;
  }
  int row = first_row - M / 2;  // that is sent for next
  const float* from = image + static_cast<std::ptrdiff_t>(row) * width + column - 4;
  const auto send = [&](float4(&slot)[kFours]) {
    const bool row_exists = row >= 0 && row < height && row < first_row + kOutputs + M / 2;
#pragma unroll
    for (int g = 0; g <= kGroups; ++g) {
      if (g == kGroups && lane >= kFours - kLanes * kGroups) continue;
      const bool copy = row_exists && exists[g];
      __pipeline_memcpy_async(&slot[lane + kLanes * g], copy ? from + 4 * kLanes * g : image,
                              sizeof(float4), copy ? 0 : sizeof(float4));
    }
    __pipeline_commit();
    ++row;
    from += width;
  };
#pragma unroll
  for (int s = 0; s < kAhead; ++s) send(ring[s]);
  float sums[kGroups][M][4] = {};  // [g][i]: of the output that row i of the mask comes to next
#pragma unroll 1
  for (int step = 0; step < kRowsRead; ++step) {
    __pipeline_wait_prior(kAhead - 1);
    __syncwarp();  // the row is there, and all lanes have read the one before
    send(ring[(step + kAhead) % kRing]);
#pragma unroll
    for (int g = 0; g < kGroups; ++g) {
      const float4* four = ring[step % kRing] + lane + kLanes * g;
      float pixels[12];
      put(four[0], pixels);
      put(four[1], pixels + 4);
      put(four[2], pixels + 8);
#pragma unroll
      for (int i = M - 1; i >= 0; --i) {
#pragma unroll
        for (int k = 0; k < 4; ++k) {
          float sum = i == 0 ? 0 : sums[g][i - 1][k];
#pragma unroll
          for (int j = 0; j < M; ++j) sum += c_mask[i * M + j] * pixels[4 - M / 2 + k + j];
          sums[g][i][k] = sum;
        }
      }
    }
    const int output = first_row + step - (M - 1);
    if (step < M - 1 || output >= height) continue;
#pragma unroll
    for (int g = 0; g < kGroups; ++g) {
      const int c = column + 4 * kLanes * g;
      const float(&done)[4] = sums[g][M - 1];
      if (c < width) {
        *reinterpret_cast<float4*>(result + output * width + c) = {done[0], done[1], done[2],
                                                                   done[3]};
      }
    }
  }
  __pipeline_wait_prior(0);
}

}  // namespace

void convolution(const float* image, const float* mask, float* result, int height, int width,
                 int mask_height, int mask_width) {
  if (height == 0 || width == 0) return;
  if (mask_height != M || mask_width != M) {
    std::fprintf(stderr, "convolution: the mask is %d x %d, and this kernel is for %d x %d\n",
                 mask_height, mask_width, M, M);
    std::exit(1);
  }
  CHECK(cudaMemcpyToSymbolAsync(c_mask, mask, sizeof(float) * M * M, 0, cudaMemcpyDeviceToDevice));
  const auto blocks_for = [](int extent, int tile) { return (extent - 1) / tile + 1; };
  const dim3 grid(blocks_for(width, kColumns), blocks_for(height, kWarps * kOutputs));
  slide<<<grid, dim3(kLanes, kWarps)>>>(image, result, height, width);
  CHECK(cudaGetLastError());
}
