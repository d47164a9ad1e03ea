#include <cuda_runtime_api.h>

#include <catch2/catch_test_macros.hpp>
#include <numeric>
#include <vector>

#include "emulator/cudart/tests/device_buffer.h"

// cudaArrays, textures and surfaces from the host's side. What kernels see of them is tested by
// emulator/tests/cuda/textures.cu and surfaces.cu.

namespace {

cudaChannelFormatDesc floats() {
  return cudaCreateChannelDesc(32, 0, 0, 0, cudaChannelFormatKindFloat);
}

struct ArrayOwner {
  cudaArray_t array = nullptr;
  ArrayOwner(size_t width, size_t height, unsigned flags = 0) {
    const cudaChannelFormatDesc format = floats();
    REQUIRE(cudaMallocArray(&array, &format, width, height, flags) == cudaSuccess);
  }
  ~ArrayOwner() { (void)cudaFreeArray(array); }
};

cudaResourceDesc resource_of(cudaArray_t array) {
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypeArray;
  resource.res.array.array = array;
  return resource;
}

}  // namespace

TEST_CASE("copies to and from arrays move the rectangle that they name", "[cudart][array]") {
  ArrayOwner owner(6, 4);
  std::vector<float> values(24);
  std::iota(values.begin(), values.end(), 0.0F);
  CHECK(cudaMemcpy2DToArray(owner.array, 0, 0, values.data(), 24, 24, 4, cudaMemcpyHostToDevice) ==
        cudaSuccess);
  // Two columns of two rows from (2, 1).
  std::vector<float> part(4);
  CHECK(cudaMemcpy2DFromArray(part.data(), 8, owner.array, 8, 1, 8, 2, cudaMemcpyDeviceToHost) ==
        cudaSuccess);
  CHECK(part == std::vector<float>{8, 9, 14, 15});
  ArrayOwner other(6, 4);
  CHECK(cudaMemcpy2DToArray(other.array, 0, 0, std::vector<float>(24).data(), 24, 24, 4,
                            cudaMemcpyHostToDevice) == cudaSuccess);
  CHECK(cudaMemcpy2DArrayToArray(other.array, 0, 0, owner.array, 16, 3, 8, 1,
                                 cudaMemcpyDeviceToDevice) == cudaSuccess);
  CHECK(cudaMemcpy2DFromArray(part.data(), 8, other.array, 0, 0, 8, 2, cudaMemcpyDeviceToHost) ==
        cudaSuccess);
  CHECK(part == std::vector<float>{22, 23, 0, 0});
}

TEST_CASE("a copy that leaves an array in any dimension is refused", "[cudart][array]") {
  ArrayOwner owner(6, 4);
  std::vector<float> values(64);
  const auto copy = [&](size_t x, size_t y, size_t width, size_t height) {
    return cudaMemcpy2DToArray(owner.array, x, y, values.data(), 32, width, height,
                               cudaMemcpyHostToDevice);
  };
  CHECK(copy(0, 0, 24, 4) == cudaSuccess);
  CHECK(copy(20, 3, 4, 1) == cudaSuccess);
  CHECK(copy(4, 0, 24, 1) == cudaErrorInvalidValue);  // would go on in the next row
  CHECK(copy(0, 3, 24, 2) == cudaErrorInvalidValue);
  CHECK(copy(0, 0, 36, 1) == cudaErrorInvalidPitchValue);
  CHECK(cudaMemcpy2DToArray(nullptr, 0, 0, values.data(), 24, 24, 1, cudaMemcpyHostToDevice) ==
        cudaErrorInvalidValue);
}

TEST_CASE("a three-dimensional copy counts elements when an array takes part", "[cudart][array]") {
  const cudaChannelFormatDesc format = floats();
  cudaArray_t array = nullptr;
  REQUIRE(cudaMalloc3DArray(&array, &format, {4, 3, 2}, 0) == cudaSuccess);
  std::vector<float> values(24);
  std::iota(values.begin(), values.end(), 0.0F);
  cudaMemcpy3DParms to = {};
  to.srcPtr = {values.data(), 16, 4, 3};
  to.dstArray = array;
  to.extent = {4, 3, 2};
  to.kind = cudaMemcpyHostToDevice;
  CHECK(cudaMemcpy3D(&to) == cudaSuccess);
  std::vector<float> part(4);
  cudaMemcpy3DParms from = {};
  from.srcArray = array;
  from.srcPos = {2, 1, 0};
  from.dstPtr = {part.data(), 8, 2, 1};
  from.extent = {2, 1, 2};
  from.kind = cudaMemcpyDeviceToHost;
  CHECK(cudaMemcpy3D(&from) == cudaSuccess);
  CHECK(part == std::vector<float>{6, 7, 18, 19});
  from.srcPos = {3, 1, 0};
  CHECK(cudaMemcpy3D(&from) == cudaErrorInvalidValue);
  from.srcPtr = to.srcPtr;  // both an array and a pointer
  CHECK(cudaMemcpy3D(&from) == cudaErrorInvalidValue);
  CHECK(cudaFreeArray(array) == cudaSuccess);
  CHECK(cudaFreeArray(array) == cudaErrorInvalidValue);
}

TEST_CASE("arrays have formats of one, two or four equal channels", "[cudart][array]") {
  cudaArray_t array = nullptr;
  const auto allocate = [&](int x, int y, int z, int w, cudaChannelFormatKind kind) {
    const cudaChannelFormatDesc format = cudaCreateChannelDesc(x, y, z, w, kind);
    const cudaError_t error = cudaMallocArray(&array, &format, 4, 4, 0);
    if (error == cudaSuccess) CHECK(cudaFreeArray(array) == cudaSuccess);
    return error;
  };
  CHECK(allocate(8, 8, 8, 8, cudaChannelFormatKindUnsigned) == cudaSuccess);
  CHECK(allocate(16, 0, 0, 0, cudaChannelFormatKindFloat) == cudaSuccess);
  CHECK(allocate(8, 8, 8, 0, cudaChannelFormatKindUnsigned) == cudaErrorInvalidChannelDescriptor);
  CHECK(allocate(8, 16, 0, 0, cudaChannelFormatKindUnsigned) == cudaErrorInvalidChannelDescriptor);
  CHECK(allocate(8, 0, 0, 0, cudaChannelFormatKindFloat) == cudaErrorInvalidChannelDescriptor);
}

TEST_CASE("textures refuse what the hardware cannot filter or address", "[cudart][texture]") {
  ArrayOwner owner(4, 4);
  DeviceBuffer<int> memory(std::vector<int>(64, 0));
  cudaTextureObject_t object = 0;
  cudaTextureDesc texture = {};
  const cudaResourceDesc array = resource_of(owner.array);
  CHECK(cudaCreateTextureObject(&object, &array, &texture, nullptr) == cudaSuccess);
  CHECK(cudaDestroyTextureObject(object) == cudaSuccess);
  CHECK(cudaDestroyTextureObject(object) == cudaErrorInvalidValue);

  cudaResourceDesc linear = {};
  linear.resType = cudaResourceTypeLinear;
  linear.res.linear.devPtr = memory.get();
  linear.res.linear.desc = cudaCreateChannelDesc(32, 0, 0, 0, cudaChannelFormatKindSigned);
  linear.res.linear.sizeInBytes = 256;
  CHECK(cudaCreateTextureObject(&object, &linear, &texture, nullptr) == cudaSuccess);
  CHECK(cudaDestroyTextureObject(object) == cudaSuccess);
  texture.filterMode = cudaFilterModeLinear;
  CHECK(cudaCreateTextureObject(&object, &linear, &texture, nullptr) ==
        cudaErrorInvalidFilterSetting);
  texture.filterMode = cudaFilterModePoint;
  texture.readMode = cudaReadModeNormalizedFloat;
  CHECK(cudaCreateTextureObject(&object, &linear, &texture, nullptr) ==
        cudaErrorInvalidNormSetting);
  texture.readMode = cudaReadModeElementType;
  linear.res.linear.sizeInBytes = 260;  // beyond the allocation
  CHECK(cudaCreateTextureObject(&object, &linear, &texture, nullptr) == cudaErrorInvalidValue);
  linear.res.linear.sizeInBytes = 64;
  linear.res.linear.devPtr = memory.get() + 1;  // not aligned
  CHECK(cudaCreateTextureObject(&object, &linear, &texture, nullptr) == cudaErrorInvalidValue);
}

TEST_CASE("surfaces need an array that was made for them", "[cudart][texture]") {
  ArrayOwner plain(4, 4);
  ArrayOwner writable(4, 4, cudaArraySurfaceLoadStore);
  cudaSurfaceObject_t object = 0;
  const cudaResourceDesc bad = resource_of(plain.array);
  const cudaResourceDesc good = resource_of(writable.array);
  CHECK(cudaCreateSurfaceObject(&object, &bad) == cudaErrorInvalidValue);
  CHECK(cudaCreateSurfaceObject(&object, &good) == cudaSuccess);
  cudaResourceDesc kept = {};
  CHECK(cudaGetSurfaceObjectResourceDesc(&kept, object) == cudaSuccess);
  CHECK(kept.res.array.array == writable.array);
  CHECK(cudaGetTextureObjectResourceDesc(&kept, object) == cudaErrorInvalidValue);
  CHECK(cudaDestroySurfaceObject(object) == cudaSuccess);
}
