// The reference: four neighbouring elements per thread, 16 bytes per access.
//
// An addition needs 12 bytes and next to no arithmetic, so the time is that of the memory, if
// enough of it has been asked for. A multiprocessor holds so many threads and no more: with 4 bytes
// a thread and array they ask for too little to fill the way to the memory (on an H200 79 % of what
// 16 bytes bring). More than one such access per thread gains nothing: there are enough threads.
#include "vecadd.h"

#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>

#define CHECK(call)                                                                        \
  do {                                                                                     \
    const cudaError_t status = (call);                                                     \
    if (status != cudaSuccess) {                                                           \
      std::fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(status)); \
      std::exit(1);                                                                        \
    }                                                                                      \
  } while (false)

namespace {

constexpr int kBlock = 256;

constexpr int kWidth = 4;  // elements of a float4

// The arrays lie at multiples of 16 bytes, as cudaMalloc returns them.
__global__ void add(const float* a, const float* b, float* c, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n / kWidth) {
    const float4 x = reinterpret_cast<const float4*>(a)[i];
    const float4 y = reinterpret_cast<const float4*>(b)[i];
    reinterpret_cast<float4*>(c)[i] = make_float4(x.x + y.x, x.y + y.y, x.z + y.z, x.w + y.w);
  } else if (i == n / kWidth) {  // what fills no float4: up to three elements
    for (int rest = kWidth * i; rest < n; ++rest) c[rest] = a[rest] + b[rest];
  }
}

int blocks_for(int n) {
  return n / kWidth / kBlock + 1;  // a thread for each float4, and at least one for the rest
}

// Device memory that is given back whichever way the function is left.
class DeviceFloats {
 public:
  explicit DeviceFloats(int count) : bytes_(static_cast<size_t>(count) * sizeof(float)) {
    CHECK(cudaMalloc(&data_, bytes_));
  }
  ~DeviceFloats() { cudaFree(data_); }
  DeviceFloats(const DeviceFloats&) = delete;
  DeviceFloats& operator=(const DeviceFloats&) = delete;

  float* data() { return data_; }
  void load(const float* host) { CHECK(cudaMemcpy(data_, host, bytes_, cudaMemcpyHostToDevice)); }
  void store(float* host) const { CHECK(cudaMemcpy(host, data_, bytes_, cudaMemcpyDeviceToHost)); }

 private:
  float* data_ = nullptr;
  size_t bytes_;
};

}  // namespace

void vecadd(const float* a, const float* b, float* c, int n) {
  if (n == 0) return;  // a grid of no blocks is an error
  DeviceFloats d_a(n);
  DeviceFloats d_b(n);
  DeviceFloats d_c(n);
  d_a.load(a);
  d_b.load(b);

  add<<<blocks_for(n), kBlock>>>(d_a.data(), d_b.data(), d_c.data(), n);
  CHECK(cudaGetLastError());

  d_c.store(c);  // waits for the kernel
}
