// Copies by the copy engine, whose traffic follows from their sizes.

#include <cuda/ptx>

namespace ptx = cuda::ptx;

namespace {

constexpr int kElements = 1024;  // 4 KiB per block

/// Each block fetches 4 KiB.
__global__ void fetch(const float* a, float* b) {
  __shared__ alignas(16) float tile[kElements];
  __shared__ std::uint64_t full;
  if (threadIdx.x == 0) {
    ptx::mbarrier_init(&full, 1);
    ptx::fence_proxy_async(ptx::space_shared);
    ptx::cp_async_bulk(ptx::space_cluster, ptx::space_global, tile, a + blockIdx.x * kElements,
                       sizeof tile, &full);
    ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta, ptx::space_shared, &full,
                                   sizeof tile);
  }
  __syncthreads();
  while (!ptx::mbarrier_try_wait_parity(&full, 0)) {
  }
  if (tile[threadIdx.x] == 12345.f) b[threadIdx.x] = 1;
}

/// Each block sends 4 KiB.
__global__ void send(float* b) {
  __shared__ alignas(16) float tile[kElements];
  for (int i = static_cast<int>(threadIdx.x); i < kElements; i += 32) tile[i] = 1;
  ptx::fence_proxy_async(ptx::space_shared);
  __syncwarp();
  if (threadIdx.x == 0) {
    ptx::cp_async_bulk(ptx::space_global, ptx::space_shared, b + blockIdx.x * kElements, tile,
                       sizeof tile);
    ptx::cp_async_bulk_commit_group();
    ptx::cp_async_bulk_wait_group(ptx::n32_t<0>());
  }
}

}  // namespace

int main() {
  constexpr int kBlocks = 64;
  float* a = nullptr;
  float* b = nullptr;
  cudaMalloc(&a, kBlocks * kElements * sizeof(float));
  cudaMalloc(&b, kBlocks * kElements * sizeof(float));
  cudaMemset(a, 0, kBlocks * kElements * sizeof(float));
  fetch<<<kBlocks, 32>>>(a, b);
  send<<<kBlocks, 32>>>(b);
  const cudaError_t error = cudaDeviceSynchronize();
  cudaFree(a);
  cudaFree(b);
  return error == cudaSuccess ? 0 : 1;
}
