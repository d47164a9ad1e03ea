// Pairs of kernels that do the same, of which one is faster on every card. The modelled time must
// agree. Each kernel is launched once; results are not looked at here (see ../cuda).

#include <cstdio>
#include <vector>

namespace {

constexpr int kTile = 16;

__device__ unsigned global_index() {
  return blockIdx.x * blockDim.x + threadIdx.x;
}

// -- matrix multiplication: c[n, n] = a[n, depth] * b[depth, n]
// -------------------------------------

__global__ void gemm_naive(const float* a, const float* b, float* c, int n, int depth) {
  const auto row = static_cast<int>(blockIdx.y * kTile + threadIdx.y);
  const auto column = static_cast<int>(blockIdx.x * kTile + threadIdx.x);
  float sum = 0;
  for (int k = 0; k < depth; ++k) sum += a[row * depth + k] * b[k * n + column];
  c[row * n + column] = sum;
}

__global__ void gemm_tiled(const float* a, const float* b, float* c, int n, int depth) {
  __shared__ float as[kTile][kTile];
  __shared__ float bs[kTile][kTile];
  const auto x = static_cast<int>(threadIdx.x);
  const auto y = static_cast<int>(threadIdx.y);
  const int row = static_cast<int>(blockIdx.y) * kTile + y;
  const int column = static_cast<int>(blockIdx.x) * kTile + x;
  float sum = 0;
  for (int t = 0; t < depth; t += kTile) {
    as[y][x] = a[row * depth + t + x];
    bs[y][x] = b[(t + y) * n + column];
    __syncthreads();
    for (int k = 0; k < kTile; ++k) sum += as[y][k] * bs[k][x];
    __syncthreads();
  }
  c[row * n + column] = sum;
}

/// 64 x 64 outputs per block of 16 x 16 threads, 4 x 4 per thread.
__global__ void gemm_register_tiled(const float* a, const float* b, float* c, int n, int depth) {
  constexpr int kPart = 4;
  constexpr int kBlock = kTile * kPart;
  __shared__ float as[kTile][kBlock + 1];
  __shared__ float bs[kTile][kBlock];
  const auto x = static_cast<int>(threadIdx.x);
  const auto y = static_cast<int>(threadIdx.y);
  const int thread = y * kTile + x;
  const int row0 = static_cast<int>(blockIdx.y) * kBlock;
  const int column0 = static_cast<int>(blockIdx.x) * kBlock;
  float sum[kPart][kPart] = {};
  for (int t = 0; t < depth; t += kTile) {
    for (int i = thread; i < kTile * kBlock; i += kTile * kTile) {
      as[i % kTile][i / kTile] = a[(row0 + i / kTile) * depth + t + i % kTile];
      bs[i / kBlock][i % kBlock] = b[(t + i / kBlock) * n + column0 + i % kBlock];
    }
    __syncthreads();
    for (int k = 0; k < kTile; ++k) {
      float left[kPart];
      float right[kPart];
      for (int i = 0; i < kPart; ++i) left[i] = as[k][y * kPart + i];
      for (int j = 0; j < kPart; ++j) right[j] = bs[k][j * kTile + x];
      for (int i = 0; i < kPart; ++i) {
        for (int j = 0; j < kPart; ++j) sum[i][j] += left[i] * right[j];
      }
    }
    __syncthreads();
  }
  for (int i = 0; i < kPart; ++i) {
    for (int j = 0; j < kPart; ++j) {
      c[(row0 + y * kPart + i) * n + column0 + j * kTile + x] = sum[i][j];
    }
  }
}

// -- copies ---------------------------------------------------------------------------------------

__global__ void copy_coalesced(const float* a, float* b, unsigned) {
  const unsigned i = global_index();
  b[i] = a[i];
}
/// Neighbouring threads are `stride` elements apart, yet every element is copied once.
__global__ void copy_strided(const float* a, float* b, unsigned stride) {
  const unsigned n = gridDim.x * blockDim.x;
  const unsigned i = global_index();
  const unsigned j = i % (n / stride) * stride + i / (n / stride);
  b[j] = a[j];
}

// -- histograms -----------------------------------------------------------------------------------

__global__ void histogram_global(const unsigned char* data, unsigned n, unsigned* bins) {
  for (unsigned i = global_index(); i < n; i += gridDim.x * blockDim.x) {
    atomicAdd(&bins[data[i]], 1u);
  }
}
__global__ void histogram_private(const unsigned char* data, unsigned n, unsigned* bins) {
  __shared__ unsigned own[256];
  own[threadIdx.x] = 0;
  __syncthreads();
  for (unsigned i = global_index(); i < n; i += gridDim.x * blockDim.x) {
    atomicAdd(&own[data[i]], 1u);
  }
  __syncthreads();
  atomicAdd(&bins[threadIdx.x], own[threadIdx.x]);
}

// -- reductions: 512 elements a block -------------------------------------------------------------

__global__ void reduce_interleaved(const float* a, float* out) {
  __shared__ float s[512];
  const unsigned t = threadIdx.x;
  s[2 * t] = a[blockIdx.x * 512 + 2 * t];
  s[2 * t + 1] = a[blockIdx.x * 512 + 2 * t + 1];
  for (unsigned stride = 1; stride <= 256; stride *= 2) {
    __syncthreads();
    if (t % stride == 0) s[2 * t] += s[2 * t + stride];
  }
  if (t == 0) out[blockIdx.x] = s[0];
}
__global__ void reduce_convergent(const float* a, float* out) {
  __shared__ float s[512];
  const unsigned t = threadIdx.x;
  s[t] = a[blockIdx.x * 512 + t];
  s[t + 256] = a[blockIdx.x * 512 + t + 256];
  for (unsigned stride = 256; stride >= 1; stride /= 2) {
    __syncthreads();
    if (t < stride) s[t] += s[t + stride];
  }
  if (t == 0) out[blockIdx.x] = s[0];
}
__global__ void reduce_shuffle(const float* a, float* out) {
  __shared__ float s[8];
  const unsigned t = threadIdx.x;
  float sum = a[blockIdx.x * 512 + t] + a[blockIdx.x * 512 + t + 256];
  for (int offset = 16; offset > 0; offset /= 2) sum += __shfl_down_sync(~0u, sum, offset);
  if (t % 32 == 0) s[t / 32] = sum;
  __syncthreads();
  if (t == 0) {
    for (int i = 1; i < 8; ++i) sum += s[i];
    out[blockIdx.x] = sum;
  }
}

// -- transposition --------------------------------------------------------------------------------

template <int kPad>
__device__ void transpose(const float* a, float* b, int n) {
  __shared__ float s[32][32 + kPad];
  const auto x = static_cast<int>(threadIdx.x);
  const auto row0 = static_cast<int>(blockIdx.y * 32);
  const auto column0 = static_cast<int>(blockIdx.x * 32);
  for (auto y = static_cast<int>(threadIdx.y); y < 32; y += 8) {
    s[y][x] = a[(row0 + y) * n + column0 + x];
  }
  __syncthreads();
  for (auto y = static_cast<int>(threadIdx.y); y < 32; y += 8) {
    b[(column0 + y) * n + row0 + x] = s[x][y];
  }
}
__global__ void transpose_conflicted(const float* a, float* b, int n) {
  transpose<0>(a, b, n);
}
__global__ void transpose_padded(const float* a, float* b, int n) {
  transpose<1>(a, b, n);
}
__global__ void transpose_naive(const float* a, float* b, int n) {
  const auto x = static_cast<int>(blockIdx.x * 32 + threadIdx.x);
  for (auto y = static_cast<int>(threadIdx.y); y < 32; y += 8) {
    const int row = static_cast<int>(blockIdx.y) * 32 + y;
    b[x * n + row] = a[row * n + x];
  }
}

}  // namespace

int main() {
  constexpr unsigned kCount = 1u << 20;
  constexpr int kSide = 1024;
  constexpr int kMatrix = 1024;  // enough for a block of the largest tiles on each multiprocessor
  constexpr int kDepth = 32;
  float* a = nullptr;
  float* b = nullptr;
  unsigned* bins = nullptr;
  if (cudaMalloc(&a, kCount * sizeof(float)) != cudaSuccess) return 1;
  if (cudaMalloc(&b, kCount * sizeof(float)) != cudaSuccess) return 1;
  if (cudaMalloc(&bins, 256 * sizeof(unsigned)) != cudaSuccess) return 1;
  std::vector<unsigned> data(kCount);
  unsigned state = 1;
  for (unsigned& word : data) word = state = state * 1664525u + 1013904223u;
  cudaMemcpy(a, data.data(), kCount * sizeof(float), cudaMemcpyHostToDevice);
  cudaMemset(bins, 0, 256 * sizeof(unsigned));

  const dim3 tiles(kMatrix / kTile, kMatrix / kTile);
  gemm_naive<<<tiles, dim3(kTile, kTile)>>>(a, a, b, kMatrix, kDepth);
  gemm_tiled<<<tiles, dim3(kTile, kTile)>>>(a, a, b, kMatrix, kDepth);
  gemm_register_tiled<<<dim3(kMatrix / 64, kMatrix / 64), dim3(kTile, kTile)>>>(a, a, b, kMatrix,
                                                                                kDepth);
  copy_coalesced<<<kCount / 256, 256>>>(a, b, 1);
  copy_strided<<<kCount / 256, 256>>>(a, b, 32);
  histogram_global<<<256, 256>>>(reinterpret_cast<unsigned char*>(a), kCount, bins);
  histogram_private<<<256, 256>>>(reinterpret_cast<unsigned char*>(a), kCount, bins);
  reduce_interleaved<<<kCount / 512, 256>>>(a, b);
  reduce_convergent<<<kCount / 512, 256>>>(a, b);
  reduce_shuffle<<<kCount / 512, 256>>>(a, b);
  const dim3 squares(kSide / 32, kSide / 32);
  transpose_naive<<<squares, dim3(32, 8)>>>(a, b, kSide);
  transpose_conflicted<<<squares, dim3(32, 8)>>>(a, b, kSide);
  transpose_padded<<<squares, dim3(32, 8)>>>(a, b, kSide);
  const cudaError_t error = cudaDeviceSynchronize();
  if (error != cudaSuccess) std::fprintf(stderr, "%s\n", cudaGetErrorString(error));
  cudaFree(a);
  cudaFree(b);
  cudaFree(bins);
  return error == cudaSuccess ? 0 : 1;
}
