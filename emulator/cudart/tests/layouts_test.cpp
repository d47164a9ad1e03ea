#include "emulator/cudart/layouts.h"

#include <cuda_runtime_api.h>

#include <catch2/catch_test_macros.hpp>
#include <cstddef>

using namespace warpsim::cudart;

#if CUDART_VERSION >= 13000

#define CHECK_FIELD(name) \
  CHECK(offsetof(DeviceProperties13, name) == offsetof(cudaDeviceProp, name))
#define CHECK_LIMIT(name)                                                      \
  CHECK(offsetof(DeviceProperties13, limits) + offsetof(CommonLimits, name) == \
        offsetof(cudaDeviceProp, name))

TEST_CASE("our layout of CUDA 13's device properties is the toolkit's", "[cudart][layout]") {
  CHECK(sizeof(DeviceProperties13) == sizeof(cudaDeviceProp));
  CHECK_FIELD(uuid);
  CHECK_FIELD(luidDeviceNodeMask);
  CHECK_FIELD(totalGlobalMem);
  CHECK_FIELD(regsPerBlock);
  CHECK_FIELD(memPitch);
  CHECK_FIELD(maxThreadsDim);
  CHECK_FIELD(totalConstMem);
  CHECK_FIELD(textureAlignment);
  CHECK_FIELD(multiProcessorCount);
  CHECK_FIELD(canMapHostMemory);
  CHECK_FIELD(maxTexture1D);
  CHECK_LIMIT(maxTexture2D);
  CHECK_LIMIT(maxTexture3DAlt);
  CHECK_LIMIT(maxTextureCubemapLayered);
  CHECK_LIMIT(maxSurface1D);
  CHECK_LIMIT(maxSurfaceCubemapLayered);
  CHECK_FIELD(surfaceAlignment);
  CHECK_FIELD(pciBusID);
  CHECK_FIELD(memoryBusWidth);
  CHECK_FIELD(l2CacheSize);
  CHECK_FIELD(maxThreadsPerMultiProcessor);
  CHECK_FIELD(sharedMemPerMultiprocessor);
  CHECK_FIELD(managedMemory);
  CHECK_FIELD(cooperativeLaunch);
  CHECK_FIELD(sharedMemPerBlockOptin);
  CHECK_FIELD(maxBlocksPerMultiProcessor);
  CHECK_FIELD(reservedSharedMemPerBlock);
  CHECK_FIELD(memoryPoolsSupported);
  CHECK_FIELD(clusterLaunch);
  CHECK_FIELD(hostNumaMultinodeIpcSupported);
  CHECK_FIELD(reserved);
}

TEST_CASE("our layout of CUDA 13's pointer attributes is the toolkit's", "[cudart][layout]") {
  CHECK(sizeof(PointerAttributes13) == sizeof(cudaPointerAttributes));
  CHECK(offsetof(PointerAttributes12, hostPointer) == offsetof(cudaPointerAttributes, hostPointer));
  CHECK(sizeof(MemoryLocation) == sizeof(cudaMemLocation));
}

#endif

// From CUDA 12.2's header, whose fields these are; the offsets follow from the sizes before them.
TEST_CASE("fields that CUDA 13 dropped are where CUDA 12 has them", "[cudart][layout]") {
  CHECK(offsetof(DeviceProperties12, clockRate) == 348);
  CHECK(offsetof(DeviceProperties12, multiProcessorCount) == 388);
  CHECK(offsetof(DeviceProperties12, computeMode) == 404);
  CHECK(offsetof(DeviceProperties12, maxTexture1DLinear) == 416);
  CHECK(offsetof(DeviceProperties12, memoryClockRate) == 608);
  CHECK(offsetof(DeviceProperties12, unifiedFunctionPointers) == 776);
}
