#include "streams.h"
#include <cuda_runtime.h>

__global__ void filter_kernel(const float* in, const float* weights, float* out, int n, int taps) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float sum = 0;
    for (int t = 0; t < taps; t++) {
        if (i - t >= 0) sum += weights[taps - 1 - t] * in[i - t];
    }
    out[i] = sum;
}

void filter(const float* in, const float* weights, float* out, int n, int taps) {
    if (n == 0) return;
    float *d_in, *d_out, *d_weights;
    cudaMalloc(&d_in, n * sizeof(float));
    cudaMalloc(&d_out, n * sizeof(float));
    cudaMalloc(&d_weights, taps * sizeof(float));
    cudaMemcpy(d_in, in, n * sizeof(float), cudaMemcpyHostToDevice);
    cudaMemcpy(d_weights, weights, taps * sizeof(float), cudaMemcpyHostToDevice);
    filter_kernel<<<(n + 255) / 256, 256>>>(d_in, d_weights, d_out, n, taps);
    cudaMemcpy(out, d_out, n * sizeof(float), cudaMemcpyDeviceToHost);
    cudaFree(d_in);
    cudaFree(d_out);
    cudaFree(d_weights);
}
