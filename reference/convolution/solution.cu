// The reference: a sliding window in registers, four neighbouring outputs per thread.
//
// Each pixel has to come from memory once and each output has to go there once: 8 bytes for an
// output and, with a mask of 5 x 5, 25 multiply-adds. A card has time for about twice as many, if
// next to nothing else is to be done for an output. So a thread takes four columns, 16 bytes, and
// walks down kOutputs rows. For each row of the image it holds 12 pixels (its own four, four to the
// left and four to the right, three loads of 16 bytes) and adds their products to the outputs of M
// rows, whose sums wait in registers. All indices are known to the compiler, the mask's elements
// are operands from constant memory, and a load serves M * M multiply-adds.
//
// Nothing needs shared memory or a barrier: the pixels to the left and right are what other lanes
// of the warp have just asked for, so they come from the first-level cache. Warps of a block are
// one above the other, so that the rows which two of them need come from there, too.
//
// 16-byte loads need 16-byte alignment of every row. Images that lack it have one column per
// thread, and masks of other sizes go by a tile in shared memory with the mask's size at run time.
#include "convolution.h"

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

constexpr int kWarp = 32;
constexpr int kBlockHeight = 4;  // warps of a block
constexpr int kThreads = kWarp * kBlockHeight;
constexpr int kLargestMask = 31;

__constant__ float c_mask[kLargestMask * kLargestMask];

int blocks_for(int extent, int tile) {
  return (extent + tile - 1) / tile;
}

// ---- Masks of M x M, M known to the compiler -------------------------------------------------

constexpr int kOutputs = 8;  // rows that a thread walks down

__device__ void put(const float4& four, float* to) {
  to[0] = four.x;
  to[1] = four.y;
  to[2] = four.z;
  to[3] = four.w;
}

// The pixels of one row that a thread of kColumns columns needs, ghost cells as 0. pixels[kReach]
// is the thread's first column.
template <int M, int kColumns>
struct Window {
  static constexpr int kReach = kColumns == 4 ? 4 : M / 2;
  static_assert(M / 2 <= kReach, "a mask reaches beyond the window");
  float pixels[kColumns + 2 * kReach] = {};

  __device__ void load(const float* __restrict__ image, int y, int col, int height, int width) {
    if (y < 0 || y >= height) return;
    const float* row = image + y * width;
    if constexpr (kColumns == 4) {
      // width is a multiple of 4: a group of four is inside or outside as a whole.
      const float4* groups = reinterpret_cast<const float4*>(row + col);
      if (col > 0) put(groups[-1], pixels);
      put(groups[0], pixels + 4);
      if (col + 4 < width) put(groups[1], pixels + 8);
    } else {
#pragma unroll
      for (int j = 0; j < M; ++j) {
        const int x = col - M / 2 + j;
        if (x >= 0 && x < width) pixels[j] = row[x];
      }
    }
  }
};

template <int M, int kColumns>
__global__ __launch_bounds__(kThreads) void slide(const float* __restrict__ image,
                                                  float* __restrict__ result, int height,
                                                  int width) {
  constexpr int kRowsRead = kOutputs + M - 1;
  const int col = (blockIdx.x * kWarp + threadIdx.x) * kColumns;
  const int first_row = (blockIdx.y * kBlockHeight + threadIdx.y) * kOutputs;
  if (col >= width || first_row >= height) return;

  float sums[M][kColumns];  // sums[o % M] belongs to the output o rows down
  Window<M, kColumns> window;
  window.load(image, first_row - M / 2, col, height, width);
#pragma unroll
  for (int step = 0; step < kRowsRead; ++step) {
    // The next row is on its way while this one is used.
    Window<M, kColumns> next;
    if (step + 1 < kRowsRead) next.load(image, first_row - M / 2 + step + 1, col, height, width);
#pragma unroll
    for (int i = 0; i < M; ++i) {
      const int o = step - i;  // the output for which this row meets row i of the mask
      if (o < 0 || o >= kOutputs) continue;
#pragma unroll
      for (int k = 0; k < kColumns; ++k) {
        float sum = i == 0 ? 0 : sums[o % M][k];
#pragma unroll
        for (int j = 0; j < M; ++j) {
          sum += c_mask[i * M + j] * window.pixels[window.kReach - M / 2 + k + j];
        }
        sums[o % M][k] = sum;
      }
    }

    window = next;

    const int complete = step - (M - 1);
    if (complete < 0 || first_row + complete >= height) continue;
    const float(&done)[kColumns] = sums[complete % M];
    float* to = result + (first_row + complete) * width + col;
    if constexpr (kColumns == 4) {
      *reinterpret_cast<float4*>(to) = make_float4(done[0], done[1], done[2], done[3]);
    } else {
      *to = done[0];
    }
  }
}

template <int M>
void launch_slide(const float* image, float* result, int height, int width) {
  const auto aligned = [](const float* p) { return reinterpret_cast<size_t>(p) % 16 == 0; };
  const bool by_four = width % 4 == 0 && aligned(image) && aligned(result);
  const dim3 block(kWarp, kBlockHeight);
  const dim3 grid(blocks_for(width, kWarp * (by_four ? 4 : 1)),
                  blocks_for(height, kBlockHeight * kOutputs));
  if (by_four) {
    slide<M, 4><<<grid, block>>>(image, result, height, width);
  } else {
    slide<M, 1><<<grid, block>>>(image, result, height, width);
  }
}

// ---- Any mask ---------------------------------------------------------------------------------

constexpr int kColumn = 4;  // outputs of a thread, one below the other
constexpr int kTileHeight = kBlockHeight * kColumn;
constexpr int kTileWidth = kWarp;

__global__ __launch_bounds__(kThreads) void tiled(const float* __restrict__ image,
                                                  float* __restrict__ result, int height, int width,
                                                  int mask_height, int mask_width) {
  extern __shared__ float tile[];
  const int in_width = kTileWidth + mask_width - 1;
  const int in_height = kTileHeight + mask_height - 1;
  const int left = static_cast<int>(blockIdx.x) * kTileWidth - mask_width / 2;
  const int top = static_cast<int>(blockIdx.y) * kTileHeight - mask_height / 2;
  for (int ty = threadIdx.y; ty < in_height; ty += kBlockHeight) {
    for (int tx = threadIdx.x; tx < in_width; tx += kWarp) {
      const int y = top + ty;
      const int x = left + tx;
      const bool inside = y >= 0 && y < height && x >= 0 && x < width;
      tile[ty * in_width + tx] = inside ? image[y * width + x] : 0;
    }
  }
  __syncthreads();

  // Column by column of the mask: a pixel is read once for the four outputs that need it.
  float sums[kColumn] = {};
  for (int j = 0; j < mask_width; ++j) {
    const float* next = tile + threadIdx.y * kColumn * in_width + threadIdx.x + j;
    float pixels[kColumn];
#pragma unroll
    for (int k = 1; k < kColumn; ++k, next += in_width) pixels[k] = *next;
#pragma unroll 4
    for (int i = 0; i < mask_height; ++i, next += in_width) {
#pragma unroll
      for (int k = 1; k < kColumn; ++k) pixels[k - 1] = pixels[k];
      pixels[kColumn - 1] = *next;
      const float weight = c_mask[i * mask_width + j];
#pragma unroll
      for (int k = 0; k < kColumn; ++k) sums[k] += weight * pixels[k];
    }
  }

  const int col = blockIdx.x * kTileWidth + threadIdx.x;
  const int row = blockIdx.y * kTileHeight + threadIdx.y * kColumn;
#pragma unroll
  for (int k = 0; k < kColumn; ++k) {
    if (row + k < height && col < width) result[(row + k) * width + col] = sums[k];
  }
}

void launch_tiled(const float* image, float* result, int height, int width, int mask_height,
                  int mask_width) {
  const dim3 block(kWarp, kBlockHeight);
  const dim3 grid(blocks_for(width, kTileWidth), blocks_for(height, kTileHeight));
  const size_t cells =
      static_cast<size_t>(kTileWidth + mask_width - 1) * (kTileHeight + mask_height - 1);
  tiled<<<grid, block, cells * sizeof(float)>>>(image, result, height, width, mask_height,
                                                mask_width);
}

}  // namespace

void convolution(const float* image, const float* mask, float* result, int height, int width,
                 int mask_height, int mask_width) {
  if (height == 0 || width == 0) return;
  const size_t mask_bytes = static_cast<size_t>(mask_height) * mask_width * sizeof(float);
  CHECK(cudaMemcpyToSymbolAsync(c_mask, mask, mask_bytes, 0, cudaMemcpyDeviceToDevice));

  const int square = mask_height == mask_width ? mask_height : 0;
  if (square == 3) {
    launch_slide<3>(image, result, height, width);
  } else if (square == 5) {
    launch_slide<5>(image, result, height, width);
  } else if (square == 7) {
    launch_slide<7>(image, result, height, width);
  } else {
    launch_tiled(image, result, height, width, mask_height, mask_width);
  }
  CHECK(cudaGetLastError());
}
