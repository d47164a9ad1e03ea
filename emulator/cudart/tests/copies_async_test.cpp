#include <catch2/catch_test_macros.hpp>
#include <numeric>
#include <vector>

#include "emulator/cudart/tests/device_buffer.h"
#include "emulator/cudart/tests/kernels.h"

// Copies and memsets that take a stream, and those of the first CUDA versions for arrays.

#pragma GCC diagnostic ignored "-Wdeprecated-declarations"

namespace {

std::vector<int> counting(std::size_t count) {
  std::vector<int> values(count);
  std::iota(values.begin(), values.end(), 0);
  return values;
}

/// A stream for a test, destroyed at its end.
struct StreamOwner {
  cudaStream_t stream = nullptr;
  StreamOwner() { REQUIRE(cudaStreamCreate(&stream) == cudaSuccess); }
  ~StreamOwner() { (void)cudaStreamDestroy(stream); }
  StreamOwner(const StreamOwner&) = delete;
  StreamOwner& operator=(const StreamOwner&) = delete;
};

/// What is not a stream.
cudaStream_t no_stream() {
  static int place = 0;
  return reinterpret_cast<cudaStream_t>(&place);
}

/// An array of 4 rows of 8 ints.
struct ArrayOwner {
  cudaArray_t array = nullptr;
  ArrayOwner() {
    const auto format = cudaCreateChannelDesc(32, 0, 0, 0, cudaChannelFormatKindSigned);
    REQUIRE(cudaMallocArray(&array, &format, 8, 4, 0) == cudaSuccess);
  }
  ~ArrayOwner() { (void)cudaFreeArray(array); }
  ArrayOwner(const ArrayOwner&) = delete;
  ArrayOwner& operator=(const ArrayOwner&) = delete;
};

}  // namespace

TEST_CASE("rows cross into an array and back through a stream", "[cudart][copy]") {
  const StreamOwner s;
  const ArrayOwner a;
  const auto values = counting(12);
  std::vector<int> back(12);
  CHECK(cudaMemcpy2DToArrayAsync(a.array, 4, 1, values.data(), 16, 16, 3, cudaMemcpyHostToDevice,
                                 s.stream) == cudaSuccess);
  CHECK(cudaMemcpy2DFromArrayAsync(back.data(), 16, a.array, 4, 1, 16, 3, cudaMemcpyDeviceToHost,
                                   s.stream) == cudaSuccess);
  CHECK(cudaStreamSynchronize(s.stream) == cudaSuccess);
  CHECK(back == values);
  CHECK(cudaMemcpy2DToArrayAsync(a.array, 4, 2, values.data(), 16, 16, 3, cudaMemcpyHostToDevice,
                                 s.stream) == cudaErrorInvalidValue);
  CHECK(cudaMemcpy2DToArrayAsync(a.array, 4, 1, values.data(), 8, 16, 3, cudaMemcpyHostToDevice,
                                 s.stream) == cudaErrorInvalidPitchValue);
  CHECK(cudaMemcpy2DFromArrayAsync(back.data(), 16, a.array, 20, 1, 16, 3, cudaMemcpyDeviceToHost,
                                   s.stream) == cudaErrorInvalidValue);
  CHECK(cudaMemcpy2DFromArrayAsync(back.data(), 16, a.array, 4, 1, 16, 3, cudaMemcpyDeviceToHost,
                                   no_stream()) == cudaErrorInvalidResourceHandle);
}

TEST_CASE("bytes cross into an array and back, over the ends of rows", "[cudart][copy]") {
  const ArrayOwner a;
  const auto values = counting(16);
  std::vector<int> back(16);
  SECTION("at once") {
    CHECK(cudaMemcpyToArray(a.array, 16, 1, values.data(), 64, cudaMemcpyHostToDevice) ==
          cudaSuccess);
    CHECK(cudaMemcpyFromArray(back.data(), a.array, 16, 1, 64, cudaMemcpyDeviceToHost) ==
          cudaSuccess);
    CHECK(cudaMemcpyToArray(a.array, 16, 3, values.data(), 64, cudaMemcpyHostToDevice) ==
          cudaErrorInvalidValue);
    CHECK(cudaMemcpyFromArray(back.data(), a.array, 16, 3, 64, cudaMemcpyDeviceToHost) ==
          cudaErrorInvalidValue);
  }
  SECTION("in a stream") {
    const StreamOwner s;
    CHECK(cudaMemcpyToArrayAsync(a.array, 16, 1, values.data(), 64, cudaMemcpyHostToDevice,
                                 s.stream) == cudaSuccess);
    CHECK(cudaMemcpyFromArrayAsync(back.data(), a.array, 16, 1, 64, cudaMemcpyDeviceToHost,
                                   s.stream) == cudaSuccess);
    CHECK(cudaStreamSynchronize(s.stream) == cudaSuccess);
    CHECK(cudaMemcpyToArrayAsync(a.array, 16, 1, values.data(), 64, cudaMemcpyHostToDevice,
                                 no_stream()) == cudaErrorInvalidResourceHandle);
    CHECK(cudaMemcpyFromArrayAsync(back.data(), a.array, 16, 1, 64, cudaMemcpyDeviceToHost,
                                   no_stream()) == cudaErrorInvalidResourceHandle);
  }
  CHECK(back == values);
}

TEST_CASE("an array tells its format", "[cudart][copy]") {
  const ArrayOwner a;
  cudaChannelFormatDesc format = {};
  CHECK(cudaGetChannelDesc(&format, a.array) == cudaSuccess);
  CHECK(format.x == 32);
  CHECK(format.y == 0);
  CHECK(format.f == cudaChannelFormatKindSigned);
  CHECK(cudaGetChannelDesc(nullptr, a.array) == cudaErrorInvalidValue);
  CHECK(cudaGetChannelDesc(&format, nullptr) == cudaErrorInvalidValue);
  cudaExtent extent = {};
  unsigned flags = 1;
  CHECK(cudaArrayGetInfo(&format, &extent, &flags, a.array) == cudaSuccess);
  CHECK(extent.width == 8);
  CHECK(extent.height == 4);
  CHECK(extent.depth == 0);
  CHECK(flags == 0);
  CHECK(cudaArrayGetInfo(&format, &extent, &flags, nullptr) == cudaErrorInvalidValue);
}

TEST_CASE("boxes are copied and filled in a stream", "[cudart][copy]") {
  const StreamOwner s;
  const auto values = counting(4 * 3 * 2);
  std::vector<int> back(values.size());
  cudaPitchedPtr device = {};
  REQUIRE(cudaMalloc3D(&device, {16, 3, 2}) == cudaSuccess);
  cudaMemcpy3DParms up = {};
  up.srcPtr = {const_cast<int*>(values.data()), 16, 16, 3};
  up.dstPtr = device;
  up.extent = {16, 3, 2};
  up.kind = cudaMemcpyHostToDevice;
  CHECK(cudaMemcpy3DAsync(&up, s.stream) == cudaSuccess);
  CHECK(cudaMemset3DAsync(device, 0, {8, 2, 1}, s.stream) == cudaSuccess);
  cudaMemcpy3DParms down = {};
  down.srcPtr = device;
  down.dstPtr = {back.data(), 16, 16, 3};
  down.extent = {16, 3, 2};
  down.kind = cudaMemcpyDeviceToHost;
  CHECK(cudaMemcpy3DAsync(&down, s.stream) == cudaSuccess);
  CHECK(cudaStreamSynchronize(s.stream) == cudaSuccess);
  auto want = values;
  for (const std::size_t cleared : {0, 1, 4, 5}) want[cleared] = 0;
  CHECK(back == want);

  CHECK(cudaMemset3D(device, 0xff, {4, 1, 1}) == cudaSuccess);
  CHECK(cudaMemcpy3D(&down) == cudaSuccess);
  CHECK(back[0] == -1);
  CHECK(back[1] == 0);
  CHECK(cudaMemcpy3DAsync(nullptr, s.stream) == cudaErrorInvalidValue);
  CHECK(cudaMemcpy3DAsync(&up, no_stream()) == cudaErrorInvalidResourceHandle);
  up.extent.depth = 3;
  CHECK(cudaMemcpy3DAsync(&up, s.stream) == cudaErrorInvalidValue);
  CHECK(cudaMemset3DAsync(device, 0, {16, 3, 3}, s.stream) == cudaErrorInvalidValue);
  CHECK(cudaMemset3DAsync(device, 0, {device.pitch + 1, 1, 1}, s.stream) ==
        cudaErrorInvalidPitchValue);
  CHECK(cudaMemset3D(device, 0, {16, 3, 3}) == cudaErrorInvalidValue);
  CHECK(cudaFree(device.ptr) == cudaSuccess);
}

TEST_CASE("copies between devices are copies on the only one", "[cudart][copy]") {
  const StreamOwner s;
  const auto values = counting(24);
  DeviceBuffer<int> from(values);
  DeviceBuffer<int> to(24);
  CHECK(cudaMemcpyPeerAsync(to.get(), 0, from.get(), 0, 96, s.stream) == cudaSuccess);
  CHECK(to.read() == values);
  CHECK(cudaMemcpyPeerAsync(to.get(), 1, from.get(), 0, 96, s.stream) == cudaErrorInvalidDevice);

  cudaMemcpy3DPeerParms box = {};
  box.srcPtr = {from.get(), 16, 16, 3};
  box.dstPtr = {to.get(), 16, 16, 3};
  box.extent = {16, 3, 2};
  CHECK(cudaMemset(to.get(), 0, 96) == cudaSuccess);
  CHECK(cudaMemcpy3DPeer(&box) == cudaSuccess);
  CHECK(to.read() == values);
  CHECK(cudaMemset(to.get(), 0, 96) == cudaSuccess);
  CHECK(cudaMemcpy3DPeerAsync(&box, s.stream) == cudaSuccess);
  CHECK(to.read() == values);
  box.dstDevice = 1;
  CHECK(cudaMemcpy3DPeer(&box) == cudaErrorInvalidDevice);
  CHECK(cudaMemcpy3DPeerAsync(&box, s.stream) == cudaErrorInvalidDevice);
  CHECK(cudaMemcpy3DPeer(nullptr) == cudaErrorInvalidValue);
  CHECK(cudaMemcpy3DPeerAsync(nullptr, s.stream) == cudaErrorInvalidValue);
}

TEST_CASE("variables are written and read in a stream", "[cudart][copy]") {
  const StreamOwner s;
  const std::vector<float> values = {1, 2, 3};
  std::vector<float> back(3);
  CHECK(cudaMemcpyToSymbolAsync(device_array_symbol(), values.data(), 12, 8, cudaMemcpyHostToDevice,
                                s.stream) == cudaSuccess);
  CHECK(cudaMemcpyFromSymbolAsync(back.data(), device_array_symbol(), 12, 8, cudaMemcpyDeviceToHost,
                                  s.stream) == cudaSuccess);
  CHECK(cudaStreamSynchronize(s.stream) == cudaSuccess);
  CHECK(back == values);
  CHECK(cudaMemcpyToSymbolAsync(device_array_symbol(), values.data(), 12, 24,
                                cudaMemcpyHostToDevice, s.stream) == cudaErrorInvalidValue);
  CHECK(cudaMemcpyFromSymbolAsync(back.data(), device_array_symbol(), 12, 24,
                                  cudaMemcpyDeviceToHost, s.stream) == cudaErrorInvalidValue);
  CHECK(cudaMemcpyFromSymbolAsync(back.data(), back.data(), 12, 0, cudaMemcpyDeviceToHost,
                                  s.stream) == cudaErrorInvalidSymbol);
}

TEST_CASE("bytes and rows are filled and copied in a stream", "[cudart][copy]") {
  const StreamOwner s;
  DeviceBuffer<unsigned char> device(std::vector<unsigned char>(64, 1));
  CHECK(cudaMemsetAsync(device.get(), 2, 8, s.stream) == cudaSuccess);
  CHECK(cudaMemset2DAsync(device.get() + 32, 8, 3, 2, 4, s.stream) == cudaSuccess);
  std::vector<unsigned char> rows(8);
  CHECK(cudaMemcpy2DAsync(rows.data(), 2, device.get() + 31, 8, 2, 4, cudaMemcpyDeviceToHost,
                          s.stream) == cudaSuccess);
  CHECK(cudaStreamSynchronize(s.stream) == cudaSuccess);
  CHECK(rows == std::vector<unsigned char>{1, 3, 1, 3, 1, 3, 1, 3});
  const auto bytes = device.read();
  CHECK(bytes[7] == 2);
  CHECK(bytes[8] == 1);
  CHECK(cudaMemsetAsync(device.get(), 0, 65, s.stream) == cudaErrorInvalidValue);
  CHECK(cudaMemsetAsync(device.get(), 0, 8, no_stream()) == cudaErrorInvalidResourceHandle);
  CHECK(cudaMemset2DAsync(device.get(), 4, 0, 8, 4, s.stream) == cudaErrorInvalidPitchValue);
  CHECK(cudaMemset2DAsync(device.get(), 16, 0, 8, 5, s.stream) == cudaErrorInvalidValue);
  CHECK(cudaMemcpy2DAsync(rows.data(), 1, device.get(), 8, 2, 4, cudaMemcpyDeviceToHost,
                          s.stream) == cudaErrorInvalidPitchValue);
}

TEST_CASE("many narrow rows and few wide ones survive a round trip", "[cudart][copy]") {
  struct Shape {
    std::size_t width, height, depth;
  };
  // More than a megabyte together, and as one row: a device process moves that much at once.
  for (const Shape& shape : {Shape{61, 30'000, 1}, {3'000'001, 2, 1}, {40, 7, 5'000}}) {
    CAPTURE(shape.width, shape.height, shape.depth);
    const std::size_t pitch = shape.width + 3;
    const std::size_t slice_rows = shape.height + 1;
    std::vector<unsigned char> values(pitch * slice_rows * shape.depth);
    for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<unsigned char>(i % 251);
    cudaPitchedPtr device = {};
    REQUIRE(cudaMalloc3D(&device, {shape.width, shape.height, shape.depth}) == cudaSuccess);
    std::vector<unsigned char> back(values.size());
    std::vector<unsigned char> again(values.size());
    cudaMemcpy3DParms copy = {};
    copy.extent = {shape.width, shape.height, shape.depth};
    const auto moves = [&](const cudaPitchedPtr& to, const cudaPitchedPtr& from) {
      copy.dstPtr = to;
      copy.srcPtr = from;
      copy.kind = cudaMemcpyDefault;
      return cudaMemcpy3D(&copy);
    };
    const auto on_host = [&](std::vector<unsigned char>& bytes) {
      return cudaPitchedPtr{bytes.data(), pitch, shape.width, slice_rows};
    };
    CHECK(moves(device, on_host(values)) == cudaSuccess);
    CHECK(moves(on_host(back), device) == cudaSuccess);
    CHECK(moves(on_host(again), on_host(back)) == cudaSuccess);
    std::size_t wrong = 0;
    for (std::size_t i = 0; i < values.size(); ++i) {
      const bool inside = i % pitch < shape.width && i / pitch % slice_rows < shape.height;
      const int want = inside ? values[i] : 0;
      wrong += (back[i] == want && again[i] == want) ? 0 : 1;
    }
    CHECK(wrong == 0);
    CHECK(cudaFree(device.ptr) == cudaSuccess);
  }
}
