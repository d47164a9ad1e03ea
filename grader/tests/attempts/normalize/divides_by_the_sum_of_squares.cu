#include "normalize.h"
#include <cuda_runtime.h>

constexpr int kBlock = 256;

__global__ void subtract(const float* a, const float* b, float* difference, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) difference[i] = a[i] - b[i];
}

__global__ void add_squares(const float* difference, float* sum, int n) {
    __shared__ float squares[kBlock];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float d = i < n ? difference[i] : 0;
    squares[threadIdx.x] = d * d;
    __syncthreads();
    for (int s = kBlock / 2; s > 0; s /= 2) {
        if (threadIdx.x < s) squares[threadIdx.x] += squares[threadIdx.x + s];
        __syncthreads();
    }
    if (threadIdx.x == 0) atomicAdd(sum, squares[0]);
}

__global__ void divide(float* unit, const float* sum, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float length = *sum;
    if (i < n && length > 0) unit[i] /= length;  // else it is 0 already
}

void normalize(const float* a, const float* b, float* unit, int n) {
    if (n == 0) return;
    float* sum;
    cudaMalloc(&sum, sizeof(float));
    cudaMemset(sum, 0, sizeof(float));
    int blocks = (n + kBlock - 1) / kBlock;
    subtract<<<blocks, kBlock>>>(a, b, unit, n);
    add_squares<<<blocks, kBlock>>>(unit, sum, n);
    divide<<<blocks, kBlock>>>(unit, sum, n);
    cudaFree(sum);
}
