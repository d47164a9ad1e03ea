// Asynchronous copies of each kind that a Hopper card has, and what waits for them. As
// tensor_products_sm90a.cu: h200_tensor.csv has what Nsight Compute counted, and every kernel is
// launched once.

#include <cooperative_groups.h>

#include "emulator/tests/support/device.h"
#include "labs/tensor/sm90.h"

namespace cg = cooperative_groups;

namespace {

constexpr int kBlocks = 64;
constexpr int kRounds = 8;
constexpr int kRows = 64;  // of a box, of 128 bytes each
constexpr int kBoxBytes = kRows * 128;

// A matrix of floats; a box is 32 floats wide.
constexpr int kColumns = 256;
constexpr int kBoxes = kColumns / 32;
constexpr int kMatrixRows = kBlocks * kRows;

struct alignas(1024) Box {
  float cells[kRows][32];
};

CUtensorMap map_of(void* data, int rows, CUtensorMapSwizzle swizzle, int width = 32) {
  CUtensorMap map{};
  const cuuint64_t size[] = {kColumns, static_cast<cuuint64_t>(rows)};
  const cuuint64_t pitch[] = {kColumns * sizeof(float)};
  const cuuint32_t box[] = {static_cast<cuuint32_t>(width), kRows};
  const cuuint32_t steps[] = {1, 1};
  if (cuTensorMapEncodeTiled(&map, CU_TENSOR_MAP_DATA_TYPE_FLOAT32, 2, data, size, pitch, box,
                             steps, CU_TENSOR_MAP_INTERLEAVE_NONE, swizzle,
                             CU_TENSOR_MAP_L2_PROMOTION_NONE,
                             CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE) != CUDA_SUCCESS) {
    throw std::runtime_error("no tensor map");
  }
  return map;
}

__device__ void begin(std::uint64_t* barrier, int arrivals = 1) {
  if (threadIdx.x == 0) {
    sm90::init_barrier(barrier, arrivals);
    sm90::barriers_are_ready();
  }
  __syncthreads();
}
__device__ void written_for_copies() {
  asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
}
__device__ void wait_for_stores() {
  asm volatile("cp.async.bulk.commit_group;\ncp.async.bulk.wait_group 0;" ::: "memory");
}

// -- by tensor map --------------------------------------------------------------------------------

/// A block loads the boxes of its rows one after the other. What is loaded is read by rows, which
/// takes as many passes as the swizzle leaves.
template <int kSwizzle>
__global__ void load_boxes(const __grid_constant__ CUtensorMap map, float* out) {
  __shared__ Box box;
  __shared__ std::uint64_t full;
  begin(&full);
  float sum = 0;
  for (int i = 0; i < kBoxes; ++i) {
    if (threadIdx.x == 0) {
      sm90::expect(&full, kBoxBytes);
      sm90::load_box(&map, 32 * i, static_cast<int>(blockIdx.x) * kRows, &box, &full);
    }
    sm90::wait(&full, i % 2);
    sum += box.cells[threadIdx.x % kRows][0];
    __syncthreads();
  }
  out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

/// Boxes 16 bytes wide.
__global__ void load_narrow(const __grid_constant__ CUtensorMap map, float* out) {
  __shared__ Box box;
  __shared__ std::uint64_t full;
  begin(&full);
  for (int i = 0; i < kRounds; ++i) {
    if (threadIdx.x == 0) {
      sm90::expect(&full, kRows * 16);
      sm90::load_box(&map, 32 * i, static_cast<int>(blockIdx.x) * kRows, &box, &full);
    }
    sm90::wait(&full, i % 2);
  }
  out[blockIdx.x * blockDim.x + threadIdx.x] = box.cells[0][threadIdx.x % 32];
}

/// Half of the rows, and of the last box's columns, are beyond the array.
__global__ void load_beyond(const __grid_constant__ CUtensorMap map, float* out) {
  __shared__ Box box;
  __shared__ std::uint64_t full;
  begin(&full);
  for (int i = 0; i < kBoxes; ++i) {
    if (threadIdx.x == 0) {
      sm90::expect(&full, kBoxBytes);
      sm90::load_box(&map, 32 * i + 16, kMatrixRows - kRows / 2, &box, &full);
    }
    sm90::wait(&full, i % 2);
  }
  out[blockIdx.x * blockDim.x + threadIdx.x] = box.cells[0][threadIdx.x % 32];
}

/// The first block of a cluster loads each box for all of them.
template <int kCluster>
__global__ void __cluster_dims__(kCluster)
    load_for_cluster(const __grid_constant__ CUtensorMap map, float* out) {
  __shared__ Box box;
  __shared__ std::uint64_t full;
  begin(&full);
  for (int i = 0; i < kBoxes; ++i) {
    if (threadIdx.x == 0) sm90::expect(&full, kBoxBytes);
    sm90::cluster_barrier();
    if (sm90::rank_in_cluster() == 0 && threadIdx.x == 0) {
      asm volatile(
          "cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes"
          ".multicast::cluster [%0], [%1, {%2, %3}], [%4], %5;" ::"r"(sm90::shared_address(&box)),
          "l"(&map), "r"(32 * i), "r"(static_cast<int>(blockIdx.x) * kRows),
          "r"(sm90::shared_address(&full)), "h"(static_cast<std::uint16_t>((1 << kCluster) - 1))
          : "memory");
    }
    sm90::wait(&full, i % 2);
  }
  sm90::cluster_barrier();
  out[blockIdx.x * blockDim.x + threadIdx.x] = box.cells[0][threadIdx.x % 32];
}

__global__ void prefetch_boxes(const __grid_constant__ CUtensorMap map) {
  if (threadIdx.x != 0) return;
  for (int i = 0; i < kBoxes; ++i) {
    asm volatile("cp.async.bulk.prefetch.tensor.2d.L2.global [%0, {%1, %2}];" ::"l"(&map),
                 "r"(32 * i), "r"(static_cast<int>(blockIdx.x) * kRows)
                 : "memory");
  }
}

template <bool kAdd>
__global__ void store_boxes(const __grid_constant__ CUtensorMap map) {
  __shared__ Box box;
  for (unsigned i = threadIdx.x; i < kRows * 32; i += blockDim.x) box.cells[i / 32][i % 32] = 1;
  written_for_copies();
  __syncthreads();
  if (threadIdx.x != 0) return;
  for (int i = 0; i < kBoxes; ++i) {
    if constexpr (kAdd) {
      asm volatile(
          "cp.reduce.async.bulk.tensor.2d.global.shared::cta.add.bulk_group [%0, {%1, %2}], "
          "[%3];" ::"l"(&map),
          "r"(32 * i), "r"(static_cast<int>(blockIdx.x) * kRows), "r"(sm90::shared_address(&box))
          : "memory");
    } else {
      asm volatile(
          "cp.async.bulk.tensor.2d.global.shared::cta.bulk_group [%0, {%1, %2}], [%3];" ::"l"(&map),
          "r"(32 * i), "r"(static_cast<int>(blockIdx.x) * kRows), "r"(sm90::shared_address(&box))
          : "memory");
    }
  }
  wait_for_stores();
}

// -- of a range -----------------------------------------------------------------------------------

__global__ void load_ranges(const float* a, float* out) {
  __shared__ Box box;
  __shared__ std::uint64_t full;
  begin(&full);
  for (int i = 0; i < kRounds; ++i) {
    if (threadIdx.x == 0) {
      sm90::expect(&full, kBoxBytes);
      asm volatile(
          "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, "
          "[%3];" ::"r"(sm90::shared_address(&box)),
          "l"(a + (blockIdx.x * kRounds + i) * (kBoxBytes / 4)), "r"(kBoxBytes),
          "r"(sm90::shared_address(&full))
          : "memory");
    }
    sm90::wait(&full, i % 2);
  }
  out[blockIdx.x * blockDim.x + threadIdx.x] = box.cells[0][threadIdx.x % 32];
}

/// Each thread of a warp starts a copy of 48 bytes, which begins within a sector.
__global__ void load_short_ranges(const float* a, float* out) {
  __shared__ alignas(128) float to[32 * 12];
  __shared__ std::uint64_t full;
  begin(&full);
  if (threadIdx.x == 0) sm90::expect(&full, 32 * 48);
  __syncwarp();
  asm volatile(
      "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], 48, [%2];" ::
          "r"(sm90::shared_address(to + 12 * threadIdx.x)),
      "l"(a + (blockIdx.x * 32 + threadIdx.x) * 20 + 4), "r"(sm90::shared_address(&full))
      : "memory");
  sm90::wait(&full, 0);
  out[blockIdx.x * blockDim.x + threadIdx.x] = to[12 * threadIdx.x];
}

template <bool kAdd>
__global__ void store_ranges(float* out) {
  __shared__ Box box;
  for (unsigned i = threadIdx.x; i < kRows * 32; i += blockDim.x) box.cells[i / 32][i % 32] = 1;
  written_for_copies();
  __syncthreads();
  if (threadIdx.x != 0) return;
  for (int i = 0; i < kRounds; ++i) {
    float* const to = out + (blockIdx.x * kRounds + i) * (kBoxBytes / 4);
    if constexpr (kAdd) {
      asm volatile(
          "cp.reduce.async.bulk.global.shared::cta.bulk_group.add.f32 [%0], [%1], %2;" ::"l"(to),
          "r"(sm90::shared_address(&box)), "r"(kBoxBytes)
          : "memory");
    } else {
      asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], %2;" ::"l"(to),
                   "r"(sm90::shared_address(&box)), "r"(kBoxBytes)
                   : "memory");
    }
  }
  wait_for_stores();
}

// -- between the blocks of a cluster --------------------------------------------------------------

__device__ std::uint32_t address_in(std::uint32_t shared, int block) {
  std::uint32_t there = 0;
  asm("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(there) : "r"(shared), "r"(block));
  return there;
}

/// A block's copy engine writes the other block's memory.
__global__ void __cluster_dims__(2) send_to_other(float* out) {
  __shared__ Box from, to;
  __shared__ std::uint64_t full;
  for (unsigned i = threadIdx.x; i < kRows * 32; i += blockDim.x) from.cells[i / 32][i % 32] = 1;
  written_for_copies();
  begin(&full);
  const int other = sm90::rank_in_cluster() ^ 1;
  if (threadIdx.x == 0) sm90::expect(&full, kBoxBytes);
  sm90::cluster_barrier();
  if (threadIdx.x == 0) {
    asm volatile(
        "cp.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes [%0], [%1], %2, "
        "[%3];" ::"r"(address_in(sm90::shared_address(&to), other)),
        "r"(sm90::shared_address(&from)), "r"(kBoxBytes),
        "r"(address_in(sm90::shared_address(&full), other))
        : "memory");
  }
  sm90::wait(&full, 0);
  sm90::cluster_barrier();
  out[blockIdx.x * blockDim.x + threadIdx.x] = to.cells[0][threadIdx.x % 32];
}

/// Threads store to the other block, whose barrier counts the bytes.
__global__ void __cluster_dims__(2) store_to_other(float* out) {
  __shared__ alignas(16) std::uint32_t to[128];
  __shared__ std::uint64_t full;
  begin(&full);
  const int other = sm90::rank_in_cluster() ^ 1;
  if (threadIdx.x == 0) sm90::expect(&full, sizeof to);
  sm90::cluster_barrier();
  asm volatile("st.async.shared::cluster.mbarrier::complete_tx::bytes.u32 [%0], %1, [%2];" ::"r"(
                   address_in(sm90::shared_address(to + threadIdx.x), other)),
               "r"(threadIdx.x), "r"(address_in(sm90::shared_address(&full), other))
               : "memory");
  sm90::wait(&full, 0);
  sm90::cluster_barrier();
  out[blockIdx.x * blockDim.x + threadIdx.x] = static_cast<float>(to[threadIdx.x]);
}

/// Threads load what the other block has stored.
__global__ void __cluster_dims__(2) load_from_other(float* out) {
  __shared__ float cells[128];
  cells[threadIdx.x] = static_cast<float>(threadIdx.x);
  sm90::cluster_barrier();
  const int other = sm90::rank_in_cluster() ^ 1;
  float sum = 0;
  for (int i = 0; i < kRounds; ++i) {
    float got = 0;
    asm volatile("ld.shared::cluster.f32 %0, [%1];"
                 : "=f"(got)
                 : "r"(address_in(sm90::shared_address(cells + (threadIdx.x + i) % 128), other)));
    sum += got;
  }
  sm90::cluster_barrier();
  out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

/// A histogram whose bins are spread over the blocks of a cluster.
__global__ void __cluster_dims__(4) spread_histogram(const unsigned* values, unsigned* out) {
  constexpr unsigned kBins = 256;  // per block
  __shared__ unsigned bins[kBins];
  const cg::cluster_group cluster = cg::this_cluster();
  for (unsigned i = threadIdx.x; i < kBins; i += blockDim.x) bins[i] = 0;
  cluster.sync();
  for (unsigned i = threadIdx.x; i < 1024; i += blockDim.x) {
    const unsigned value = values[blockIdx.x * 1024 + i] % (4 * kBins);
    atomicAdd(cluster.map_shared_rank(bins, value / kBins) + value % kBins, 1);
  }
  cluster.sync();
  for (unsigned i = threadIdx.x; i < kBins; i += blockDim.x) {
    atomicAdd(out + cluster.block_rank() * kBins + i, bins[i]);
  }
}

// -- pipelines ------------------------------------------------------------------------------------

/// Copies of 16 bytes by threads, three tiles ahead; conflicts where rows are read.
__global__ void ring_of_tiles(const float* a, float* out) {
  constexpr int kStages = 4;
  __shared__ alignas(128) float tiles[kStages][128 * 4];
  const auto fetch = [&](int i) {
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16;\ncp.async.commit_group;" ::"r"(
                     sm90::shared_address(tiles[i % kStages] + 4 * threadIdx.x)),
                 "l"(a + ((blockIdx.x * kRounds + i) * 128 + threadIdx.x) * 4)
                 : "memory");
  };
  for (int i = 0; i < kStages - 1; ++i) fetch(i);
  float sum = 0;
  for (int i = 0; i < kRounds; ++i) {
    asm volatile("cp.async.wait_group %0;" ::"n"(kStages - 2) : "memory");
    __syncthreads();
    sum += tiles[i % kStages][(threadIdx.x * 4 + threadIdx.x / 8) % 512];
    if (i + kStages - 1 < kRounds) {
      fetch(i + kStages - 1);
    } else {
      asm volatile("cp.async.commit_group;" ::: "memory");
    }
  }
  out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

/// One warp loads by tensor map, four add what it loaded.
__global__ void producer_and_consumers(const __grid_constant__ CUtensorMap map, float* out) {
  constexpr int kStages = 2;
  __shared__ Box boxes[kStages];
  __shared__ std::uint64_t full[kStages], empty[kStages];
  if (threadIdx.x == 0) {
    for (int s = 0; s < kStages; ++s) {
      sm90::init_barrier(full + s, 1);
      sm90::init_barrier(empty + s, 4);
    }
    sm90::barriers_are_ready();
  }
  __syncthreads();
  if (threadIdx.x >= 128) {
    if (threadIdx.x != 128) return;
    for (int i = 0; i < kBoxes; ++i) {
      const int s = i % kStages;
      sm90::wait(empty + s, i / kStages % 2 ^ 1);
      sm90::expect(full + s, kBoxBytes);
      sm90::load_box(&map, 32 * i, static_cast<int>(blockIdx.x) * kRows, boxes + s, full + s);
    }
    return;
  }
  float sum = 0;
  for (int i = 0; i < kBoxes; ++i) {
    const int s = i % kStages;
    sm90::wait(full + s, i / kStages % 2);
    for (unsigned row = threadIdx.x / 32; row < kRows; row += 4) {
      sum += boxes[s].cells[row][threadIdx.x % 32];
    }
    __syncwarp();
    if (threadIdx.x % 32 == 0) sm90::arrive(empty + s);
  }
  out[blockIdx.x * 128 + threadIdx.x] = sum;
}

void run() {
  constexpr std::size_t kCount = std::size_t{kMatrixRows} * kColumns;
  testing::Buffer<float> a(kCount), out(kCount);
  CUDA_CHECK(cudaMemset(a.get(), 0, kCount * sizeof(float)));
  CUDA_CHECK(cudaMemset(out.get(), 0, kCount * sizeof(float)));
  const CUtensorMap plain = map_of(a.get(), kMatrixRows, CU_TENSOR_MAP_SWIZZLE_NONE);
  const CUtensorMap to = map_of(out.get(), kMatrixRows, CU_TENSOR_MAP_SWIZZLE_NONE);
  const CUtensorMap swizzled = map_of(a.get(), kMatrixRows, CU_TENSOR_MAP_SWIZZLE_128B);
  load_boxes<0><<<kBlocks, 64>>>(plain, out.get());
  load_boxes<128><<<kBlocks, 64>>>(swizzled, out.get());
  load_narrow<<<kBlocks, 32>>>(map_of(a.get(), kMatrixRows, CU_TENSOR_MAP_SWIZZLE_NONE, 4),
                               out.get());
  load_beyond<<<kBlocks, 32>>>(plain, out.get());
  load_for_cluster<2><<<kBlocks, 32>>>(plain, out.get());
  load_for_cluster<4><<<kBlocks, 32>>>(plain, out.get());
  prefetch_boxes<<<kBlocks, 32>>>(plain);
  store_boxes<false><<<kBlocks, 32>>>(to);
  store_boxes<true><<<kBlocks, 32>>>(to);
  load_ranges<<<kBlocks, 32>>>(a.get(), out.get());
  load_short_ranges<<<kBlocks, 32>>>(a.get(), out.get());
  store_ranges<false><<<kBlocks, 32>>>(out.get());
  store_ranges<true><<<kBlocks, 32>>>(out.get());
  send_to_other<<<kBlocks, 32>>>(out.get());
  store_to_other<<<kBlocks, 128>>>(out.get());
  load_from_other<<<kBlocks, 128>>>(out.get());
  spread_histogram<<<kBlocks, 256>>>(reinterpret_cast<unsigned*>(a.get()),
                                     reinterpret_cast<unsigned*>(out.get()));
  ring_of_tiles<<<kBlocks, 128>>>(a.get(), out.get());
  producer_and_consumers<<<kBlocks, 160>>>(plain, out.get());
  CUDA_CHECK(cudaDeviceSynchronize());
}

}  // namespace

int main() {
  run();
}
