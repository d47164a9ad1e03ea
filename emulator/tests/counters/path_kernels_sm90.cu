// One kernel for each path that an instruction may take through the card's memory units.
// h200_paths.csv has what Nsight Compute counted for them; paths_test.cpp holds the emulator's
// counters against it, and scripts/gpu_families counts them again. Every kernel is launched once.

#include <cooperative_groups.h>
#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include <vector>

#include "emulator/tests/support/device.h"

namespace cg = cooperative_groups;

__device__ unsigned global_index() {
  return blockIdx.x * blockDim.x + threadIdx.x;
}
__device__ unsigned shared_address(const void* p) {
  return static_cast<unsigned>(__cvta_generic_to_shared(p));
}

// -- copies into shared memory --------------------------------------------------------------------

template <int kBytes, bool kPastL1>
__device__ void copy_async(unsigned to, const void* from, unsigned read) {
  if constexpr (kPastL1) {
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"(to), "l"(from), "r"(read));
  } else {
    asm volatile("cp.async.ca.shared.global [%0], [%1], %2, %3;" ::"r"(to), "l"(from), "n"(kBytes),
                 "r"(read));
  }
}
__device__ void wait_for_copies() {
  asm volatile("cp.async.wait_all;" ::: "memory");
  __syncthreads();
}

template <int kBytes, bool kPastL1>
__global__ void async_copy(const float* a, float* b) {
  __shared__ alignas(16) char tile[256 * kBytes];
  copy_async<kBytes, kPastL1>(shared_address(tile + threadIdx.x * kBytes),
                              reinterpret_cast<const char*>(a) + global_index() * kBytes, kBytes);
  wait_for_copies();
  b[global_index()] = reinterpret_cast<float*>(tile)[threadIdx.x * kBytes / 8];
}
// Lanes 36 bytes apart: sectors and banks are shared by some.
__global__ void async_copy_strided(const float* a, float* b) {
  __shared__ float tile[256 * 9];
  copy_async<4, false>(shared_address(tile + threadIdx.x * 9), a + global_index() * 9, 4);
  wait_for_copies();
  b[global_index()] = tile[threadIdx.x * 9];
}
// Every second thread copies nothing, and fills with zeros.
__global__ void async_copy_zeros(const float* a, float* b) {
  __shared__ float tile[256];
  copy_async<4, false>(shared_address(tile + threadIdx.x), a + global_index(),
                       threadIdx.x % 2 == 0 ? 4 : 0);
  wait_for_copies();
  b[global_index()] = tile[threadIdx.x ^ 1];
}

__device__ void bulk_wait(unsigned barrier) {
  unsigned done = 0;
  while (done == 0) {
    asm volatile(
        "{ .reg .pred p; mbarrier.try_wait.parity.shared.b64 p, [%1], 0; selp.u32 %0, 1, 0, p; }"
        : "=r"(done)
        : "r"(barrier)
        : "memory");
  }
}

__global__ void bulk_load(const float* a, float* b) {
  __shared__ alignas(128) float tile[1024];
  __shared__ alignas(8) unsigned long long full;
  const unsigned barrier = shared_address(&full);
  if (threadIdx.x == 0) {
    asm volatile("mbarrier.init.shared.b64 [%0], 1;" ::"r"(barrier));
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
    asm volatile("mbarrier.arrive.expect_tx.shared.b64 _, [%0], 4096;" ::"r"(barrier) : "memory");
    asm volatile(
        "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], 4096, "
        "[%2];" ::"r"(shared_address(tile)),
        "l"(a + blockIdx.x * 1024), "r"(barrier)
        : "memory");
  }
  __syncthreads();
  bulk_wait(barrier);
  b[global_index()] = tile[threadIdx.x];
}

__device__ void wait_for_bulk_group() {
  asm volatile("cp.async.bulk.commit_group;\n cp.async.bulk.wait_group 0;" ::: "memory");
}
__global__ void bulk_store(float* b) {
  __shared__ alignas(128) float tile[256];
  tile[threadIdx.x] = static_cast<float>(threadIdx.x);
  asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
  __syncthreads();
  if (threadIdx.x != 0) return;
  asm volatile(
      "cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], 1024;" ::"l"(b + blockIdx.x * 256),
      "r"(shared_address(tile))
      : "memory");
  wait_for_bulk_group();
}
__global__ void bulk_reduce(unsigned* b) {
  __shared__ alignas(128) unsigned tile[256];
  tile[threadIdx.x] = threadIdx.x;
  asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
  __syncthreads();
  if (threadIdx.x != 0) return;
  asm volatile("cp.reduce.async.bulk.global.shared::cta.bulk_group.add.u32 [%0], [%1], 1024;" ::"l"(
                   b + blockIdx.x * 256),
               "r"(shared_address(tile))
               : "memory");
  wait_for_bulk_group();
}
__global__ void bulk_prefetch(const float* a) {
  if (threadIdx.x != 0) return;
  asm volatile("cp.async.bulk.prefetch.L2.global [%0], 1024;" ::"l"(a + blockIdx.x * 256));
}
__global__ void prefetch(const float* a, float* b) {
  asm volatile("prefetch.global.L1 [%0];" ::"l"(a + global_index()));
  asm volatile("prefetch.global.L2 [%0];" ::"l"(a + 65536 + global_index()));
  b[global_index()] = 1;
}

// -- kinds of loads and stores --------------------------------------------------------------------

#define LOAD_AS(name, text)                                                         \
  __global__ void name(const float* a, float* b) {                                  \
    float v;                                                                        \
    asm volatile(text " %0, [%1];" : "=f"(v) : "l"(a + global_index()) : "memory"); \
    b[global_index()] = v;                                                          \
  }
LOAD_AS(load_read_only, "ld.global.nc.f32")
LOAD_AS(load_past_l1, "ld.global.cg.f32")
LOAD_AS(load_streaming, "ld.global.cs.f32")
LOAD_AS(load_volatile, "ld.volatile.global.f32")
LOAD_AS(load_acquire, "ld.acquire.gpu.global.f32")
LOAD_AS(load_uniform, "ldu.global.f32")

__global__ void load_v2(const float2* a, float2* b) {
  b[global_index()] = a[global_index()];
}
__global__ void load_v4_strided(const float4* a, float4* b) {
  b[global_index()] = a[global_index() * 3];
}
__global__ void load_bytes_v4(const uchar4* a, uchar4* b) {
  b[global_index()] = a[global_index()];
}
__global__ void load_halves(const unsigned short* a, unsigned short* b) {
  b[global_index()] = a[global_index() * 3];
}
__global__ void store_release(float* b) {
  asm volatile("st.release.gpu.global.f32 [%0], %1;" ::"l"(b + global_index()), "f"(1.f)
               : "memory");
}
__global__ void store_bytes(unsigned char* b) {
  b[global_index() * 5] = 1;
}
// Half of a warp's lanes read shared memory and half global memory, with one instruction.
__global__ void load_generic_both(const float* a, float* b) {
  __shared__ float tile[256];
  tile[threadIdx.x] = a[threadIdx.x];
  __syncthreads();
  const float* p = threadIdx.x % 2 == 0 ? tile + threadIdx.x : a + global_index();
  float v;
  asm volatile("ld.f32 %0, [%1];" : "=f"(v) : "l"(p) : "memory");
  b[global_index()] = v;
}
__global__ void store_generic_shared(float* b) {
  __shared__ float tile[256];
  asm volatile("st.f32 [%0], %1;" ::"l"(tile + threadIdx.x), "f"(1.f) : "memory");
  __syncthreads();
  b[global_index()] = tile[threadIdx.x ^ 1];
}
__constant__ float table[256];
__global__ void load_constant(float* b) {
  b[global_index()] = table[blockIdx.x];
}
__global__ void load_constant_apart(const unsigned* where, float* b) {
  b[global_index()] = table[where[global_index()] % 256];
}
__global__ void local_array(const unsigned* where, float* b) {
  float own[64];
  for (int i = 0; i < 64; ++i) own[(i + where[i]) % 64] = static_cast<float>(i);
  b[global_index()] = own[where[global_index()] % 64];
}
// A predicate switches every second thread off.
__global__ void load_predicated(const float* a, float* b) {
  float v = 0;
  asm volatile(
      "{ .reg .pred p; .reg .b32 low; and.b32 low, %2, 1; setp.eq.u32 p, low, 0;\n"
      "  @p ld.global.f32 %0, [%1]; }"
      : "+f"(v)
      : "l"(a + global_index()), "r"(threadIdx.x)
      : "memory");
  b[global_index()] = v;
}

// -- textures and surfaces ------------------------------------------------------------------------

__global__ void texture_fetch(cudaTextureObject_t texture, float* b) {
  b[global_index()] = tex1Dfetch<float>(texture, static_cast<int>(global_index()));
}
__global__ void texture_fetch_apart(cudaTextureObject_t texture, float* b) {
  b[global_index()] = tex1Dfetch<float>(texture, static_cast<int>(global_index() * 8 % 65536));
}

__global__ void texture_2d(cudaTextureObject_t texture, float* b) {
  const auto x = static_cast<float>(threadIdx.x % 16);
  const auto y = static_cast<float>(threadIdx.x / 16 + blockIdx.x % 4 * 16);
  b[global_index()] = tex2D<float>(texture, x, y);
}
__global__ void texture_half(cudaTextureObject_t texture, float* b) {
  if (threadIdx.x % 32 < 12) {
    b[global_index()] = tex1Dfetch<float>(texture, static_cast<int>(global_index()));
  }
}
__global__ void surface_copy(cudaSurfaceObject_t surface, float* b) {
  const auto x = static_cast<int>(threadIdx.x % 64 * sizeof(float));
  const auto y = static_cast<int>(threadIdx.x / 64 + blockIdx.x % 16 * 4);
  const auto v = surf2Dread<float>(surface, x, y);
  surf2Dwrite(v + 1, surface, x, y);
  b[global_index()] = v;
}

// -- shared memory --------------------------------------------------------------------------------

template <class T, int kStride>
__global__ void shared_words(T* b) {
  __shared__ T tile[256 * kStride];
  tile[threadIdx.x * kStride] = static_cast<T>(threadIdx.x);
  __syncthreads();
  b[global_index()] = tile[(threadIdx.x ^ 1) * kStride];
}
// Matrices of 8 rows of 16 bytes each; the rows kRow bytes apart.
template <int kRow>
__global__ void load_matrix(unsigned* b) {
  __shared__ alignas(16) char tile[32 * kRow];
  for (unsigned i = threadIdx.x; i < 32 * kRow / 4; i += 32) {
    reinterpret_cast<unsigned*>(tile)[i] = i;
  }
  __syncwarp();
  unsigned x, y, z, w;
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
               : "=r"(x), "=r"(y), "=r"(z), "=r"(w)
               : "r"(shared_address(tile + threadIdx.x * kRow))
               : "memory");
  b[global_index()] = x + y + z + w;
}
__global__ void load_matrix_one(unsigned* b) {
  __shared__ alignas(16) unsigned tile[32];
  tile[threadIdx.x] = threadIdx.x;
  __syncwarp();
  unsigned x;
  asm volatile("ldmatrix.sync.aligned.m8n8.x1.trans.shared.b16 {%0}, [%1];"
               : "=r"(x)
               : "r"(shared_address(tile + threadIdx.x % 8 * 4))
               : "memory");
  b[global_index()] = x;
}
template <int kRow>
__global__ void store_matrix(unsigned* b) {
  __shared__ alignas(16) char tile[32 * kRow];
  asm volatile("stmatrix.sync.aligned.m8n8.x4.shared.b16 [%0], {%1, %1, %1, %1};" ::"r"(
                   shared_address(tile + threadIdx.x * kRow)),
               "r"(threadIdx.x)
               : "memory");
  __syncwarp();
  b[global_index()] = *reinterpret_cast<unsigned*>(tile + threadIdx.x * kRow);
}
__global__ void shuffles(unsigned* b) {
  unsigned v = threadIdx.x;
  v += __shfl_xor_sync(~0u, v, 1);
  v += __shfl_down_sync(~0u, v, 2);
  b[global_index()] = __reduce_add_sync(~0u, v);
}

// -- the shared memory of another block -----------------------------------------------------------

__global__ void __cluster_dims__(2) other_block(unsigned* b) {
  __shared__ unsigned tile[256];
  tile[threadIdx.x] = threadIdx.x;
  cg::cluster_group cluster = cg::this_cluster();
  cluster.sync();
  const unsigned* theirs = cluster.map_shared_rank(tile, cluster.block_rank() ^ 1);
  const unsigned v = theirs[threadIdx.x ^ 1];
  cluster.sync();
  b[global_index()] = v;
}
__global__ void __cluster_dims__(2) other_block_stores(unsigned* b) {
  __shared__ unsigned tile[256];
  cg::cluster_group cluster = cg::this_cluster();
  cluster.sync();
  *cluster.map_shared_rank(tile + (threadIdx.x ^ 1), cluster.block_rank() ^ 1) = threadIdx.x;
  cluster.sync();
  b[global_index()] = tile[threadIdx.x];
}
__global__ void __cluster_dims__(2) other_block_atomics(unsigned* b) {
  __shared__ unsigned tile[256];
  tile[threadIdx.x] = 0;
  cg::cluster_group cluster = cg::this_cluster();
  cluster.sync();
  atomicAdd(cluster.map_shared_rank(tile + threadIdx.x, cluster.block_rank() ^ 1), threadIdx.x);
  cluster.sync();
  b[global_index()] = tile[threadIdx.x];
}

int main() {
  constexpr int kBlocks = 64;
  constexpr int kThreads = 256;
  constexpr size_t kFloats = size_t{1} << 20;
  float* a = nullptr;
  float* b = nullptr;
  unsigned* where = nullptr;
  CUDA_CHECK(cudaMalloc(&a, kFloats * sizeof(float)));
  CUDA_CHECK(cudaMalloc(&b, kFloats * sizeof(float)));
  CUDA_CHECK(cudaMalloc(&where, kBlocks * kThreads * sizeof(unsigned)));
  CUDA_CHECK(cudaMemset(a, 0, kFloats * sizeof(float)));
  CUDA_CHECK(cudaMemset(b, 0, kFloats * sizeof(float)));
  std::vector<unsigned> places(kBlocks * kThreads);
  for (size_t i = 0; i < places.size(); ++i) places[i] = static_cast<unsigned>(i % 7 * 5);
  CUDA_CHECK(
      cudaMemcpy(where, places.data(), places.size() * sizeof(unsigned), cudaMemcpyHostToDevice));
  const std::vector<float> values(256, 1.f);
  CUDA_CHECK(cudaMemcpyToSymbol(table, values.data(), 256 * sizeof(float)));
  auto* const words = reinterpret_cast<unsigned*>(b);
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypeLinear;
  resource.res.linear.devPtr = a;
  resource.res.linear.desc = cudaCreateChannelDesc<float>();
  resource.res.linear.sizeInBytes = 65536 * sizeof(float);
  cudaTextureDesc description = {};
  description.readMode = cudaReadModeElementType;
  cudaTextureObject_t texture = 0;
  CUDA_CHECK(cudaCreateTextureObject(&texture, &resource, &description, nullptr));

  cudaArray_t array = nullptr;
  CUDA_CHECK(cudaMallocArray(&array, &resource.res.linear.desc, 64, 64, cudaArraySurfaceLoadStore));
  cudaResourceDesc plane = {};
  plane.resType = cudaResourceTypeArray;
  plane.res.array.array = array;
  cudaTextureObject_t texture2d = 0;
  cudaSurfaceObject_t surface = 0;
  CUDA_CHECK(cudaCreateTextureObject(&texture2d, &plane, &description, nullptr));
  CUDA_CHECK(cudaCreateSurfaceObject(&surface, &plane));

  async_copy<4, false><<<kBlocks, kThreads>>>(a, b);
  async_copy<8, false><<<kBlocks, kThreads>>>(a, b);
  async_copy<16, false><<<kBlocks, kThreads>>>(a, b);
  async_copy<16, true><<<kBlocks, kThreads>>>(a, b);
  async_copy_strided<<<kBlocks, kThreads>>>(a, b);
  async_copy_zeros<<<kBlocks, kThreads>>>(a, b);
  bulk_load<<<kBlocks, kThreads>>>(a, b);
  bulk_store<<<kBlocks, kThreads>>>(b);
  bulk_reduce<<<kBlocks, kThreads>>>(words);
  bulk_prefetch<<<kBlocks, kThreads>>>(a);
  prefetch<<<kBlocks, kThreads>>>(a, b);
  load_read_only<<<kBlocks, kThreads>>>(a, b);
  load_past_l1<<<kBlocks, kThreads>>>(a, b);
  load_streaming<<<kBlocks, kThreads>>>(a, b);
  load_volatile<<<kBlocks, kThreads>>>(a, b);
  load_acquire<<<kBlocks, kThreads>>>(a, b);
  load_uniform<<<kBlocks, kThreads>>>(a, b);
  load_v2<<<kBlocks, kThreads>>>(reinterpret_cast<float2*>(a), reinterpret_cast<float2*>(b));
  load_v4_strided<<<kBlocks, kThreads>>>(reinterpret_cast<float4*>(a),
                                         reinterpret_cast<float4*>(b));
  load_bytes_v4<<<kBlocks, kThreads>>>(reinterpret_cast<uchar4*>(a), reinterpret_cast<uchar4*>(b));
  load_halves<<<kBlocks, kThreads>>>(reinterpret_cast<unsigned short*>(a),
                                     reinterpret_cast<unsigned short*>(b));
  store_release<<<kBlocks, kThreads>>>(b);
  store_bytes<<<kBlocks, kThreads>>>(reinterpret_cast<unsigned char*>(b));
  load_generic_both<<<kBlocks, kThreads>>>(a, b);
  store_generic_shared<<<kBlocks, kThreads>>>(b);
  load_constant<<<kBlocks, kThreads>>>(b);
  load_constant_apart<<<kBlocks, kThreads>>>(where, b);
  local_array<<<kBlocks, kThreads>>>(where, b);
  load_predicated<<<kBlocks, kThreads>>>(a, b);
  texture_fetch<<<kBlocks, kThreads>>>(texture, b);
  texture_fetch_apart<<<kBlocks, kThreads>>>(texture, b);
  texture_half<<<kBlocks, kThreads>>>(texture, b);
  texture_2d<<<kBlocks, kThreads>>>(texture2d, b);
  surface_copy<<<kBlocks, kThreads>>>(surface, b);
  shared_words<unsigned char, 1><<<kBlocks, kThreads>>>(reinterpret_cast<unsigned char*>(b));
  shared_words<unsigned short, 3><<<kBlocks, kThreads>>>(reinterpret_cast<unsigned short*>(b));
  shared_words<double, 1><<<kBlocks, kThreads>>>(reinterpret_cast<double*>(b));
  shared_words<double, 3><<<kBlocks, kThreads>>>(reinterpret_cast<double*>(b));
  load_matrix<16><<<kBlocks, 32>>>(words);
  load_matrix<64><<<kBlocks, 32>>>(words);
  load_matrix<80><<<kBlocks, 32>>>(words);
  load_matrix_one<<<kBlocks, 32>>>(words);
  store_matrix<16><<<kBlocks, 32>>>(words);
  store_matrix<64><<<kBlocks, 32>>>(words);
  shuffles<<<kBlocks, kThreads>>>(words);
  other_block<<<kBlocks, kThreads>>>(words);
  other_block_stores<<<kBlocks, kThreads>>>(words);
  other_block_atomics<<<kBlocks, kThreads>>>(words);
  CUDA_CHECK(cudaGetLastError());
  CUDA_CHECK(cudaDeviceSynchronize());
  CUDA_CHECK(cudaDestroySurfaceObject(surface));
  CUDA_CHECK(cudaDestroyTextureObject(texture2d));
  CUDA_CHECK(cudaFreeArray(array));
  CUDA_CHECK(cudaDestroyTextureObject(texture));
  CUDA_CHECK(cudaFree(a));
  CUDA_CHECK(cudaFree(b));
  CUDA_CHECK(cudaFree(where));
  return 0;
}
