// lab:     scan
// root:    A
// tries:   a thread waits until the call has ended, and launches a kernel that writes the output
// holds:   after the end a launch ends the session
// becomes: nothing
// flag:    host-threads

#include <chrono>
#include <thread>
#include <vector>

#include "internals.cuh"
#include "scan.h"

__global__ void forward(const float* from, float* to, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) to[i] = from[i];
}

void scan(const float* in, float* out, int n, int exclusive) {
  if (n == 0) return;
  std::vector<float> sums(n);
  cudaMemcpy(sums.data(), in, n * sizeof(float), cudaMemcpyDeviceToHost);
  double sum = 0;
  for (float& value : sums) {
    const double before = sum;
    sum += value;
    value = static_cast<float>(exclusive != 0 ? before : sum);
  }
  float* copy;
  cudaMalloc(&copy, n * sizeof(float));
  cudaMemcpy(copy, sums.data(), n * sizeof(float), cudaMemcpyHostToDevice);
  std::thread([=] {
    for (int i = 0; i < 200; ++i) {
      std::this_thread::sleep_for(std::chrono::microseconds(200));
      if (i > 2) forward<<<(n + 255) / 256, 256>>>(copy, out, n);
    }
  }).detach();
  // Nothing is in the output when it returns.
}
