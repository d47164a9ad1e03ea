#include "vecadd.h"
#include <cuda_runtime.h>

__global__ void add(const float* a, const float* b, float* c, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) c[i] = a[i] + b[i];
}

// two halves in two streams
void vecadd(const float* a, const float* b, float* c, int n) {
    if (n == 0) return;
    int start[2] = {0, n / 2};
    int size[2] = {n / 2, n - n / 2};
    float *d_a[2], *d_b[2], *d_c[2];
    cudaStream_t stream[2];
    for (int h = 0; h < 2; h++) {
        cudaStreamCreate(&stream[h]);
        cudaMalloc(&d_a[h], (size[h] + 1) * sizeof(float));
        cudaMalloc(&d_b[h], (size[h] + 1) * sizeof(float));
        cudaMalloc(&d_c[h], (size[h] + 1) * sizeof(float));
    }
    for (int h = 0; h < 2; h++) {
        if (size[h] == 0) continue;
        size_t bytes = size[h] * sizeof(float);
        cudaMemcpyAsync(d_a[h], a + start[h], bytes, cudaMemcpyHostToDevice, stream[h]);
        cudaMemcpyAsync(d_b[h], b + start[h], bytes, cudaMemcpyHostToDevice, stream[h]);
        add<<<(size[h] + 255) / 256, 256, 0, stream[h]>>>(d_a[h], d_b[h], d_c[h], size[h]);
        cudaMemcpyAsync(c, d_c[h], bytes, cudaMemcpyDeviceToHost, stream[h]);
    }
    for (int h = 0; h < 2; h++) {
        cudaStreamSynchronize(stream[h]);
        cudaFree(d_a[h]);
        cudaFree(d_b[h]);
        cudaFree(d_c[h]);
        cudaStreamDestroy(stream[h]);
    }
}
