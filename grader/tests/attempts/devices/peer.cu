#include "devices.h"

#include <cuda_runtime.h>

#include <iostream>

static void check(cudaError_t e, const char* where) {
  if (e != cudaSuccess) std::cerr << where << ": " << cudaGetErrorString(e) << "\n";
}

constexpr int kBlock = 256;

__global__ void find_peak(const float* in, int count, unsigned* peak) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned bits = i < count ? __float_as_uint(fabsf(in[i])) : 0u;
  __shared__ unsigned largest;
  if (threadIdx.x == 0) largest = 0;
  __syncthreads();
  atomicMax(&largest, bits);
  __syncthreads();
  if (threadIdx.x == 0) atomicMax(peak, largest);
}

__global__ void scale(float* samples, int count, const unsigned* own, const unsigned* other) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count) return;
  const float peak = fmaxf(__uint_as_float(*own), __uint_as_float(*other));
  samples[i] = peak > 0.0f ? samples[i] / peak : 0.0f;
}

// What belongs to one device.
struct Device {
  int id = 0, first = 0, count = 0;
  float* samples = nullptr;
  unsigned *own = nullptr, *other = nullptr;
  cudaStream_t stream = nullptr;

  int blocks() const { return (count + kBlock - 1) / kBlock; }

  void open(int which, int begin, int end) {
    id = which, first = begin, count = end - begin;
    check(cudaSetDevice(id), "set");
    check(cudaStreamCreate(&stream), "stream");
    check(cudaMalloc(&own, sizeof(unsigned)), "malloc");
    check(cudaMalloc(&other, sizeof(unsigned)), "malloc");
    if (count > 0) check(cudaMalloc(&samples, count * sizeof(float)), "malloc");
  }
  void search(const float* from) {
    check(cudaSetDevice(id), "set");
    check(cudaMemsetAsync(own, 0, sizeof(unsigned), stream), "memset");
    if (count == 0) return;
    check(cudaMemcpyAsync(samples, from + first, count * sizeof(float), cudaMemcpyHostToDevice,
                          stream), "to device");
    find_peak<<<blocks(), kBlock, 0, stream>>>(samples, count, own);
    check(cudaGetLastError(), "find_peak");
  }
  void fetch(const Device& from) {
    check(cudaSetDevice(id), "set");
    check(cudaMemcpyPeerAsync(other, id, from.own, from.id, sizeof(unsigned), stream), "peer");
  }
  void finish(float* to) {
    if (count == 0) return;
    check(cudaSetDevice(id), "set");
    scale<<<blocks(), kBlock, 0, stream>>>(samples, count, own, other);
    check(cudaGetLastError(), "scale");
    check(cudaMemcpyAsync(to + first, samples, count * sizeof(float), cudaMemcpyDeviceToHost,
                          stream), "from device");
  }
  void close() {
    check(cudaSetDevice(id), "set");
    check(cudaStreamSynchronize(stream), "synchronize");
    check(cudaFree(samples), "free");
    check(cudaFree(own), "free");
    check(cudaFree(other), "free");
    check(cudaStreamDestroy(stream), "destroy");
  }
};

void scale_to_peak(const float* samples, float* result, int n) {
  if (n == 0) return;
  Device left, right;
  const int middle = (n + 1) / 2;
  left.open(0, 0, middle);
  right.open(1, middle, n);

  left.search(samples);
  right.search(samples);
  left.fetch(right);
  right.fetch(left);
  left.finish(result);
  right.finish(result);

  check(cudaStreamSynchronize(left.stream), "left");
  check(cudaStreamSynchronize(right.stream), "right");
  left.close();
  right.close();
  check(cudaSetDevice(0), "set");
}
