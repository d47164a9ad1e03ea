#include "vecadd.h"
#include <cuda_runtime.h>

#define CUDA_CHECK(x) do { if ((x) != cudaSuccess) return; } while (0)

__global__ void vecAddKernel(const float* A, const float* B, float* C, int n)
{
    int i = blockDim.x * blockIdx.x + threadIdx.x;
    if (i < n)
    {
        C[i] = A[i] + B[i];
    }
}

void vecadd(const float* a, const float* b, float* c, int n)
{
    float *A_d, *B_d, *C_d;
    size_t size = n * sizeof(float);

    CUDA_CHECK(cudaMalloc((void**)&A_d, size));
    CUDA_CHECK(cudaMemcpy(A_d, a, size, cudaMemcpyHostToDevice));
    CUDA_CHECK(cudaMalloc((void**)&B_d, size));
    CUDA_CHECK(cudaMemcpy(B_d, a, size, cudaMemcpyHostToDevice));
    CUDA_CHECK(cudaMalloc((void**)&C_d, size));

    vecAddKernel<<<(n + 255) / 256, 256>>>(A_d, B_d, C_d, n);
    CUDA_CHECK(cudaMemcpy(c, C_d, size, cudaMemcpyDeviceToHost));

    cudaFree(A_d);
    cudaFree(B_d);
    cudaFree(C_d);
}
