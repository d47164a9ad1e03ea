#include "attention.h"
#include <cuda_runtime.h>

// Each warp handles one query; K and V tiles are shared by the block.
constexpr int kWarps = 4;
constexpr int kKeys = 32;

__global__ void attention_kernel(const float* __restrict__ q, const float* __restrict__ k,
                                 const float* __restrict__ v, float* __restrict__ out,
                                 int n, int depth, float scale, int causal)
{
  extern __shared__ float smem[];
  float* k_tile = smem;                             // kKeys x (depth + 1)
  float* v_tile = k_tile + kKeys * (depth + 1);     // kKeys x depth
  float* q_tile = v_tile + kKeys * depth;           // kWarps x depth

  const int lane = threadIdx.x % 32;
  const int warp = threadIdx.x / 32;
  const int query = blockIdx.x * kWarps + warp;
  const long long offset = (long long)blockIdx.y * n * depth;

  for (int c = lane; c < depth; c += 32)
    q_tile[warp * depth + c] = query < n ? q[offset + (long long)query * depth + c] : 0.0f;

  float running_max = -INFINITY;
  float running_sum = 0.0f;
  float acc0 = 0.0f, acc1 = 0.0f;

  for (int start = 0; start < n; start += kKeys) {
    // Load the tiles cooperatively
    for (int idx = threadIdx.x; idx < kKeys * depth; idx += blockDim.x) {
      int r = idx / depth, c = idx % depth;
      int key = start + r;
      k_tile[r * (depth + 1) + c] = key < n ? k[offset + (long long)key * depth + c] : 0.0f;
      v_tile[r * depth + c] = key < n ? v[offset + (long long)key * depth + c] : 0.0f;
    }
    __syncthreads();

    int key = start + lane;
    float score = 0.0f;
    for (int c = 0; c < depth; ++c)
      score += q_tile[warp * depth + c] * k_tile[lane * (depth + 1) + c];
    score = (key < n && !(causal && key > query)) ? score * scale : -INFINITY;

    float tile_max = score;
    for (int d = 16; d > 0; d /= 2) tile_max = fmaxf(tile_max, __shfl_xor_sync(0xffffffff, tile_max, d));
    float new_max = fmaxf(running_max, tile_max);
    float correction = expf(running_max - new_max);
    float weight = expf(score - new_max);
    float tile_sum = weight;
    for (int d = 16; d > 0; d /= 2) tile_sum += __shfl_xor_sync(0xffffffff, tile_sum, d);
    running_sum = running_sum * correction + tile_sum;
    running_max = new_max;

    acc0 *= correction;
    acc1 *= correction;
    for (int j = 0; j < kKeys; ++j) {
      float w = __shfl_sync(0xffffffff, weight, j);
      acc0 += w * v_tile[j * depth + lane];
      acc1 += w * v_tile[j * depth + lane + 32];
    }
  }

  if (query < n) {
    float* o = out + offset + (long long)query * depth;
    o[lane] = acc0 / running_sum;
    o[lane + 32] = acc1 / running_sum;
  }
}

void attention(const float* q, const float* k, const float* v, float* out, int heads, int n,
               int depth, float scale, int causal)
{
  if (heads == 0 || n == 0) return;
  size_t bytes = (kKeys * (depth + 1) + kKeys * depth + kWarps * depth) * sizeof(float);
  dim3 grid((n + kWarps - 1) / kWarps, heads);
  attention_kernel<<<grid, kWarps * 32, bytes>>>(q, k, v, out, n, depth, scale, causal);
}
