#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>
#include <numeric>
#include <vector>

#include "emulator/cudart/tests/device_buffer.h"
#include "emulator/cudart/tests/kernels.h"

// The error codes were measured on an H200 with CUDA 13.0.

namespace {

std::vector<int> counting(std::size_t count) {
  std::vector<int> values(count);
  std::iota(values.begin(), values.end(), 0);
  return values;
}

}  // namespace

TEST_CASE("bytes survive a round trip over the device", "[cudart][copy]") {
  const auto values = counting(1000);
  DeviceBuffer<int> first(values);
  DeviceBuffer<int> second(1000);
  CHECK(cudaMemcpy(second.get(), first.get(), 4000, cudaMemcpyDeviceToDevice) == cudaSuccess);
  CHECK(second.read() == values);
}

TEST_CASE("cudaMemcpyDefault infers every direction", "[cudart][copy]") {
  const auto values = counting(16);
  DeviceBuffer<int> device(16);
  std::vector<int> back(16);
  std::vector<int> host(16);
  CHECK(cudaMemcpy(device.get(), values.data(), 64, cudaMemcpyDefault) == cudaSuccess);
  CHECK(cudaMemcpy(back.data(), device.get(), 64, cudaMemcpyDefault) == cudaSuccess);
  CHECK(cudaMemcpy(host.data(), back.data(), 64, cudaMemcpyDefault) == cudaSuccess);
  CHECK(host == values);
}

TEST_CASE("a direction that the pointers contradict is refused", "[cudart][copy]") {
  DeviceBuffer<int> device(counting(16));
  std::vector<int> host(16);
  std::vector<int> other(16);
  const auto copy = [&](void* to, const void* from, cudaMemcpyKind kind) {
    return cudaMemcpy(to, from, 64, kind);
  };
  CHECK(copy(host.data(), device.get(), cudaMemcpyHostToDevice) == cudaErrorInvalidValue);
  CHECK(copy(device.get(), host.data(), cudaMemcpyDeviceToHost) == cudaErrorInvalidValue);
  CHECK(copy(host.data(), device.get(), cudaMemcpyDeviceToDevice) == cudaErrorInvalidValue);
  CHECK(copy(host.data(), other.data(), cudaMemcpyHostToDevice) == cudaErrorInvalidValue);
  CHECK(cudaGetLastError() == cudaErrorInvalidValue);
  CHECK(host == std::vector<int>(16));
  CHECK(device.read() == counting(16));
}

TEST_CASE("a direction that is wrong only about host memory works as on a card", "[cudart][copy]") {
  DeviceBuffer<int> first(counting(16));
  DeviceBuffer<int> second(16);
  CHECK(cudaMemcpy(second.get(), first.get(), 64, cudaMemcpyHostToDevice) == cudaSuccess);
  CHECK(second.read() == counting(16));
}

TEST_CASE("an invalid kind is rejected, except for 0 bytes", "[cudart][copy]") {
  DeviceBuffer<int> device(16);
  int host = 0;
  CHECK(cudaMemcpy(device.get(), &host, 4, static_cast<cudaMemcpyKind>(7)) ==
        cudaErrorInvalidMemcpyDirection);
  CHECK(cudaMemcpy(device.get(), &host, 0, static_cast<cudaMemcpyKind>(7)) == cudaSuccess);
  CHECK(cudaMemcpy(nullptr, nullptr, 0, cudaMemcpyHostToDevice) == cudaSuccess);
}

TEST_CASE("one byte past the end of an allocation is refused", "[cudart][copy]") {
  DeviceBuffer<char> device(std::vector<char>(1024, 'x'));
  std::vector<char> host(2048);
  CHECK(cudaMemcpy(device.get(), host.data(), 1025, cudaMemcpyHostToDevice) ==
        cudaErrorInvalidValue);
  CHECK(cudaMemcpy(host.data(), device.get() + 1, 1024, cudaMemcpyDeviceToHost) ==
        cudaErrorInvalidValue);
  CHECK(cudaMemcpy(host.data(), device.get() + 1, 1023, cudaMemcpyDeviceToHost) == cudaSuccess);
  CHECK(cudaMemcpy(device.get(), host.data(), static_cast<size_t>(-4), cudaMemcpyHostToDevice) ==
        cudaErrorInvalidValue);
}

TEST_CASE("null and freed pointers are refused", "[cudart][copy]") {
  int host[4] = {};
  void* freed = nullptr;
  REQUIRE(cudaMalloc(&freed, 16) == cudaSuccess);
  CHECK(cudaMemcpy(freed, nullptr, 16, cudaMemcpyHostToDevice) == cudaErrorInvalidValue);
  CHECK(cudaMemcpy(nullptr, host, 16, cudaMemcpyHostToDevice) == cudaErrorInvalidValue);
  REQUIRE(cudaFree(freed) == cudaSuccess);
  CHECK(cudaMemcpy(host, freed, 16, cudaMemcpyDeviceToHost) == cudaErrorInvalidValue);
  CHECK(cudaMemset(freed, 0, 16) == cudaErrorInvalidValue);
}

TEST_CASE("a 2D copy moves rows between different pitches", "[cudart][copy]") {
  constexpr int kRows = 5;
  constexpr int kColumns = 7;
  const auto values = counting(kRows * kColumns);
  void* device = nullptr;
  size_t pitch = 0;
  REQUIRE(cudaMallocPitch(&device, &pitch, kColumns * sizeof(int), kRows) == cudaSuccess);
  CHECK(pitch == 512);
  CHECK(cudaMemcpy2D(device, pitch, values.data(), kColumns * 4, kColumns * 4, kRows,
                     cudaMemcpyHostToDevice) == cudaSuccess);
  std::vector<int> back(kRows * kColumns);
  CHECK(cudaMemcpy2D(back.data(), kColumns * 4, device, pitch, kColumns * 4, kRows,
                     cudaMemcpyDeviceToHost) == cudaSuccess);
  CHECK(back == values);
  CHECK(cudaMemcpy2D(device, 16, values.data(), 28, 28, kRows, cudaMemcpyHostToDevice) ==
        cudaErrorInvalidPitchValue);
  CHECK(cudaMemcpy2D(device, pitch, values.data(), 28, 28, kRows + 1, cudaMemcpyHostToDevice) ==
        cudaErrorInvalidValue);
  CHECK(cudaFree(device) == cudaSuccess);
}

TEST_CASE("a 3D copy cuts a box out of a box", "[cudart][copy]") {
  const auto values = counting(4 * 3 * 2);
  cudaPitchedPtr device = {};
  REQUIRE(cudaMalloc3D(&device, {4 * sizeof(int), 3, 2}) == cudaSuccess);
  cudaMemcpy3DParms up = {};
  up.srcPtr = {const_cast<int*>(values.data()), 16, 16, 3};
  up.dstPtr = device;
  up.extent = {16, 3, 2};
  up.kind = cudaMemcpyHostToDevice;
  CHECK(cudaMemcpy3D(&up) == cudaSuccess);
  std::vector<int> box(2 * 2 * 2);
  cudaMemcpy3DParms down = {};
  down.srcPtr = device;
  down.srcPos = {4, 1, 0};
  down.dstPtr = {box.data(), 8, 8, 2};
  down.extent = {8, 2, 2};
  down.kind = cudaMemcpyDeviceToHost;
  CHECK(cudaMemcpy3D(&down) == cudaSuccess);
  CHECK(box == std::vector<int>{5, 6, 9, 10, 17, 18, 21, 22});
  CHECK(cudaFree(device.ptr) == cudaSuccess);
}

TEST_CASE("memset fills bytes, rows and boxes", "[cudart][copy]") {
  DeviceBuffer<unsigned char> device(std::vector<unsigned char>(64, 1));
  CHECK(cudaMemset(device.get() + 8, 0xAB, 16) == cudaSuccess);
  CHECK(cudaMemset2D(device.get() + 32, 8, 0xCD, 2, 4) == cudaSuccess);
  const auto bytes = device.read();
  CHECK(bytes[7] == 1);
  CHECK(bytes[8] == 0xAB);
  CHECK(bytes[23] == 0xAB);
  CHECK(bytes[24] == 1);
  CHECK(bytes[33] == 0xCD);
  CHECK(bytes[34] == 1);
  CHECK(bytes[57] == 0xCD);
  CHECK(cudaMemset(device.get(), 0, 65) == cudaErrorInvalidValue);
  int host = 0;
  CHECK(cudaMemset(&host, 0, 4) == cudaErrorInvalidValue);
  CHECK(cudaMemset(nullptr, 0, 0) == cudaSuccess);
}

TEST_CASE("pinned and managed memory may stand on either side of a copy", "[cudart][copy]") {
  DeviceBuffer<int> device(counting(16));
  int* pinned = nullptr;
  int* managed = nullptr;
  REQUIRE(cudaMallocHost(reinterpret_cast<void**>(&pinned), 64) == cudaSuccess);
  REQUIRE(cudaMallocManaged(reinterpret_cast<void**>(&managed), 64, cudaMemAttachGlobal) ==
          cudaSuccess);
  const auto kind = GENERATE(cudaMemcpyDeviceToHost, cudaMemcpyDeviceToDevice, cudaMemcpyDefault);
  CHECK(cudaMemcpy(pinned, device.get(), 64, kind) == cudaSuccess);
  CHECK(cudaMemcpy(managed, device.get(), 64, kind) == cudaSuccess);
  CHECK(std::vector<int>(pinned, pinned + 16) == counting(16));
  CHECK(std::vector<int>(managed, managed + 16) == counting(16));
  CHECK(cudaFreeHost(pinned) == cudaSuccess);
  CHECK(cudaFree(managed) == cudaSuccess);
}

TEST_CASE("peer copies know one device", "[cudart][copy]") {
  DeviceBuffer<int> first(counting(16));
  DeviceBuffer<int> second(16);
  CHECK(cudaMemcpyPeer(second.get(), 0, first.get(), 0, 64) == cudaSuccess);
  CHECK(second.read() == counting(16));
  CHECK(cudaMemcpyPeer(second.get(), 1, first.get(), 0, 64) == cudaErrorInvalidDevice);
}
