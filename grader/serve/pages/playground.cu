// Any CUDA program: change it, and run it with Ctrl+Enter. It needs no GPU: the emulator runs its
// kernels, looks for races and errors of memory, and counts what a card would count.
#include <cstdio>
#include <vector>

__global__ void saxpy(int n, float a, const float* x, float* y) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = a * x[i] + y[i];
}

int main() {
  const int n = 1000;
  std::vector<float> x(n, 1.0f), y(n, 2.0f);
  float *device_x, *device_y;
  cudaMalloc(&device_x, n * sizeof(float));
  cudaMalloc(&device_y, n * sizeof(float));
  cudaMemcpy(device_x, x.data(), n * sizeof(float), cudaMemcpyHostToDevice);
  cudaMemcpy(device_y, y.data(), n * sizeof(float), cudaMemcpyHostToDevice);
  saxpy<<<(n + 255) / 256, 256>>>(n, 3.0f, device_x, device_y);
  cudaMemcpy(y.data(), device_y, n * sizeof(float), cudaMemcpyDeviceToHost);
  std::printf("y[0] = %g, y[%d] = %g\n", y[0], n - 1, y[n - 1]);
  cudaFree(device_x);
  cudaFree(device_y);
}
