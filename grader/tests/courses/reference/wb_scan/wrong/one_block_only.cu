// verdict: fails-correctness
// pitfall: none
// caught-by: case "several blocks"
// The sums of earlier blocks are not added.
#include <wb.h>

#define BLOCK 512

__device__ float scan_block(float* shared, float value) {
  const int i = threadIdx.x;
  shared[i] = value;
  __syncthreads();
  for (int step = 1; step < BLOCK; step *= 2) {
    const float left = i >= step ? shared[i - step] : 0.0f;
    __syncthreads();
    shared[i] += left;
    __syncthreads();
  }
  return shared[i];
}

__global__ void scan_parts(const float* input, float* output, float* sums, int length) {
  __shared__ float shared[BLOCK];
  const int i = blockIdx.x * BLOCK + threadIdx.x;
  const float sum = scan_block(shared, i < length ? input[i] : 0.0f);
  if (i < length) output[i] = sum;
  if (threadIdx.x == BLOCK - 1) sums[blockIdx.x] = sum;
}

__global__ void scan_sums(float* sums, int blocks) {
  __shared__ float shared[BLOCK];
  const int i = threadIdx.x;
  const float sum = scan_block(shared, i < blocks ? sums[i] : 0.0f);
  if (i < blocks) sums[i] = sum;
}

__global__ void add_sums(float* output, const float* sums, int length) {
  const int i = (blockIdx.x + 1) * BLOCK + threadIdx.x;
  if (i < length) output[i] += sums[blockIdx.x];
}

int main(int argc, char** argv) {
  wbArg_t args = wbArg_read(argc, argv);
  int numElements;
  float* hostInput = (float*)wbImport(wbArg_getInputFile(args, 0), &numElements);
  float* hostOutput = (float*)malloc(numElements * sizeof(float));
  wbLog(TRACE, "The number of input elements in the input is ", numElements);

  const int blocks = (numElements + BLOCK - 1) / BLOCK;
  float *deviceInput, *deviceOutput, *deviceSums;
  cudaMalloc(&deviceInput, numElements * sizeof(float));
  cudaMalloc(&deviceOutput, numElements * sizeof(float));
  cudaMalloc(&deviceSums, blocks * sizeof(float));
  cudaMemcpy(deviceInput, hostInput, numElements * sizeof(float), cudaMemcpyHostToDevice);

  scan_parts<<<blocks, BLOCK>>>(deviceInput, deviceOutput, deviceSums, numElements);
  cudaDeviceSynchronize();

  cudaMemcpy(hostOutput, deviceOutput, numElements * sizeof(float), cudaMemcpyDeviceToHost);
  cudaFree(deviceInput);
  cudaFree(deviceOutput);
  cudaFree(deviceSums);
  wbSolution(args, hostOutput, numElements);
  free(hostInput);
  free(hostOutput);
  return 0;
}
