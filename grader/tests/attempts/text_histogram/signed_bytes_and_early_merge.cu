#include "text_histogram.h"
#include <cuda_runtime.h>

__global__ void histo_kernel(const char* text, unsigned int* bins, int n) {
   __shared__ unsigned int histo_s[8];
   if (threadIdx.x < 8) histo_s[threadIdx.x] = 0u;
   __syncthreads();

   int i = threadIdx.x + blockIdx.x * blockDim.x;
   int stride = blockDim.x * gridDim.x;
   while (i < n) {
      int c = text[i];
      int pos;
      if (c >= 'A' && c <= 'Z') c += 'a' - 'A';
      if (c > 'z') pos = 7;
      else if (c >= 0 && c < 'a') pos = 7;
      else pos = (c - 'a') / 4;
      atomicAdd(&histo_s[pos], 1);
      i += stride;
   }

   if (threadIdx.x < 8) atomicAdd(&bins[threadIdx.x], histo_s[threadIdx.x]);
}

void text_histogram(const unsigned char* text, unsigned int* bins, int n) {
   cudaMemset(bins, 0, 8 * sizeof(unsigned int));
   if (n == 0) return;
   histo_kernel<<<min((n + 255) / 256, 108), 256>>>((const char*)text, bins, n);
}
