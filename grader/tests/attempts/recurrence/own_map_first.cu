#include <cuda_runtime.h>

#include "recurrence.h"

constexpr int kBlock = 256;

struct Map {
    unsigned a, b;
};

__device__ Map none() { return {1, 0}; }

__device__ Map combine(Map first, Map second) {
    return {second.a * first.a, second.a * first.b + second.b};
}

// Inclusive scan of the block's maps in shared memory.
__device__ Map scan_in_block(Map mine, Map* part) {
    const int t = threadIdx.x;
    part[t] = mine;
    __syncthreads();
    for (int d = 1; d < kBlock; d *= 2) {
        if (t >= d) mine = combine(mine, part[t - d]);
        part[t] = mine;
        __syncthreads();
    }
    return mine;
}

__global__ void scan_blocks(const unsigned* a, const unsigned* x, Map* maps, Map* totals,
                            int n) {
    __shared__ Map part[kBlock];
    const int i = blockIdx.x * kBlock + threadIdx.x;
    Map mine = none();
    if (i < n) mine = {a[i], x[i]};
    mine = scan_in_block(mine, part);
    if (i < n) maps[i] = mine;
    if (threadIdx.x == kBlock - 1) totals[blockIdx.x] = mine;
}

// One block makes the totals exclusive: afterwards totals[b] is the map of all blocks
// before b.
__global__ void scan_totals(Map* totals, int blocks) {
    __shared__ Map part[kBlock];
    Map before = none();
    for (int first = 0; first < blocks; first += kBlock) {
        const int b = first + threadIdx.x;
        Map mine = none();
        if (b < blocks) mine = totals[b];
        mine = scan_in_block(mine, part);
        const Map left = threadIdx.x > 0 ? part[threadIdx.x - 1] : none();
        const Map all = part[kBlock - 1];
        if (b < blocks) totals[b] = combine(before, left);
        before = combine(before, all);
        __syncthreads();
    }
}

__global__ void apply(const Map* maps, const Map* totals, unsigned* x, int n,
                      unsigned start) {
    const int i = blockIdx.x * kBlock + threadIdx.x;
    if (i >= n) return;
    const Map before = totals[blockIdx.x];
    const unsigned in = before.a * start + before.b;
    x[i] = maps[i].a * in + maps[i].b;
}

void recurrence(const unsigned* a, unsigned* x, int n, unsigned start) {
    if (n == 0) return;
    const int blocks = (n + kBlock - 1) / kBlock;
    Map *maps, *totals;
    cudaMalloc(&maps, n * sizeof(Map));
    cudaMalloc(&totals, blocks * sizeof(Map));
    scan_blocks<<<blocks, kBlock>>>(a, x, maps, totals, n);
    scan_totals<<<1, kBlock>>>(totals, blocks);
    apply<<<blocks, kBlock>>>(maps, totals, x, n, start);
    cudaFree(maps);
    cudaFree(totals);
}
