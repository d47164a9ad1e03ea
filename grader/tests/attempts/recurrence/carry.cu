#include "recurrence.h"
#include <cuda_runtime.h>
#include <stdio.h>

// x -> a*x + b. uint2: .x is a, .y is b

#define W 32
#define NT 512

__device__ uint2 then(uint2 f, uint2 g)      // first f, then g
{
    return make_uint2(g.x * f.x, g.x * f.y + g.y);
}

__device__ uint2 shflUp(uint2 m, int d)
{
    uint2 r;
    r.x = __shfl_up_sync(0xffffffff, m.x, d);
    r.y = __shfl_up_sync(0xffffffff, m.y, d);
    return r;
}

__device__ uint2 warpScan(uint2 m)
{
    int lane = threadIdx.x % W;
    for (int d = 1; d < W; d *= 2) {
        uint2 left = shflUp(m, d);
        if (lane >= d) m = then(left, m);
    }
    return m;
}

__global__ void recurrenceKernel(const unsigned *a, unsigned *x, int n, unsigned start)
{
    __shared__ uint2 warpTotal[NT / W];
    int i = blockIdx.x * NT + threadIdx.x;
    int warp = threadIdx.x / W, lane = threadIdx.x % W;

    uint2 m = make_uint2(1, 0);
    if (i < n) m = make_uint2(a[i], x[i]);
    m = warpScan(m);
    if (lane == W - 1) warpTotal[warp] = m;
    __syncthreads();

    if (warp == 0) {
        uint2 t = lane < NT / W ? warpTotal[lane] : make_uint2(1, 0);
        t = warpScan(t);
        if (lane < NT / W) warpTotal[lane] = t;
    }
    __syncthreads();

    if (warp > 0) m = then(warpTotal[warp - 1], m);
    if (i < n) x[i] = m.x * start + m.y;
}

void recurrence(const unsigned *a, unsigned *x, int n, unsigned start)
{
    if (n <= 0) return;
    recurrenceKernel<<<(n + NT - 1) / NT, NT>>>(a, x, n, start);
    cudaError_t e = cudaGetLastError();
    if (e != cudaSuccess) fprintf(stderr, "recurrence: %s\n", cudaGetErrorString(e));
}
