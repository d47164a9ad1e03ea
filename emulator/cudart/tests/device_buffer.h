#pragma once

#include <cuda_runtime_api.h>

#include <catch2/catch_test_macros.hpp>
#include <vector>

/// Device memory for a test, freed at its end.
template <class T>
class DeviceBuffer {
 public:
  explicit DeviceBuffer(std::size_t count) : count_(count) {
    REQUIRE(cudaMalloc(reinterpret_cast<void**>(&data_), count * sizeof(T)) == cudaSuccess);
  }
  explicit DeviceBuffer(const std::vector<T>& values) : DeviceBuffer(values.size()) {
    REQUIRE(cudaMemcpy(data_, values.data(), values.size() * sizeof(T), cudaMemcpyHostToDevice) ==
            cudaSuccess);
  }
  ~DeviceBuffer() { (void)cudaFree(data_); }
  DeviceBuffer(const DeviceBuffer&) = delete;
  DeviceBuffer& operator=(const DeviceBuffer&) = delete;

  [[nodiscard]] T* get() const { return data_; }
  [[nodiscard]] std::vector<T> read() const {
    std::vector<T> values(count_);
    REQUIRE(cudaMemcpy(values.data(), data_, count_ * sizeof(T), cudaMemcpyDeviceToHost) ==
            cudaSuccess);
    return values;
  }

 private:
  std::size_t count_;
  T* data_ = nullptr;
};
