#include "attention.h"

#include <cuda_runtime.h>
#include <math.h>

// Q * K^T for every head
__global__ void computeScores(const float *q, const float *k, float *scores, int n, int depth, float scale,
                              int causal)
{
    int j = blockIdx.x * blockDim.x + threadIdx.x; // key
    int i = blockIdx.y * blockDim.y + threadIdx.y; // query
    int h = blockIdx.z;
    if (i >= n || j >= n)
        return;
    const float *qi = q + ((size_t)h * n + i) * depth;
    const float *kj = k + ((size_t)h * n + j) * depth;
    float dot = 0.0f;
    for (int c = 0; c < depth; c++)
        dot += qi[c] * kj[c];
    float value = dot * scale;
    if (causal && j > i)
        value = -INFINITY; // future token
    scores[((size_t)h * n + i) * n + j] = value;
}

// one thread does one row of the score matrix
__global__ void softmaxRows(float *scores, int n, int heads)
{
    size_t r = blockIdx.x * (size_t)blockDim.x + threadIdx.x;
    if (r >= (size_t)heads * n)
        return;
    float *row = scores + r * n;
    float biggest = row[0];
    for (int j = 1; j < n; j++)
        biggest = fmaxf(biggest, row[j]);
    float total = 0.0f;
    for (int j = 0; j < n; j++)
    {
        row[j] = expf(row[j] - biggest);
        total += row[j];
    }
    for (int j = 0; j < n; j++)
        row[j] /= total;
}

// weights * V
__global__ void mixValues(const float *scores, const float *v, float *out, int n, int depth)
{
    int c = threadIdx.x;
    int i = blockIdx.x;
    int h = blockIdx.y;
    const float *weights = scores + (size_t)i * n;
    float acc = 0.0f;
    for (int j = 0; j < n; j++)
        acc += weights[j] * v[((size_t)h * n + j) * depth + c];
    out[((size_t)h * n + i) * depth + c] = acc;
}

void attention(const float *q, const float *k, const float *v, float *out, int heads, int n, int depth,
               float scale, int causal)
{
    if (heads == 0 || n == 0)
        return;
    float *scores;
    if (cudaMalloc(&scores, (size_t)heads * n * n * sizeof(float)) != cudaSuccess)
        return;
    dim3 block(16, 16);
    dim3 grid((n + 15) / 16, (n + 15) / 16, heads);
    computeScores<<<grid, block>>>(q, k, scores, n, depth, scale, causal);
    size_t rows = (size_t)heads * n;
    softmaxRows<<<(unsigned)((rows + 127) / 128), 128>>>(scores, n, heads);
    mixValues<<<dim3(n, heads), depth>>>(scores, v, out, n, depth);
    cudaFree(scores);
}
