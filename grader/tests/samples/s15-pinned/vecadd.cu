#include <cuda_runtime.h>
#include <cstring>
#include <memory>

#include "vecadd.h"

struct Free {
  void operator()(void* p) const { cudaFree(p); }
};
struct FreeHost {
  void operator()(void* p) const { cudaFreeHost(p); }
};
using DevicePtr = std::unique_ptr<float, Free>;
using PinnedPtr = std::unique_ptr<float, FreeHost>;

static DevicePtr on_device(size_t bytes) {
  void* p = nullptr;
  cudaMalloc(&p, bytes);
  return DevicePtr(static_cast<float*>(p));
}

static PinnedPtr pinned(size_t bytes) {
  void* p = nullptr;
  cudaMallocHost(&p, bytes);
  return PinnedPtr(static_cast<float*>(p));
}

__global__ void add(const float* a, const float* b, float* c, int n) {
  auto i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < static_cast<unsigned>(n)) c[i] = a[i] + b[i];
}

void vecadd(const float* a, const float* b, float* c, int n) {
  if (n == 0) return;
  const size_t bytes = n * sizeof(float);
  auto ha = pinned(bytes), hb = pinned(bytes), hc = pinned(bytes);
  auto da = on_device(bytes), db = on_device(bytes), dc = on_device(bytes);
  std::memcpy(ha.get(), a, bytes);
  std::memcpy(hb.get(), b, bytes);

  cudaStream_t stream;
  cudaStreamCreate(&stream);
  cudaMemcpyAsync(da.get(), ha.get(), bytes, cudaMemcpyHostToDevice, stream);
  cudaMemcpyAsync(db.get(), hb.get(), bytes, cudaMemcpyHostToDevice, stream);
  add<<<(n + 1023) / 1024, 1024, 0, stream>>>(da.get(), db.get(), dc.get(), n);
  cudaMemcpyAsync(hc.get(), dc.get(), bytes, cudaMemcpyDeviceToHost, stream);
  cudaStreamSynchronize(stream);
  cudaStreamDestroy(stream);
  std::memcpy(c, hc.get(), bytes);
}
