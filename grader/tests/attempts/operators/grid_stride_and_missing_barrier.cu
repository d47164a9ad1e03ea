#include "operators.h"
#include <cuda_runtime.h>

#define N_BLOCKS 64
#define N_THREADS 256

__device__ unsigned start_value(int op) {
   if (op == kAnd || op == kMin) return 0xffffffff;
   if (op == kAll) return 1;
   return 0;
}

__device__ unsigned op2(unsigned a, unsigned b, int op) {
   if (op == kAnd || op == kAll) return a & b;
   if (op == kOr || op == kAny) return a | b;
   if (op == kXor) return a ^ b;
   if (op == kMin) return min(a, b);
   return b != 0 ? b : a;   // kLast
}

__global__ void reduce(const unsigned* in, unsigned* out, int n, int op) {
   __shared__ unsigned s[N_THREADS];
   unsigned acc = start_value(op);
   for (int i = blockIdx.x * N_THREADS + threadIdx.x; i < n; i += gridDim.x * N_THREADS) {
      unsigned x = in[i];
      if (op == kAll || op == kAny) x = x != 0 ? 1 : 0;
      acc = op2(acc, x, op);
   }
   s[threadIdx.x] = acc;
   for (int d = 1; d < N_THREADS; d *= 2) {
      if (threadIdx.x % (2 * d) == 0) s[threadIdx.x] = op2(s[threadIdx.x], s[threadIdx.x + d], op);
      __syncthreads();
   }
   if (threadIdx.x == 0) out[blockIdx.x] = s[0];
}

void operators(const unsigned* values, unsigned* result, int n, int op) {
   unsigned* partial;
   cudaMalloc(&partial, N_BLOCKS * sizeof(unsigned));
   reduce<<<N_BLOCKS, N_THREADS>>>(values, partial, n, op);
   reduce<<<1, N_THREADS>>>(partial, result, N_BLOCKS, op);
   cudaFree(partial);
}
