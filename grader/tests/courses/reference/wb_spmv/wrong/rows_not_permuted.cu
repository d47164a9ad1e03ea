// verdict: fails-correctness
// pitfall: none
// caught-by: case "rows of many lengths"
// The rows stay in the order of their lengths.
#include <wb.h>

__global__ void multiply(float* out, const int* columnStart, const int* column, const int* rowPerm,
                         const int* rowLength, const float* data, const float* vec, int dim) {
  const int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= dim) return;
  float sum = 0;
  for (int k = 0; k < rowLength[row]; ++k) {
    const int at = columnStart[k] + row;
    sum += data[at] * vec[column[at]];
  }
  out[row] = sum;
}

template <class T>
T* on_device(const T* host, int count) {
  T* device = nullptr;
  cudaMalloc(&device, count * sizeof(T));
  cudaMemcpy(device, host, count * sizeof(T), cudaMemcpyHostToDevice);
  return device;
}

int main(int argc, char** argv) {
  wbArg_t args = wbArg_read(argc, argv);
  int ncol, nrow, ndata, dim;
  int* hostCSRCols = (int*)wbImport(wbArg_getInputFile(args, 0), &ncol, "Integer");
  int* hostCSRRows = (int*)wbImport(wbArg_getInputFile(args, 1), &nrow, "Integer");
  float* hostCSRData = (float*)wbImport(wbArg_getInputFile(args, 2), &ndata, "Real");
  float* hostVector = (float*)wbImport(wbArg_getInputFile(args, 3), &dim, "Real");
  float* hostOutput = (float*)malloc(dim * sizeof(float));

  int *rowPerm, *rowLength, *columnStart, *column;
  float* data;
  CSRToJDS(dim, hostCSRRows, hostCSRCols, hostCSRData, &rowPerm, &rowLength, &columnStart, &column,
           &data);
  const int longest = rowLength[0];

  int* deviceRowPerm = on_device(rowPerm, dim);
  int* deviceRowLength = on_device(rowLength, dim);
  int* deviceColumnStart = on_device(columnStart, longest);
  int* deviceColumn = on_device(column, ndata);
  float* deviceData = on_device(data, ndata);
  float* deviceVector = on_device(hostVector, dim);
  float* deviceOutput;
  cudaMalloc(&deviceOutput, dim * sizeof(float));

  multiply<<<(dim + 127) / 128, 128>>>(deviceOutput, deviceColumnStart, deviceColumn, deviceRowPerm,
                                       deviceRowLength, deviceData, deviceVector, dim);
  cudaDeviceSynchronize();

  cudaMemcpy(hostOutput, deviceOutput, dim * sizeof(float), cudaMemcpyDeviceToHost);
  for (int* array : {deviceRowPerm, deviceRowLength, deviceColumnStart, deviceColumn})
    cudaFree(array);
  for (float* array : {deviceData, deviceVector, deviceOutput}) cudaFree(array);
  wbSolution(args, hostOutput, dim);

  free(hostCSRCols);
  free(hostCSRRows);
  free(hostCSRData);
  free(hostVector);
  free(hostOutput);
  free(rowPerm);
  free(rowLength);
  free(columnStart);
  free(column);
  free(data);
  return 0;
}
