#include <catch2/catch_test_macros.hpp>
#include <numeric>
#include <vector>

#include "emulator/cudart/tests/device_buffer.h"
#include "emulator/cudart/tests/kernels.h"
#include "emulator/cudart/tests/second_unit.h"

TEST_CASE("a constant table filled by the host reaches the kernel", "[cudart][symbol]") {
  std::vector<float> table(16);
  std::iota(table.begin(), table.end(), 1.0f);
  REQUIRE(cudaMemcpyToSymbol(constant_table_symbol(), table.data(), 64, 0,
                             cudaMemcpyHostToDevice) == cudaSuccess);
  DeviceBuffer<float> data(std::vector<float>(16, 2.0f));
  launch_scale_by_constant(16, data.get());
  CHECK(data.read()[0] == 2.0f);
  CHECK(data.read()[15] == 32.0f);
}

TEST_CASE("a device variable starts with its initial value and keeps what kernels write",
          "[cudart][symbol]") {
  const auto counter = [] {
    int value = 0;
    CHECK(cudaMemcpyFromSymbol(&value, device_counter_symbol(), sizeof value, 0,
                               cudaMemcpyDeviceToHost) == cudaSuccess);
    return value;
  };
  CHECK(counter() == 5);
  launch_count();
  launch_count();
  CHECK(counter() == 7);
}

TEST_CASE("offset and size of a symbol copy stay inside the variable", "[cudart][symbol]") {
  std::vector<float> values(32, 1.0f);
  const auto copy = [&](size_t bytes, size_t offset) {
    return cudaMemcpyToSymbol(constant_table_symbol(), values.data(), bytes, offset,
                              cudaMemcpyHostToDevice);
  };
  CHECK(copy(64, 0) == cudaSuccess);
  CHECK(copy(32, 32) == cudaSuccess);
  CHECK(copy(68, 0) == cudaErrorInvalidValue);
  CHECK(copy(60, 8) == cudaErrorInvalidValue);
  CHECK(copy(4, static_cast<size_t>(-4)) == cudaErrorInvalidValue);
}

TEST_CASE("a symbol is named by its shadow and nothing else", "[cudart][symbol]") {
  float host[4] = {};
  static float not_a_symbol[4];
  CHECK(cudaMemcpyToSymbol(not_a_symbol, host, 16, 0, cudaMemcpyHostToDevice) ==
        cudaErrorInvalidSymbol);
  void* address = nullptr;
  CHECK(cudaGetSymbolAddress(&address, not_a_symbol) == cudaErrorInvalidSymbol);
  CHECK(cudaMemcpyToSymbol(constant_table_symbol(), host, 4, 0, cudaMemcpyDeviceToHost) ==
        cudaErrorInvalidMemcpyDirection);
  CHECK(cudaMemcpy(const_cast<void*>(constant_table_symbol()), host, 16, cudaMemcpyHostToDevice) ==
        cudaErrorInvalidValue);
}

TEST_CASE("a symbol's address and size serve ordinary copies", "[cudart][symbol]") {
  void* address = nullptr;
  size_t size = 0;
  CHECK(cudaGetSymbolAddress(&address, device_array_symbol()) == cudaSuccess);
  CHECK(cudaGetSymbolSize(&size, device_array_symbol()) == cudaSuccess);
  CHECK(size == 32);
  const float values[8] = {1, 2, 3, 4, 5, 6, 7, 8};
  CHECK(cudaMemcpy(address, values, size, cudaMemcpyHostToDevice) == cudaSuccess);
  float back[8] = {};
  CHECK(cudaMemcpyFromSymbol(back, device_array_symbol(), 32, 0, cudaMemcpyDeviceToHost) ==
        cudaSuccess);
  CHECK(back[7] == 8);
}

TEST_CASE("each translation unit has its own kernels and variables of a name", "[cudart][symbol]") {
  DeviceBuffer<int> out(2);
  launch_same_name(out.get());
  launch_same_name_second(out.get() + 1);
  CHECK(out.read() == std::vector<int>{6, 1002});
}
