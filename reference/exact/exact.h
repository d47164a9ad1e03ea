#pragma once

#include <cuda_runtime.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

// Small whole numbers, whose sums and products are exact in any order: the result of a lab's
// function does not depend on the compiler.

namespace exact {

inline void check(cudaError_t status, const char* what) {
  if (status == cudaSuccess) return;
  std::printf("%s: %s\n", what, cudaGetErrorName(status));
  std::exit(1);
}

/// Whole numbers from -bound to bound.
inline std::vector<float> numbers(std::size_t count, int bound, std::uint32_t seed) {
  std::vector<float> values(count);
  for (float& value : values) {
    seed = seed * 1664525u + 1013904223u;
    value = static_cast<float>(static_cast<int>(seed >> 8) % (2 * bound + 1) - bound);
  }
  return values;
}

/// An array on the device, with at least one element.
template <class T>
class Device {
 public:
  explicit Device(const std::vector<T>& host) : bytes_(host.size() * sizeof(T)) {
    check(cudaMalloc(reinterpret_cast<void**>(&data_), bytes_ + sizeof(T)), "cudaMalloc");
    check(cudaMemcpy(data_, host.data(), bytes_, cudaMemcpyHostToDevice), "cudaMemcpy");
  }
  ~Device() { check(cudaFree(data_), "cudaFree"); }
  Device(const Device&) = delete;
  Device& operator=(const Device&) = delete;
  T* get() { return data_; }
  std::vector<T> download() {
    std::vector<T> host(bytes_ / sizeof(T));
    check(cudaDeviceSynchronize(), "the kernels");
    check(cudaMemcpy(host.data(), data_, bytes_, cudaMemcpyDeviceToHost), "cudaMemcpy");
    return host;
  }

 private:
  T* data_ = nullptr;
  std::size_t bytes_;
};

/// Ends the program with status 1 at the first difference.
template <class T>
void require_equal(const std::vector<T>& got, const std::vector<T>& want, const std::string& what) {
  for (std::size_t i = 0; i < want.size(); ++i) {
    if (got[i] == want[i]) continue;
    std::printf("%s: element %zu: got %.9g, want %.9g\n", what.c_str(), i,
                static_cast<double>(got[i]), static_cast<double>(want[i]));
    std::exit(1);
  }
}

}  // namespace exact
