// lab:     vecadd
// does:    has classes that own memory and streams, static objects, and a log written at the end
// becomes: kept
// flag:    none

#include <cuda_runtime.h>

#include <cstdio>
#include <map>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>

#include "vecadd.h"

namespace {

class Log {
 public:
  ~Log() {
    for (const auto& [name, count] : counts_) std::printf("%s: %d\n", name.c_str(), count);
  }
  void count(const std::string& name) { ++counts_[name]; }

 private:
  std::map<std::string, int> counts_;
};

Log the_log;
const std::string kAllocated = "allocated";

void check(cudaError_t status) {
  if (status != cudaSuccess) throw std::runtime_error(cudaGetErrorString(status));
}

class Stream {
 public:
  Stream() { check(cudaStreamCreate(&stream_)); }
  ~Stream() { cudaStreamDestroy(stream_); }
  Stream(const Stream&) = delete;
  Stream& operator=(const Stream&) = delete;
  cudaStream_t get() const { return stream_; }
  void wait() const { check(cudaStreamSynchronize(stream_)); }

 private:
  cudaStream_t stream_ = nullptr;
};

struct Free {
  void operator()(void* memory) const { cudaFree(memory); }
};

template <typename T>
class Array {
 public:
  explicit Array(size_t count) : count_(count) {
    void* memory = nullptr;
    check(cudaMalloc(&memory, count * sizeof(T)));
    memory_.reset(static_cast<T*>(memory));
    the_log.count(kAllocated);
  }
  Array(Array&&) = default;
  T* get() const { return memory_.get(); }
  void load(const T* host, const Stream& stream) {
    check(cudaMemcpyAsync(get(), host, count_ * sizeof(T), cudaMemcpyHostToDevice, stream.get()));
  }
  void store(T* host, const Stream& stream) const {
    check(cudaMemcpyAsync(host, get(), count_ * sizeof(T), cudaMemcpyDeviceToHost, stream.get()));
  }

 private:
  size_t count_;
  std::unique_ptr<T, Free> memory_;
};

template <typename T>
Array<T> loaded(const T* host, size_t count, const Stream& stream) {
  static int loads = 0;
  Array<T> array(count);
  array.load(host, stream);
  the_log.count("loaded " + std::to_string(++loads));
  return array;
}

__global__ void add(const float* a, const float* b, float* c, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) c[i] = a[i] + b[i];
}

}  // namespace

void vecadd(const float* a, const float* b, float* c, int n) {
  if (n == 0) return;
  try {
    const Stream stream;
    const Array<float> x = loaded(a, n, stream);
    const Array<float> y = loaded(b, n, stream);
    const Array<float> z(n);
    add<<<(n + 255) / 256, 256, 0, stream.get()>>>(x.get(), y.get(), z.get(), n);
    check(cudaGetLastError());
    z.store(c, stream);
    stream.wait();
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
  }
}
