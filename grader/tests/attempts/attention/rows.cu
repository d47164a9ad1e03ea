#include "attention.h"
#include <cuda_runtime.h>

#define NT 128

// one block = one query of one head; its n scores live in dynamic shared memory (<= 32 KB)
__global__ void attRow(const float* Q, const float* K, const float* V, float* O,
                       int n, int depth, float scale, int causal)
{
    extern __shared__ float sc[];
    __shared__ float red[NT];
    __shared__ float qs[128];

    int i = blockIdx.x, t = threadIdx.x;
    size_t head = (size_t)blockIdx.y * n * depth;
    const float* Kh = K + head;
    const float* Vh = V + head;

    if (t < depth) qs[t] = Q[head + (size_t)i * depth + t];
    __syncthreads();

    // 1. scores
    float best = -INFINITY;
    for (int j = t; j < n; j += NT) {
        float s = 0.f;
        for (int c = 0; c < depth; c++) s += qs[c] * Kh[(size_t)j * depth + c];
        s *= scale;
        if (causal && j >= i) s = -INFINITY;      // a token must not see what comes later
        sc[j] = s;
        best = fmaxf(best, s);
    }
    // 2. softmax
    red[t] = best;
    __syncthreads();
    for (int d = NT / 2; d > 0; d /= 2) {
        if (t < d) red[t] = fmaxf(red[t], red[t + d]);
        __syncthreads();
    }
    best = red[0];
    __syncthreads();
    float sum = 0.f;
    for (int j = t; j < n; j += NT) {
        float e = expf(sc[j] - best);
        sc[j] = e;
        sum += e;
    }
    red[t] = sum;
    __syncthreads();
    for (int d = NT / 2; d > 0; d /= 2) {
        if (t < d) red[t] += red[t + d];
        __syncthreads();
    }
    // 3. weighted values
    float inv = 1.f / red[0];
    for (int c = t; c < depth; c += NT) {
        float r = 0.f;
        for (int j = 0; j < n; j++) r += sc[j] * Vh[(size_t)j * depth + c];
        O[head + (size_t)i * depth + c] = r * inv;
    }
}

void attention(const float* q, const float* k, const float* v, float* out, int heads, int n,
               int depth, float scale, int causal)
{
    if (heads == 0 || n == 0) return;
    dim3 grid(n, heads);
    attRow<<<grid, NT, n * sizeof(float)>>>(q, k, v, out, n, depth, scale, causal);
    if (cudaGetLastError() != cudaSuccess) return;
}
