// The same with views and source_location, which clang knows from version 16 on.
#include "vecadd.h"

#include <cuda_runtime.h>

#include <algorithm>
#include <array>
#include <bit>
#include <compare>
#include <concepts>
#include <cstdio>
#include <iterator>
#include <memory>
#include <numbers>
#include <numeric>
#include <ranges>
#include <source_location>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

template <typename T>
concept Number = std::integral<T> || std::floating_point<T>;

template <typename T>
concept Addable = requires(T a, T b) {
  { a + b } -> std::convertible_to<T>;
};

struct Launch {
  unsigned blocks = 1;
  unsigned threads = 32;
  auto operator<=>(const Launch&) const = default;
};

consteval unsigned threads_of_block() {
  return std::bit_ceil(200u);
}

template <Number T>
requires Addable<T> __global__ void add(const T* a, const T* b, T* c, int n) {
  const auto sum = []<typename U>(U x, U y) { return x + y; };
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) [[likely]] {
    c[i] = sum(a[i], b[i]);
  }
}

static void check(cudaError_t status,
                  const std::source_location& at = std::source_location::current()) {
  if (status == cudaSuccess) return;
  throw std::runtime_error(std::string(at.file_name()) + ":" + std::to_string(at.line()) + ": " +
                           cudaGetErrorString(status));
}

template <Number T>
class Buffer {
 public:
  explicit Buffer(std::size_t count) : count_(count) {
    void* memory = nullptr;
    check(cudaMalloc(&memory, count * sizeof(T)));
    memory_.reset(static_cast<T*>(memory));
  }
  explicit Buffer(std::span<const T> host) : Buffer(host.size()) {
    check(cudaMemcpy(data(), host.data(), host.size_bytes(), cudaMemcpyHostToDevice));
  }
  T* data() const { return memory_.get(); }
  void copy_to(std::span<T> host) const {
    check(cudaMemcpy(host.data(), data(), host.size_bytes(), cudaMemcpyDeviceToHost));
  }

 private:
  struct Free {
    void operator()(T* memory) const { cudaFree(memory); }
  };
  std::size_t count_ = 0;
  std::unique_ptr<T, Free> memory_;
};

void vecadd(const float* a, const float* b, float* c, int n) {
  if (n == 0) return;
  const std::span<const float> first(a, n), second(b, n);
  const std::span<float> result(c, n);
  const Buffer<float> x(first), y(second), z(result.size());
  const Launch launch{.blocks = (n + threads_of_block() - 1) / threads_of_block(),
                      .threads = threads_of_block()};
  add<float><<<launch.blocks, launch.threads>>>(x.data(), y.data(), z.data(), n);
  check(cudaGetLastError());
  z.copy_to(result);

  // What ranges do on the host, with a few of the sums.
  auto shown = std::views::iota(0, n) | std::views::filter([](int i) { return i % 100 == 0; }) |
               std::views::transform([&](int i) { return result[i]; }) | std::views::take(20);
  std::vector<float> sums;
  std::ranges::copy(shown, std::back_inserter(sums));
  std::ranges::sort(sums, std::ranges::greater{});
  std::erase_if(sums, [](float s) { return s < -1e30f; });
  const auto largest = std::ranges::max_element(sums);
  if (largest != sums.end() && std::string_view("sums of two").starts_with("sums")) {
    std::printf("%zu sums, the largest is %g; %d bits, %g, middle %d, %d\n", sums.size(), *largest,
                static_cast<int>(std::popcount(static_cast<unsigned>(n))), std::numbers::pi,
                std::midpoint(0, n), static_cast<int>(std::ssize(sums)));
  }
  if ((launch <=> Launch{.blocks = 1, .threads = 256}) == std::strong_ordering::less) {
    std::puts("less than a block");
  }
}
