// The reference: one thread for each element. Wider accesses (stages/03) save instructions that
// nobody waits for, so the plain version is as fast and is the one to compare with.
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

__global__ void add(const float* a, const float* b, float* c, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) c[i] = a[i] + b[i];
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

  const int blocks = (n + kBlock - 1) / kBlock;  // rounded up, so that the tail is covered
  add<<<blocks, kBlock>>>(d_a.data(), d_b.data(), d_c.data(), n);
  CHECK(cudaGetLastError());

  d_c.store(c);  // waits for the kernel
}
