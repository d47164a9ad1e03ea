// The sum of two vectors, written for libwb.
#include <wb.h>

#define wbCheck(statement)                                                   \
  do {                                                                       \
    cudaError_t error = statement;                                           \
    if (error != cudaSuccess) {                                              \
      wbLog(ERROR, "Failed: ", #statement, ": ", cudaGetErrorString(error)); \
      return -1;                                                             \
    }                                                                        \
  } while (0)

__global__ void add(const float* a, const float* b, float* sum, int length) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < length) sum[i] = a[i] + b[i];
}

int main(int argc, char** argv) {
  wbArg_t args = wbArg_read(argc, argv);
  int length;

  wbTime_start(Generic, "Importing data and creating memory on host");
  float* hostA = (float*)wbImport(wbArg_getInputFile(args, 0), &length);
  float* hostB = (float*)wbImport(wbArg_getInputFile(args, 1), &length);
  float* hostSum = (float*)malloc(length * sizeof(float));
  wbTime_stop(Generic, "Importing data and creating memory on host");

  wbLog(TRACE, "The input length is ", length);

  float* deviceA;
  float* deviceB;
  float* deviceSum;
  const size_t bytes = length * sizeof(float);
  wbTime_start(GPU, "Allocating GPU memory.");
  wbCheck(cudaMalloc((void**)&deviceA, bytes));
  wbCheck(cudaMalloc((void**)&deviceB, bytes));
  wbCheck(cudaMalloc((void**)&deviceSum, bytes));
  wbTime_stop(GPU, "Allocating GPU memory.");

  wbTime_start(Copy, "Copying input memory to the GPU.");
  wbCheck(cudaMemcpy(deviceA, hostA, bytes, cudaMemcpyHostToDevice));
  wbCheck(cudaMemcpy(deviceB, hostB, bytes, cudaMemcpyHostToDevice));
  wbTime_stop(Copy, "Copying input memory to the GPU.");

  wbTime_start(Compute, "Performing CUDA computation");
  add<<<(length + 255) / 256, 256>>>(deviceA, deviceB, deviceSum, length);
  wbCheck(cudaGetLastError());
  wbCheck(cudaDeviceSynchronize());
  wbTime_stop(Compute, "Performing CUDA computation");

  wbCheck(cudaMemcpy(hostSum, deviceSum, bytes, cudaMemcpyDeviceToHost));
  cudaFree(deviceA);
  cudaFree(deviceB);
  cudaFree(deviceSum);

  wbSolution(args, hostSum, length);

  free(hostA);
  free(hostB);
  free(hostSum);
  return 0;
}
