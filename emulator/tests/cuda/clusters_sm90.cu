#include <cooperative_groups.h>

#include <cuda/barrier>
#include <cuda/ptx>

#include "emulator/tests/support/program.h"

// Clusters of blocks that see each other's shared memory, and bulk copies.

#pragma nv_diag_suppress static_var_with_dynamic_init

namespace cg = cooperative_groups;
namespace ptx = cuda::ptx;

namespace {

constexpr int kBins = 64;  // spread over the blocks of a cluster

/// A histogram whose bins are distributed over the shared memory of a cluster's blocks.
__global__ void cluster_histogram(const int* values, int n, int* histogram) {
  extern __shared__ int bins[];
  const auto cluster = cg::this_cluster();
  const int mine = kBins / int(cluster.num_blocks());
  for (int i = int(threadIdx.x); i < mine; i += int(blockDim.x)) bins[i] = 0;
  cluster.sync();
  const int stride = int(gridDim.x * blockDim.x);
  for (int i = int(blockIdx.x * blockDim.x + threadIdx.x); i < n; i += stride) {
    const int bin = values[i];
    int* there = cluster.map_shared_rank(bins, bin / mine);
    atomicAdd(&there[bin % mine], 1);
  }
  cluster.sync();
  const int first = int(cluster.block_rank()) * mine;
  for (int i = int(threadIdx.x); i < mine; i += int(blockDim.x)) {
    atomicAdd(&histogram[first + i], bins[i]);
  }
}

/// Each block passes its sum to the next one of its cluster, in a ring.
__global__ void __cluster_dims__(2, 2, 1) ring(int* out) {
  __shared__ int box;
  const auto cluster = cg::this_cluster();
  const unsigned rank = cluster.block_rank(), blocks = cluster.num_blocks();
  if (threadIdx.x == 0) box = int(rank + 10 * blockIdx.x + 100 * blockIdx.y);
  for (unsigned round = 0; round < blocks; ++round) {
    auto token = cluster.barrier_arrive();
    cluster.barrier_wait(std::move(token));
    const int got = *cluster.map_shared_rank(&box, (rank + 1) % blocks);
    cluster.sync();
    if (threadIdx.x == 0) box += got;
  }
  const int block = int(blockIdx.y * gridDim.x + blockIdx.x);
  const int where = int(cluster.block_index().x + 2 * cluster.block_index().y);
  const bool right = cluster.dim_blocks().x == 2 && cluster.num_threads() == 4 * blockDim.x &&
                     cluster.query_shared_rank(cluster.map_shared_rank(&box, 1)) == 1;
  // What thread 0 added last, thread 0 reads.
  if (threadIdx.x == 0) out[block] = right ? box * 10 + where : -1;
  cluster.sync();
}

/// Three-point means of a row that is cut over the blocks of a cluster: each takes the cells next
/// to its own from its neighbours' shared memory. Two buffers, so that one barrier a step will do.
__global__ void __cluster_dims__(4, 1, 1) means(const float* in, float* out, int steps) {
  constexpr int kCells = 64;
  __shared__ float row[2][kCells + 2];
  const auto cluster = cg::this_cluster();
  const unsigned rank = cluster.block_rank();
  const bool has_left = rank > 0, has_right = rank + 1 < cluster.num_blocks();
  const int i = int(threadIdx.x) + 1;
  row[0][i] = in[blockIdx.x * kCells + threadIdx.x];
  if (i == 1) row[0][0] = row[1][0] = row[0][kCells + 1] = row[1][kCells + 1] = 0;
  cluster.sync();
  for (int step = 0; step < steps; ++step) {
    float(&now)[kCells + 2] = row[step % 2];
    if (i == 1 && has_left) now[0] = *cluster.map_shared_rank(&now[kCells], rank - 1);
    if (i == kCells && has_right) now[kCells + 1] = *cluster.map_shared_rank(&now[1], rank + 1);
    __syncthreads();
    row[(step + 1) % 2][i] = (now[i - 1] + now[i] + now[i + 1]) / 4;
    cluster.sync();
  }
  out[blockIdx.x * kCells + threadIdx.x] = row[steps % 2][i];
}

/// One block makes numbers and puts them into the other one's buffers; barriers in the shared
/// memory of both say when a buffer is full, and when it is empty again.
__global__ void __cluster_dims__(2, 1, 1) stream(int* out, int rounds) {
  __shared__ int buffers[2][32];
  __shared__ std::uint64_t full[2], empty[2];
  const auto cluster = cg::this_cluster();
  if (threadIdx.x == 0) {
    for (int s = 0; s < 2; ++s) {
      ptx::mbarrier_init(&full[s], 32);
      ptx::mbarrier_init(&empty[s], 32);
    }
    ptx::fence_mbarrier_init(ptx::sem_release, ptx::scope_cluster);
  }
  cluster.sync();
  const int lane = int(threadIdx.x);
  const auto arrive = [&](std::uint64_t* barrier, unsigned rank) {
    ptx::mbarrier_arrive(ptx::sem_release, ptx::scope_cluster, ptx::space_cluster,
                         cluster.map_shared_rank(barrier, rank));
  };
  const auto wait = [&](std::uint64_t* barrier, int round) {
    while (!ptx::mbarrier_try_wait_parity(ptx::sem_acquire, ptx::scope_cluster, barrier,
                                          std::uint32_t(round % 2))) {
    }
  };
  int sum = 0;
  for (int i = 0; i < rounds; ++i) {
    const int s = i % 2;
    if (cluster.block_rank() == 0) {
      if (i >= 2) wait(&empty[s], i / 2 - 1);
      cluster.map_shared_rank(buffers[s], 1)[lane] = i * 100 + lane;
      arrive(&full[s], 1);
    } else {
      wait(&full[s], i / 2);
      sum += buffers[s][31 - lane];
      arrive(&empty[s], 0);
    }
  }
  if (cluster.block_rank() == 1) out[blockIdx.x / 2 * 32 + threadIdx.x] = sum;
  cluster.sync();
}

/// Tiles come in by one bulk copy each and go out by another.
__global__ void bulk_add(const float* in, float* out, int tiles, float by) {
  constexpr int kTile = 256;
  __shared__ alignas(128) float tile[2][kTile];
  __shared__ std::uint64_t full[2];
  if (threadIdx.x == 0) {
    ptx::mbarrier_init(&full[0], 1);
    ptx::mbarrier_init(&full[1], 1);
    ptx::fence_proxy_async(ptx::space_shared);
  }
  __syncthreads();
  const auto fetch = [&](int i) {
    if (threadIdx.x != 0 || i >= tiles) return;
    ptx::cp_async_bulk(ptx::space_cluster, ptx::space_global, tile[i % 2], in + i * kTile,
                       sizeof(tile[0]), &full[i % 2]);
    ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta, ptx::space_shared,
                                   &full[i % 2], sizeof(tile[0]));
  };
  fetch(0);
  for (int i = 0; i < tiles; ++i) {
    // The buffer of tile i + 1 was sent in the round before.
    if (threadIdx.x == 0) ptx::cp_async_bulk_wait_group_read(ptx::n32_t<0>());
    fetch(i + 1);
    while (!ptx::mbarrier_try_wait_parity(&full[i % 2], std::uint32_t(i / 2 % 2))) {
    }
    for (int k = int(threadIdx.x); k < kTile; k += int(blockDim.x)) tile[i % 2][k] += by;
    ptx::fence_proxy_async(ptx::space_shared);
    __syncthreads();
    if (threadIdx.x == 0) {
      ptx::cp_async_bulk(ptx::space_global, ptx::space_shared, out + i * kTile, tile[i % 2],
                         sizeof(tile[0]));
      ptx::cp_async_bulk_commit_group();
    }
  }
  if (threadIdx.x == 0) ptx::cp_async_bulk_wait_group(ptx::n32_t<0>());
}

/// memcpy_async with a barrier: a bulk copy by one thread.
__global__ void barrier_copy(const int* in, int* out) {
  using Barrier = cuda::barrier<cuda::thread_scope_block>;
  __shared__ Barrier barrier;
  __shared__ alignas(16) int cells[128];
  if (threadIdx.x == 0) {
    init(&barrier, blockDim.x);
    cuda::device::experimental::fence_proxy_async_shared_cta();
  }
  __syncthreads();
  Barrier::arrival_token token;
  if (threadIdx.x == 0) {
    cuda::memcpy_async(cells, in + blockIdx.x * 128, cuda::aligned_size_t<16>(sizeof cells),
                       barrier);
    token = barrier.arrive();
  } else {
    token = barrier.arrive();
  }
  barrier.wait(std::move(token));
  out[blockIdx.x * 128 + threadIdx.x] = cells[127 - threadIdx.x];
}

void histogram() {
  const std::vector<int> values = testing::random_integers(5000, kBins);
  const testing::Buffer<int> in(values);
  for (const unsigned blocks : {1u, 2u, 4u, 8u}) {
    testing::Buffer<int> out(kBins);
    out.fill_bytes(0);
    cudaLaunchConfig_t config = {};
    config.gridDim = dim3(16);
    config.blockDim = dim3(64);
    config.dynamicSmemBytes = kBins / blocks * sizeof(int);
    cudaLaunchAttribute attribute = {};
    attribute.id = cudaLaunchAttributeClusterDimension;
    attribute.val.clusterDim.x = blocks;
    attribute.val.clusterDim.y = attribute.val.clusterDim.z = 1;
    config.attrs = &attribute;
    config.numAttrs = 1;
    int fit = 0;
    CUDA_CHECK(cudaOccupancyMaxActiveClusters(&fit, cluster_histogram, &config));
    EXPECT(fit > 0);
    CUDA_CHECK(
        cudaLaunchKernelEx(&config, cluster_histogram, (const int*)in.get(), 5000, out.get()));
    FINISH_LAUNCH();
    std::vector<int> want(kBins);
    for (const int value : values) ++want[std::size_t(value)];
    testing::expect_equal(out.download(), want);
  }
}

void rings() {
  testing::Buffer<int> out(16);
  ring<<<dim3(4, 4), 32>>>(out.get());
  FINISH_LAUNCH();
  std::vector<int> want(16);
  for (unsigned cy = 0; cy < 2; ++cy) {
    for (unsigned cx = 0; cx < 2; ++cx) {
      int box[4];
      for (unsigned rank = 0; rank < 4; ++rank) {
        box[rank] = int(rank + 10 * (2 * cx + rank % 2) + 100 * (2 * cy + rank / 2));
      }
      for (int round = 0; round < 4; ++round) {
        const int first = box[0];
        for (int rank = 0; rank < 3; ++rank) box[rank] += box[rank + 1];
        box[3] += first;
      }
      for (unsigned rank = 0; rank < 4; ++rank) {
        const unsigned block = (2 * cy + rank / 2) * 4 + 2 * cx + rank % 2;
        want[block] = box[rank] * 10 + int(rank);
      }
    }
  }
  testing::expect_equal(out.download(), want);
}

void rows() {
  constexpr int kSteps = 5;
  std::vector<float> cells = testing::random_floats(512);
  const testing::Buffer<float> in(cells);
  testing::Buffer<float> out(512);
  means<<<8, 64>>>(in.get(), out.get(), kSteps);
  FINISH_LAUNCH();
  for (int step = 0; step < kSteps; ++step) {
    const std::vector<float> before = cells;
    for (std::size_t i = 0; i < 512; ++i) {
      const float left = i % 256 == 0 ? 0 : before[i - 1];
      const float right = i % 256 == 255 ? 0 : before[i + 1];
      cells[i] = (left + before[i] + right) / 4;
    }
  }
  testing::expect_equal(out.download(), cells);
}

void streams() {
  constexpr int kRounds = 9;
  testing::Buffer<int> out(64);
  stream<<<4, 32>>>(out.get(), kRounds);
  FINISH_LAUNCH();
  std::vector<int> want;
  for (int i = 0; i < 64; ++i) {
    want.push_back(100 * (kRounds * (kRounds - 1) / 2) + kRounds * (31 - i % 32));
  }
  testing::expect_equal(out.download(), want);
}

void bulk() {
  const std::vector<float> values = testing::random_floats(256 * 7);
  const testing::Buffer<float> in(values);
  testing::Buffer<float> out(256 * 7);
  bulk_add<<<1, 96>>>(in.get(), out.get(), 7, 2.5f);
  FINISH_LAUNCH();
  std::vector<float> want;
  for (const float x : values) want.push_back(x + 2.5f);
  testing::expect_equal(out.download(), want);

  const std::vector<int> integers = testing::random_integers(512, 1000);
  const testing::Buffer<int> from(integers);
  testing::Buffer<int> to(512);
  barrier_copy<<<4, 128>>>(from.get(), to.get());
  FINISH_LAUNCH();
  std::vector<int> turned;
  for (std::size_t i = 0; i < 512; ++i) turned.push_back(integers[i / 128 * 128 + 127 - i % 128]);
  testing::expect_equal(to.download(), turned);
}

void limits() {
  cudaLaunchConfig_t config = {};
  config.gridDim = dim3(6);
  config.blockDim = dim3(32);
  cudaLaunchAttribute attribute = {};
  attribute.id = cudaLaunchAttributeClusterDimension;
  attribute.val.clusterDim.x = 2;
  attribute.val.clusterDim.y = attribute.val.clusterDim.z = 1;
  config.attrs = &attribute;
  config.numAttrs = 1;
  int blocks = 0;
  CUDA_CHECK(cudaOccupancyMaxPotentialClusterSize(&blocks, cluster_histogram, &config));
  EXPECT(blocks == 8);
}

void run() {
  histogram();
  rings();
  rows();
  streams();
  bulk();
  limits();
}

}  // namespace

int main(int argc, char** argv) {
  return testing::run_program(argc, argv, run);
}
