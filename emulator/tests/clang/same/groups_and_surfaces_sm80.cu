#include <cooperative_groups.h>
#include <cuda_bf16.h>

#include <cstdio>

// Tiles of tiles, groups of the active lanes, 64-bit matches, surfaces read through a pointer,
// atomic additions of bfloat16, a graph instantiated as with CUDA 11, and a profiler's trigger.

namespace cg = cooperative_groups;

/// Of a tile whose parent is not in its type.
__device__ int place_of(const cg::thread_block_tile<4>& tile) {
  return int(tile.meta_group_rank() * 100 + tile.meta_group_size());
}

__global__ void groups(int* out) {
  const auto block = cg::this_thread_block();
  const auto warp = cg::tiled_partition<32>(block);
  const auto quad = cg::tiled_partition<4>(warp);
  const auto pair = cg::tiled_partition<2>(quad);
  const unsigned i = threadIdx.x;
  int* const row = out + i * 8;
  row[0] = int(warp.meta_group_rank() * 100 + warp.meta_group_size());
  row[1] = int(quad.meta_group_rank() * 100 + quad.meta_group_size());
  row[2] = int(pair.meta_group_rank() * 100 + pair.meta_group_size());
  row[3] = place_of(quad);
  row[4] = place_of(cg::tiled_partition<4>(block));
  if (i % 2 == 1) {
    const auto odd = cg::coalesced_threads();
    row[5] = odd.any(i > 60) * 2 + odd.all(i > 60);
  }
  row[6] = int(__match_any_sync(0xffffffffu, (i % 4ull) << 32 | i / 16));
  int same = 0;
  row[7] = int(__match_all_sync(0xffffffffu, 5.5 + i / 32, &same)) + same;
  block.barrier_wait(block.barrier_arrive());
  __prof_trigger(1);
}

__global__ void swap_bytes(cudaSurfaceObject_t surface) {
  uchar4 texel;
  surf2Dread(&texel, surface, int(threadIdx.x * sizeof texel), 0);
  short2 outside;
  surf2Dread(&outside, surface, -4, 0, cudaBoundaryModeZero);
  texel = make_uchar4(texel.w, texel.z, texel.y, (unsigned char)(texel.x + outside.x));
  surf2Dwrite(texel, surface, int(threadIdx.x * sizeof texel), 0);
}

__global__ void add_up(__nv_bfloat16* one, __nv_bfloat162* two) {
  atomicAdd(one, __float2bfloat16(0.5f));
  atomicAdd(two, __floats2bfloat162_rn(1, 0.25f));
}

int main() {
  int* out = nullptr;
  cudaMalloc(&out, 64 * 8 * sizeof(int));
  cudaMemset(out, 0, 64 * 8 * sizeof(int));
  cudaStream_t stream = nullptr;
  cudaStreamCreate(&stream);
  cudaGraph_t graph = nullptr;
  cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal);
  groups<<<1, 64, 0, stream>>>(out);
  cudaStreamEndCapture(stream, &graph);
  cudaGraphExec_t executable = nullptr;
  char log[64];
  std::printf("%d\n", int(cudaGraphInstantiate(&executable, graph, nullptr, log, sizeof log)));
  cudaGraphLaunch(executable, stream);
  cudaStreamSynchronize(stream);
  static int rows[64][8];
  cudaMemcpy(rows, out, sizeof rows, cudaMemcpyDeviceToHost);
  for (const auto& row : rows) {
    for (const int value : row) std::printf(" %d", value);
    std::printf("\n");
  }
  for (const auto& of : {cudaCreateChannelDescHalf(), cudaCreateChannelDescHalf4()}) {
    std::printf("%d %d %d %d %d\n", of.x, of.y, of.z, of.w, int(of.f));
  }
  const cudaChannelFormatDesc format = cudaCreateChannelDesc<uchar4>();
  cudaArray_t array = nullptr;
  cudaMallocArray(&array, &format, 8, 1, cudaArraySurfaceLoadStore);
  unsigned char bytes[32];
  for (int i = 0; i < 32; ++i) bytes[i] = (unsigned char)(i * 5);
  cudaMemcpy2DToArray(array, 0, 0, bytes, 32, 32, 1, cudaMemcpyHostToDevice);
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypeArray;
  resource.res.array.array = array;
  cudaSurfaceObject_t surface = 0;
  cudaCreateSurfaceObject(&surface, &resource);
  swap_bytes<<<1, 8>>>(surface);
  cudaMemcpy2DFromArray(bytes, 32, array, 0, 0, 32, 1, cudaMemcpyDeviceToHost);
  for (const unsigned char byte : bytes) std::printf("%d\n", byte);
  __nv_bfloat162* sums = nullptr;
  cudaMalloc(&sums, 2 * sizeof *sums);
  cudaMemset(sums, 0, 2 * sizeof *sums);
  add_up<<<2, 32>>>(reinterpret_cast<__nv_bfloat16*>(sums), sums + 1);
  __nv_bfloat16 parts[4];
  cudaMemcpy(parts, sums, sizeof parts, cudaMemcpyDeviceToHost);
  for (const __nv_bfloat16 part : parts) std::printf("%g\n", double(__bfloat162float(part)));
  std::printf("%s\n", cudaGetErrorName(cudaGetLastError()));
  cudaGraphExecDestroy(executable);
  cudaGraphDestroy(graph);
  cudaStreamDestroy(stream);
  cudaDestroySurfaceObject(surface);
  cudaFreeArray(array);
  cudaFree(out);
  cudaFree(sums);
  return 0;
}
