// Kernels whose memory behaviour is known on paper. h200.csv has what Nsight Compute counted for
// them on an H200; counters_test.cpp holds the emulator's counters against it, and
// scripts/gpu_counters counts them again on the GPU at hand. Every kernel is launched once.

#include <vector>

#include "emulator/tests/support/device.h"

__device__ unsigned global_index() {
  return blockIdx.x * blockDim.x + threadIdx.x;
}

// -- global memory --------------------------------------------------------------------------------

__global__ void g_coalesced(const float* a, float* b) {
  const unsigned i = global_index();
  b[i] = a[i];
}
__global__ void g_misaligned(const float* a, float* b) {
  const unsigned i = global_index();
  b[i] = a[i + 1];
}
template <int kStride>
__global__ void g_stride(const float* a, float* b) {
  const unsigned i = global_index();
  b[i] = a[static_cast<size_t>(i) * kStride];
}
__global__ void g_float4(const float4* a, float4* b) {
  const unsigned i = global_index();
  b[i] = a[i];
}
__global__ void g_byte(const unsigned char* a, unsigned char* b) {
  const unsigned i = global_index();
  b[i] = a[i];
}
__global__ void g_broadcast(const float* a, float* b) {
  b[global_index()] = a[blockIdx.x];
}

// -- shared memory --------------------------------------------------------------------------------

template <int kStride>
__global__ void s_stride(float* b) {
  __shared__ float s[32 * 33 * 2];
  const unsigned t = threadIdx.x;
  s[(t * kStride) % 2112] = static_cast<float>(t);
  __syncthreads();
  b[global_index()] = s[((t ^ 1) * kStride) % 2112];
}
__global__ void s_float4(float* b) {
  __shared__ float4 s[256];
  const auto t = static_cast<float>(threadIdx.x);
  s[threadIdx.x] = make_float4(t, t, t, t);
  __syncthreads();
  const float4 v = s[threadIdx.x ^ 3];
  b[global_index()] = v.x + v.y + v.z + v.w;
}
__global__ void s_transpose(const float* a, float* b) {
  __shared__ float s[32][32];
  s[threadIdx.y][threadIdx.x] = a[threadIdx.y * 32 + threadIdx.x];
  __syncthreads();
  b[threadIdx.y * 32 + threadIdx.x] = s[threadIdx.x][threadIdx.y];
}
__global__ void s_transpose_pad(const float* a, float* b) {
  __shared__ float s[32][33];
  s[threadIdx.y][threadIdx.x] = a[threadIdx.y * 32 + threadIdx.x];
  __syncthreads();
  b[threadIdx.y * 32 + threadIdx.x] = s[threadIdx.x][threadIdx.y];
}

// -- atomics --------------------------------------------------------------------------------------

__global__ void a_shared_hist(const unsigned char* a, unsigned* b) {
  __shared__ unsigned h[256];
  h[threadIdx.x] = 0;
  __syncthreads();
  atomicAdd(&h[a[global_index()]], 1u);
  __syncthreads();
  atomicAdd(&b[threadIdx.x], h[threadIdx.x]);
}
__global__ void a_global_same(unsigned* b) {
  atomicAdd(b, threadIdx.x & 3);
}
__global__ void a_global_ret(unsigned* b, unsigned* c) {
  c[global_index()] = atomicAdd(&b[threadIdx.x & 7], 1u);
}

// -- control flow ---------------------------------------------------------------------------------

__global__ void d_even(float* b) {
  const unsigned i = global_index();
  auto v = static_cast<float>(i);
  if (threadIdx.x & 1) {
    for (int k = 0; k < 8; ++k) v = v * 1.5f + static_cast<float>(k);
  } else {
    for (int k = 0; k < 8; ++k) v = v / (static_cast<float>(k) + 1.25f);
  }
  b[i] = v;
}

// -- matrix multiplication ------------------------------------------------------------------------

constexpr int kTile = 16;

__global__ void mm_tiled(const float* a, const float* b, float* c, int n) {
  __shared__ float as[kTile][kTile];
  __shared__ float bs[kTile][kTile];
  const int row = static_cast<int>(blockIdx.y * kTile + threadIdx.y);
  const int column = static_cast<int>(blockIdx.x * kTile + threadIdx.x);
  const int x = static_cast<int>(threadIdx.x);
  const int y = static_cast<int>(threadIdx.y);
  float sum = 0;
  for (int t = 0; t < (n + kTile - 1) / kTile; ++t) {
    as[y][x] = row < n && t * kTile + x < n ? a[row * n + t * kTile + x] : 0.f;
    bs[y][x] = column < n && t * kTile + y < n ? b[(t * kTile + y) * n + column] : 0.f;
    __syncthreads();
    for (int k = 0; k < kTile; ++k) sum += as[y][k] * bs[k][x];
    __syncthreads();
  }
  if (row < n && column < n) c[row * n + column] = sum;
}
__global__ void mm_naive(const float* a, const float* b, float* c, int n) {
  const int row = static_cast<int>(blockIdx.y * kTile + threadIdx.y);
  const int column = static_cast<int>(blockIdx.x * kTile + threadIdx.x);
  if (row < n && column < n) {
    float sum = 0;
    for (int k = 0; k < n; ++k) sum += a[row * n + k] * b[k * n + column];
    c[row * n + column] = sum;
  }
}

int main() {
  constexpr int kBlocks = 64;
  constexpr int kThreads = 256;
  constexpr size_t kFloats = static_cast<size_t>(kBlocks) * kThreads * 32 + 32;
  float* a = nullptr;
  float* b = nullptr;
  unsigned* counts = nullptr;
  unsigned char* bins = nullptr;
  CUDA_CHECK(cudaMalloc(&a, kFloats * sizeof(float)));
  CUDA_CHECK(cudaMalloc(&b, kFloats * sizeof(float)));
  CUDA_CHECK(cudaMalloc(&counts, 256 * sizeof(unsigned)));
  CUDA_CHECK(cudaMalloc(&bins, kBlocks * kThreads));
  CUDA_CHECK(cudaMemset(a, 0, kFloats * sizeof(float)));
  CUDA_CHECK(cudaMemset(b, 0, kFloats * sizeof(float)));
  CUDA_CHECK(cudaMemset(counts, 0, 256 * sizeof(unsigned)));
  // Neighbours are two bins apart, so that two lanes of a warp meet in every second bank.
  std::vector<unsigned char> data(kBlocks * kThreads);
  for (size_t i = 0; i < data.size(); ++i) data[i] = static_cast<unsigned char>(2 * i);
  CUDA_CHECK(cudaMemcpy(bins, data.data(), data.size(), cudaMemcpyHostToDevice));

  g_coalesced<<<kBlocks, kThreads>>>(a, b);
  g_misaligned<<<kBlocks, kThreads>>>(a, b);
  g_stride<2><<<kBlocks, kThreads>>>(a, b);
  g_stride<32><<<kBlocks, kThreads>>>(a, b);
  g_float4<<<kBlocks, kThreads>>>(reinterpret_cast<float4*>(a), reinterpret_cast<float4*>(b));
  g_byte<<<kBlocks, kThreads>>>(reinterpret_cast<unsigned char*>(a),
                                reinterpret_cast<unsigned char*>(b));
  g_broadcast<<<kBlocks, kThreads>>>(a, b);
  s_stride<1><<<kBlocks, kThreads>>>(b);
  s_stride<2><<<kBlocks, kThreads>>>(b);
  s_stride<32><<<kBlocks, kThreads>>>(b);
  s_float4<<<kBlocks, kThreads>>>(b);
  s_transpose<<<1, dim3(32, 32)>>>(a, b);
  s_transpose_pad<<<1, dim3(32, 32)>>>(a, b);
  a_shared_hist<<<kBlocks, kThreads>>>(bins, counts);
  a_global_same<<<kBlocks, kThreads>>>(counts);
  a_global_ret<<<kBlocks, kThreads>>>(counts, reinterpret_cast<unsigned*>(b));
  d_even<<<kBlocks, kThreads>>>(b);
  const int n = 200;
  const dim3 tiles((n + kTile - 1) / kTile, (n + kTile - 1) / kTile);
  mm_tiled<<<tiles, dim3(kTile, kTile)>>>(a, a, b, n);
  mm_naive<<<tiles, dim3(kTile, kTile)>>>(a, a, b, n);
  CUDA_CHECK(cudaGetLastError());
  CUDA_CHECK(cudaDeviceSynchronize());
  CUDA_CHECK(cudaFree(a));
  CUDA_CHECK(cudaFree(b));
  CUDA_CHECK(cudaFree(counts));
  CUDA_CHECK(cudaFree(bins));
  return 0;
}
