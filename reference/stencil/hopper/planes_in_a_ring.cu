// The stencil on Hopper for rows that begin anywhere: planes in a ring in shared memory, fetched by
// the copy engine.
//
// A row whose number of cells is not a multiple of 8 has sectors of 32 bytes in common with the
// next one. A block that has whole rows or parts of them writes such a sector in part, another
// block the rest, and its loads touch five sectors where they need four. Here a block has a range
// of the array, a chunk of a plane that begins and ends at a multiple of 128 bytes, wherever rows
// are. From plane to plane the chunk begins up to 31 cells earlier or later in the plane.
//
// The chunk and the rows before and behind it come to shared memory in one copy for each plane. It
// begins at a multiple of 128 bytes, too: from one of 16 bytes, which is all that the copy engine
// asks for, the kernel takes an eighth longer on an H200. In shared memory a warp reads 32 adjacent
// cells from anywhere in one pass over the banks, so it does not matter that the seven cells of a
// sum begin differently. A warp of its own fetches, and no barrier is for all: warps that are done
// with a plane go on to the next one.
//
// Sizes: nx from 32 to 5000; both arrays are aligned to 128 bytes.
#include "stencil.h"

#include <cuda_runtime.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
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

constexpr int kThreads = 640;  // that compute; one further warp fetches
constexpr int kLanes = 32;
constexpr int kWarps = kThreads / kLanes;
constexpr int kPerThread = 12;  // cells of a plane, at most
constexpr int kStages = 5;  // three planes for the sums, and two that are on their way
constexpr int kLine = 32;  // cells in 128 bytes
constexpr int kFour = 4;  // cells in 16 bytes, the copy engine's unit
constexpr int kFewestPlanes = 16;  // of a block: two further ones are read

__device__ std::uint32_t shared_address(const void* place) {
  return static_cast<std::uint32_t>(__cvta_generic_to_shared(place));
}

__device__ void await(const std::uint64_t* barrier, unsigned parity) {
  asm volatile(
      "{\n .reg .pred done;\nagain:\n"
      " mbarrier.try_wait.parity.shared::cta.b64 done, [%0], %1;\n"
      " @!done bra again;\n}" ::"r"(shared_address(barrier)),
      "r"(parity)
      : "memory");
}

__device__ void set_up(std::uint64_t* barrier, unsigned arrivals) {
  asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(shared_address(barrier)),
               "r"(arrivals)
               : "memory");
}

__device__ void arrive(std::uint64_t* barrier) {
  asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(shared_address(barrier))
               : "memory");
}

// @param cells  a multiple of kFour; from and to are aligned to 16 bytes
__device__ void fetch(float* to, const float* from, unsigned cells, std::uint64_t* barrier) {
  const auto bytes = static_cast<unsigned>(sizeof(float)) * cells;
  asm volatile(
      "mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(shared_address(barrier)),
      "r"(bytes)
      : "memory");
  asm volatile(
      "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::
          "r"(shared_address(to)),
      "l"(from), "r"(bytes), "r"(shared_address(barrier))
      : "memory");
}

// The cells that a block has in the planes of a grid.
struct Chunk {
  std::int64_t count;  // cells of the grid
  int plane;  // cells of a plane
  int nx;
  int begin, end;  // in a plane, if it begins at a multiple of kLine

  __device__ std::int64_t first(int z) const {
    return (static_cast<std::int64_t>(z) * plane + begin) & -kLine;
  }
  __device__ std::int64_t last(int z) const {
    const std::int64_t to = static_cast<std::int64_t>(z) * plane + end;
    return to == count ? count : to & -kLine;
  }
  // Cells of a plane's place in the ring before the chunk's first one.
  __device__ int before() const { return (nx + kLine - 1) / kLine * kLine; }
};

// @param slot    cells of a plane's place in the ring
// @param planes  that a block takes
__global__ void __launch_bounds__(kThreads + kLanes, 1)
    update_chunks(const float* __restrict__ in, float* __restrict__ out, int nx, int ny, int nz,
                  int chunk, int slot, int planes) {
  extern __shared__ __align__(128) float ring[];
  __shared__ std::uint64_t full[kStages];
  __shared__ std::uint64_t empty[kStages];
  Chunk own;
  own.nx = nx;
  own.plane = nx * ny;
  own.count = static_cast<std::int64_t>(own.plane) * nz;
  own.begin = static_cast<int>(blockIdx.x) * chunk;
  own.end = min(own.begin + chunk, own.plane);
  const int z_begin = static_cast<int>(blockIdx.y) * planes;
  const int z_end = min(z_begin + planes, nz);
  const int lowest = max(z_begin - 1, 0);
  const int highest = min(z_end, nz - 1);
  if (threadIdx.x == 0) {
    for (int stage = 0; stage < kStages; ++stage) {
      set_up(&full[stage], 1);
      set_up(&empty[stage], kWarps);
    }
    asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
  }
  __syncthreads();
  if (threadIdx.x >= kThreads) {
    if (threadIdx.x > kThreads) return;
    for (int z = lowest; z <= highest; ++z) {
      const int stage = (z - lowest) % kStages;
      const int round = (z - lowest) / kStages;
      if (round > 0) await(&empty[stage], static_cast<unsigned>(round - 1) % 2);
      const std::int64_t origin = own.first(z) - own.before();
      const std::int64_t from = max(origin, std::int64_t{0});
      // Of the last cells, up to three are no unit of the copy engine. They are in a corner of the
      // grid, and no sum needs them.
      const std::int64_t to =
          min((own.last(z) + nx + kLine - 1) / kLine * kLine, own.count / kFour * kFour);
      fetch(ring + stage * slot + (from - origin), in + from, static_cast<unsigned>(to - from),
            &full[stage]);
    }
    return;
  }

  // Where the thread's cells are in their rows, if the chunk begins at a multiple of kLine: -1 is
  // the last place, since a chunk begins earlier than that and never later.
  int places[kPerThread];
#pragma unroll
  for (int j = 0; j < kPerThread; ++j) {
    places[j] = (own.begin + static_cast<int>(threadIdx.x) + j * kThreads) % nx;
    if (places[j] == nx - 1) places[j] = -1;
  }
  int stage = (z_begin - lowest) % kStages;
  int stage_below = kStages - 1;
  int stage_above = stage + 1;
  unsigned phase_above = 0;
  if (stage > 0) stage_below = stage - 1;
  for (int s = 0; s <= stage; ++s) await(&full[s], 0);
#pragma unroll 1
  for (int z = z_begin; z < z_end; ++z) {
    if (z < highest) await(&full[stage_above], phase_above);
    const std::int64_t first = own.first(z);
    const int cells = static_cast<int>(own.last(z) - first);
    if (z == 0 || z == nz - 1) {
      for (int k = static_cast<int>(threadIdx.x); k < cells; k += kThreads) {
        out[first + k] = in[first + k];
      }
    } else {
      // The chunk's first cell in the three planes: it is up to 31 cells further in one of them.
      const auto moved = [&](int other) {
        return static_cast<int>(first + static_cast<std::int64_t>(other - z) * own.plane -
                                own.first(other));
      };
      const float* centre = ring + stage * slot + own.before();
      const float* below = ring + stage_below * slot + own.before() + moved(z - 1);
      const float* above = ring + stage_above * slot + own.before() + moved(z + 1);
      const auto sum = [&](int k) {
        return kCentre * centre[k] + kNeighbour * below[k] + kNeighbour * above[k] +
               kNeighbour * centre[k - 1] + kNeighbour * centre[k + 1] +
               kNeighbour * centre[k - nx] + kNeighbour * centre[k + nx];
      };
      const int in_plane = static_cast<int>(first - static_cast<std::int64_t>(z) * own.plane);
      const int inner_end = own.plane - nx;
      const bool inner_rows = in_plane >= nx && in_plane + cells <= inner_end;
      const int shift = in_plane - own.begin + 1;
      float* to = out + first;
#pragma unroll
      for (int j = 0; j < kPerThread; ++j) {
        const int k = static_cast<int>(threadIdx.x) + j * kThreads;
        if (k >= cells) break;
        const bool inner = static_cast<unsigned>(places[j] + shift) > 1;
        if (inner_rows) {
          const float result = sum(k);  // without a branch
          to[k] = inner ? result : centre[k];
        } else if (inner && in_plane + k >= nx && in_plane + k < inner_end) {
          to[k] = sum(k);
        } else {
          to[k] = centre[k];
        }
      }
    }
    __syncwarp();
    if (z > lowest && threadIdx.x % kLanes == 0) arrive(&empty[stage_below]);
    stage_below = stage;
    stage = stage_above;
    if (++stage_above == kStages) {
      stage_above = 0;
      phase_above ^= 1;
    }
  }
}

int attribute(cudaDeviceAttr which) {
  int device = 0;
  int value = 0;
  CHECK(cudaGetDevice(&device));
  CHECK(cudaDeviceGetAttribute(&value, which, device));
  return value;
}

}  // namespace

void stencil(const float* in, float* out, int nx, int ny, int nz) {
  if (nx == 0 || ny == 0 || nz == 0) return;
  const int multiprocessors = attribute(cudaDevAttrMultiProcessorCount);
  const int shared = attribute(cudaDevAttrMaxSharedMemoryPerBlockOptin);
  const auto parts_of = [](int all, int size) { return (all - 1) / size + 1; };
  // As large a chunk as fits, with a block for each multiprocessor: the rows around it are read
  // twice.
  int chunk = 0;
  int slot = 0;
  int planes = 0;
  for (int parts = 1; parts == 1 || nz / parts >= kFewestPlanes; ++parts) {
    const int chunks = std::max(1, multiprocessors / parts);
    const int larger = parts_of(parts_of(nx * ny, chunks), kLine) * kLine;
    if (larger + kLine > kPerThread * kThreads) break;
    const int needed = larger + 4 * kLine + 2 * nx;
    const int places = parts_of(needed, kLine) * kLine;
    if (kStages * places * static_cast<int>(sizeof(float)) > shared - 1024) break;
    chunk = larger;
    slot = places;
    planes = parts_of(nz, parts);
  }
  if (chunk == 0) {
    chunk = (shared - 1024) / (kStages * static_cast<int>(sizeof(float))) - 2 * nx - 5 * kLine;
    chunk = std::min(chunk, kPerThread * kThreads - kLine) / kLine * kLine;
    slot = parts_of(chunk + 4 * kLine + 2 * nx, kLine) * kLine;
    planes = nz;
  }
  const int bytes = kStages * slot * static_cast<int>(sizeof(float));
  CHECK(cudaFuncSetAttribute(update_chunks, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes));
  const dim3 grid(parts_of(nx * ny, chunk), parts_of(nz, planes));
  update_chunks<<<grid, kThreads + kLanes, bytes>>>(in, out, nx, ny, nz, chunk, slot, planes);
  CHECK(cudaGetLastError());
}
