#pragma once

#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

// What the CUDA test programs share: error checks, a buffer, and the device they run on. Nothing
// here knows whether a GPU or the emulator is below.

namespace testing {

/// CTest's "skipped" (SKIP_RETURN_CODE).
inline constexpr int kSkipped = 77;

/// @throws std::runtime_error naming the call's place when `code` is an error
inline void check(cudaError_t code, const char* call, const char* file, int line) {
  if (code == cudaSuccess) return;
  throw std::runtime_error(std::string(file) + ":" + std::to_string(line) + ": " + call + ": " +
                           cudaGetErrorName(code) + " (" + cudaGetErrorString(code) + ")");
}

#define CUDA_CHECK(call) ::testing::check((call), #call, __FILE__, __LINE__)

/// Whether the program runs on a GPU: it was started with --require-gpu and did not end as skipped.
inline bool on_gpu = false;

/// With --require-gpu among the arguments and no device to run on, ends the program as skipped;
/// without the option a missing device is an error like any other.
inline void handle_require_gpu(int argc, char** argv) {
  bool asked = false;
  for (int i = 1; i < argc; ++i) asked = asked || std::string_view(argv[i]) == "--require-gpu";
  int devices = 0;
  if (!asked || (cudaGetDeviceCount(&devices) == cudaSuccess && devices > 0)) {
    on_gpu = asked;
    return;
  }
  std::puts("skipped: no CUDA device");
  std::exit(kSkipped);
}

/// An array on the device that frees itself.
template <class T>
class Buffer {
 public:
  explicit Buffer(std::size_t count) : count_(count) {
    // Kernels over nothing still need a valid pointer to pass.
    CUDA_CHECK(cudaMalloc(&data_, (count == 0 ? 1 : count) * sizeof(T)));
  }
  explicit Buffer(const std::vector<T>& host) : Buffer(host.size()) { upload(host); }
  ~Buffer() { cudaFree(data_); }
  Buffer(const Buffer&) = delete;
  Buffer& operator=(const Buffer&) = delete;

  void upload(const std::vector<T>& host) {
    CUDA_CHECK(cudaMemcpy(data_, host.data(), host.size() * sizeof(T), cudaMemcpyHostToDevice));
  }
  [[nodiscard]] std::vector<T> download() const {
    std::vector<T> host(count_);
    CUDA_CHECK(cudaMemcpy(host.data(), data_, count_ * sizeof(T), cudaMemcpyDeviceToHost));
    return host;
  }
  void fill_bytes(int value) { CUDA_CHECK(cudaMemset(data_, value, count_ * sizeof(T))); }
  [[nodiscard]] T* get() { return data_; }
  [[nodiscard]] const T* get() const { return data_; }
  [[nodiscard]] std::size_t size() const { return count_; }

 private:
  T* data_ = nullptr;
  std::size_t count_ = 0;
};

/// Waits for the last launch. @throws std::runtime_error with what it failed with
inline void finish_launch(const char* file, int line) {
  check(cudaGetLastError(), "kernel launch", file, line);
  check(cudaDeviceSynchronize(), "cudaDeviceSynchronize", file, line);
}

#define FINISH_LAUNCH() ::testing::finish_launch(__FILE__, __LINE__)

}  // namespace testing
