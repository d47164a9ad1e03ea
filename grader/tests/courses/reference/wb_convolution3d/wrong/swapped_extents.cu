// verdict: fails-correctness
// pitfall: none
// caught-by: case "a block"
// The extents of y and x are swapped in the index.
#include <wb.h>

#define RADIUS 1
#define WIDTH 3

__constant__ float deviceKernel[WIDTH][WIDTH][WIDTH];

__global__ void conv3d(const float* input, float* output, int z_size, int y_size, int x_size) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  const int z = blockIdx.z * blockDim.z + threadIdx.z;
  if (x >= x_size || y >= y_size || z >= z_size) return;
  float sum = 0;
  for (int k = -RADIUS; k <= RADIUS; ++k) {
    for (int j = -RADIUS; j <= RADIUS; ++j) {
      for (int i = -RADIUS; i <= RADIUS; ++i) {
        const int u = x + i, v = y + j, w = z + k;
        if (u >= 0 && u < x_size && v >= 0 && v < y_size && w >= 0 && w < z_size) {
          sum += input[(w * x_size + v) * y_size + u] *
                 deviceKernel[k + RADIUS][j + RADIUS][i + RADIUS];
        }
      }
    }
  }
  output[(z * y_size + y) * x_size + x] = sum;
}

int main(int argc, char* argv[]) {
  wbArg_t args = wbArg_read(argc, argv);
  int inputLength, kernelLength;
  float* hostInput = (float*)wbImport(wbArg_getInputFile(args, 0), &inputLength);
  float* hostKernel = (float*)wbImport(wbArg_getInputFile(args, 1), &kernelLength);
  float* hostOutput = (float*)malloc(inputLength * sizeof(float));

  const int z_size = hostInput[0];
  const int y_size = hostInput[1];
  const int x_size = hostInput[2];
  wbLog(TRACE, "The input size is ", z_size, "x", y_size, "x", x_size);
  if (z_size * y_size * x_size != inputLength - 3 || kernelLength != WIDTH * WIDTH * WIDTH) {
    wbLog(ERROR, "The extents do not fit the data");
    return 1;
  }

  const size_t bytes = (inputLength - 3) * sizeof(float);
  float *deviceInput, *deviceOutput;
  cudaMalloc(&deviceInput, bytes);
  cudaMalloc(&deviceOutput, bytes);
  cudaMemcpy(deviceInput, hostInput + 3, bytes, cudaMemcpyHostToDevice);
  cudaMemcpyToSymbol(deviceKernel, hostKernel, kernelLength * sizeof(float));

  const dim3 block(8, 4, 4);
  const dim3 grid((x_size + block.x - 1) / block.x, (y_size + block.y - 1) / block.y,
                  (z_size + block.z - 1) / block.z);
  conv3d<<<grid, block>>>(deviceInput, deviceOutput, z_size, y_size, x_size);
  cudaDeviceSynchronize();

  cudaMemcpy(hostOutput + 3, deviceOutput, bytes, cudaMemcpyDeviceToHost);
  hostOutput[0] = z_size;
  hostOutput[1] = y_size;
  hostOutput[2] = x_size;
  cudaFree(deviceInput);
  cudaFree(deviceOutput);
  wbSolution(args, hostOutput, inputLength);
  free(hostInput);
  free(hostKernel);
  free(hostOutput);
  return 0;
}
