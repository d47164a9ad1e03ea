// verdict: fails-safety
// pitfall: none
// caught-by: finding race-shared
// The second barrier is missing: a warp may load the next tile while others read this one.
#include <wb.h>

#define TILE 16

__global__ void multiply(const float* A, const float* B, float* C, int numARows, int numAColumns,
                         int numBColumns) {
  __shared__ float tileA[TILE][TILE];
  __shared__ float tileB[TILE][TILE];
  const int row = blockIdx.y * TILE + threadIdx.y;
  const int column = blockIdx.x * TILE + threadIdx.x;
  float sum = 0;
  for (int start = 0; start < numAColumns; start += TILE) {
    const int k = start + threadIdx.x;
    const int l = start + threadIdx.y;
    tileA[threadIdx.y][threadIdx.x] =
        row < numARows && k < numAColumns ? A[row * numAColumns + k] : 0.0f;
    tileB[threadIdx.y][threadIdx.x] =
        l < numAColumns && column < numBColumns ? B[l * numBColumns + column] : 0.0f;
    __syncthreads();
    for (int i = 0; i < TILE; ++i) sum += tileA[threadIdx.y][i] * tileB[i][threadIdx.x];
  }
  if (row < numARows && column < numBColumns) C[row * numBColumns + column] = sum;
}

int main(int argc, char** argv) {
  wbArg_t args = wbArg_read(argc, argv);
  int numARows, numAColumns, numBRows, numBColumns;

  wbTime_start(Generic, "Importing data and creating memory on host");
  float* hostA = (float*)wbImport(wbArg_getInputFile(args, 0), &numARows, &numAColumns);
  float* hostB = (float*)wbImport(wbArg_getInputFile(args, 1), &numBRows, &numBColumns);
  float* hostC = (float*)malloc(numARows * numBColumns * sizeof(float));
  wbTime_stop(Generic, "Importing data and creating memory on host");
  wbLog(TRACE, "The dimensions of A are ", numARows, " x ", numAColumns);
  wbLog(TRACE, "The dimensions of B are ", numBRows, " x ", numBColumns);

  float *devA, *devB, *devC;
  cudaMalloc(&devA, numARows * numAColumns * sizeof(float));
  cudaMalloc(&devB, numBRows * numBColumns * sizeof(float));
  cudaMalloc(&devC, numARows * numBColumns * sizeof(float));
  cudaMemcpy(devA, hostA, numARows * numAColumns * sizeof(float), cudaMemcpyHostToDevice);
  cudaMemcpy(devB, hostB, numBRows * numBColumns * sizeof(float), cudaMemcpyHostToDevice);

  const dim3 grid((numBColumns + TILE - 1) / TILE, (numARows + TILE - 1) / TILE);
  multiply<<<grid, dim3(TILE, TILE)>>>(devA, devB, devC, numARows, numAColumns, numBColumns);
  cudaDeviceSynchronize();

  cudaMemcpy(hostC, devC, numARows * numBColumns * sizeof(float), cudaMemcpyDeviceToHost);
  cudaFree(devA);
  cudaFree(devB);
  cudaFree(devC);
  wbSolution(args, hostC, numARows, numBColumns);
  free(hostA);
  free(hostB);
  free(hostC);
  return 0;
}
