// The totals of all blocks are found first and scanned; then each block knows what x is before it.
// A thread combines eight adjacent steps, and the lanes of a warp hand theirs on by shuffles.
#include "recurrence.h"

#include <cuda_runtime.h>

constexpr int kBlock = 256;

// One step of the recurrence, or several in a row: x becomes a * x + b.
struct Map {
  unsigned a, b;
};

// The map that leaves every x as it is.
__device__ Map identity() {
  return {1, 0};
}

// First one, then the other.
__device__ Map combine(Map first, Map second) {
  return {second.a * first.a, second.a * first.b + second.b};
}

__device__ Map from_left(Map own, int d) {
  return {__shfl_up_sync(0xffffffff, own.a, d), __shfl_up_sync(0xffffffff, own.b, d)};
}

__device__ Map scan_warp(Map own) {
  const int lane = threadIdx.x % 32;
  for (int d = 1; d < 32; d *= 2) {
    const Map left = from_left(own, d);
    if (lane >= d) own = combine(left, own);
  }
  return own;
}

// The maps of threads 0 to t in one, for each thread t.
__device__ Map scan_block(Map own) {
  __shared__ Map warps[kBlock / 32];
  const int warp = threadIdx.x / 32;
  const int lane = threadIdx.x % 32;
  own = scan_warp(own);
  if (lane == 31) warps[warp] = own;
  __syncthreads();
  if (warp == 0) {
    const Map all = scan_warp(lane < kBlock / 32 ? warps[lane] : identity());
    if (lane < kBlock / 32) warps[lane] = all;
  }
  __syncthreads();
  return warp > 0 ? combine(warps[warp - 1], own) : own;
}

__global__ void scan_blocks(Map* maps, Map* totals, int n) {
  const int i = blockIdx.x * kBlock + threadIdx.x;
  const Map own = scan_block(i < n ? maps[i] : identity());
  if (i < n) maps[i] = own;
  if (threadIdx.x == kBlock - 1) totals[blockIdx.x] = own;
}

// Puts the blocks before it in front of each block.
__global__ void join_blocks(Map* maps, const Map* totals, int n) {
  const int i = blockIdx.x * kBlock + threadIdx.x;
  if (blockIdx.x > 0 && i < n) maps[i] = combine(totals[blockIdx.x - 1], maps[i]);
}

// Scans the maps in place.
void scan(Map* maps, int n) {
  const int blocks = (n - 1) / kBlock + 1;
  Map* totals = nullptr;
  cudaMalloc(&totals, blocks * sizeof(Map));
  scan_blocks<<<blocks, kBlock>>>(maps, totals, n);
  if (blocks > 1) {
    scan(totals, blocks);
    join_blocks<<<blocks, kBlock>>>(maps, totals, n);
  }
  cudaFree(totals);
}

constexpr int kPerThread = 8;
constexpr int kTile = kBlock * kPerThread;

// Where an element of the tile is in shared memory: one place is left out after each 32, so that
// lanes that read eight apart use different banks.
__device__ int place(int i) {
  return i + i / 32;
}

// A block's elements: neighbouring threads load neighbouring ones, and each thread then has eight
// that are adjacent.
struct Tile {
  unsigned a[kTile + kTile / 32];
  unsigned x[kTile + kTile / 32];
};

__device__ void load(Tile& tile, const unsigned* a, const unsigned* x, int first, int n) {
  for (int i = threadIdx.x; i < kTile; i += kBlock) {
    const bool inside = i < n - first;
    tile.a[place(i)] = inside ? a[first + i] : 1;
    tile.x[place(i)] = inside ? x[first + i] : 0;
  }
  __syncthreads();
}

// The thread's eight steps in one.
__device__ Map combine_own(const Tile& tile) {
  Map own = identity();
  for (int k = 0; k < kPerThread; ++k) {
    const int i = place(threadIdx.x * kPerThread + k);
    own = combine(own, {tile.a[i], tile.x[i]});
  }
  return own;
}

__global__ void find_totals(const unsigned* a, const unsigned* x, Map* totals, int n) {
  __shared__ Tile tile;
  load(tile, a, x, blockIdx.x * kTile, n);
  const Map own = scan_block(combine_own(tile));
  if (threadIdx.x == kBlock - 1) totals[blockIdx.x] = own;
}

__global__ void finish(const unsigned* a, unsigned* x, const Map* totals, int n, unsigned start) {
  __shared__ Tile tile;
  __shared__ Map scanned[kBlock];
  const int first = blockIdx.x * kTile;
  load(tile, a, x, first, n);
  scanned[threadIdx.x] = scan_block(combine_own(tile));
  __syncthreads();
  // What x is before the thread's first element: the rest is the recurrence itself.
  unsigned state = start;
  if (blockIdx.x > 0) state = totals[blockIdx.x - 1].a * start + totals[blockIdx.x - 1].b;
  if (threadIdx.x > 0) state = scanned[threadIdx.x - 1].a * state + scanned[threadIdx.x - 1].b;
  for (int k = 0; k < kPerThread; ++k) {
    const int i = place(threadIdx.x * kPerThread + k);
    state = tile.a[i] * state + tile.x[i];
    tile.x[i] = state;
  }
  __syncthreads();
  for (int i = threadIdx.x; i < kTile && i < n - first; i += kBlock)
    x[first + i] = tile.x[place(i)];
}

void recurrence(const unsigned* a, unsigned* x, int n, unsigned start) {
  if (n == 0) return;
  const int blocks = (n - 1) / kTile + 1;
  Map* totals = nullptr;
  cudaMalloc(&totals, blocks * sizeof(Map));
  if (blocks > 1) {
    find_totals<<<blocks, kBlock>>>(a, x, totals, n);
    scan(totals, blocks);
  }
  finish<<<blocks, kBlock>>>(a, x, totals, n, start);
  cudaFree(totals);
}
