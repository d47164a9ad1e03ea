#include <cuda_profiler_api.h>
#include <cuda_runtime_api.h>

#include <cstddef>
#include <cstdio>
#include <typeinfo>

#include "emulator/remote/calls.h"

// Prints what the headers of the runtime API say: types of functions, sizes of structures and the
// places of their members, values of enumerators. Compiled with emulator/include and with the CUDA
// Toolkit's headers, it must print the same.

namespace {

#define FUNCTION(what) std::printf("%s %s\n", #what, typeid(decltype(&what)).name());
#define TWIN(what, suffix) FUNCTION(what)
#define STRUCT(what) \
  std::printf("%s: %zu bytes, aligned to %zu\n", #what, sizeof(what), alignof(what));
#define MEMBER(what, member)                                                         \
  std::printf("  %s.%s at %zu, %zu bytes\n", #what, #member, offsetof(what, member), \
              sizeof(static_cast<what*>(nullptr)->member));
// VALUE(what) for each enumerator and number of emulator/include, made by CMakeLists.txt.
#define VALUE(what) std::printf("%s = %lld\n", #what, static_cast<long long>(what));

void print_structures() {
  STRUCT(cudaDeviceProp)
  MEMBER(cudaDeviceProp, totalGlobalMem)
  MEMBER(cudaDeviceProp, sharedMemPerBlock)
  MEMBER(cudaDeviceProp, warpSize)
  MEMBER(cudaDeviceProp, maxThreadsPerBlock)
  MEMBER(cudaDeviceProp, maxGridSize)
  MEMBER(cudaDeviceProp, totalConstMem)
  MEMBER(cudaDeviceProp, major)
  MEMBER(cudaDeviceProp, multiProcessorCount)
  MEMBER(cudaDeviceProp, maxTexture2D)
  MEMBER(cudaDeviceProp, maxSurfaceCubemapLayered)
  MEMBER(cudaDeviceProp, concurrentKernels)
  MEMBER(cudaDeviceProp, l2CacheSize)
  MEMBER(cudaDeviceProp, sharedMemPerMultiprocessor)
  MEMBER(cudaDeviceProp, cooperativeLaunch)
  MEMBER(cudaDeviceProp, sharedMemPerBlockOptin)
  MEMBER(cudaDeviceProp, clusterLaunch)
  MEMBER(cudaDeviceProp, hostNumaMultinodeIpcSupported)
  STRUCT(cudaFuncAttributes)
  MEMBER(cudaFuncAttributes, numRegs)
  MEMBER(cudaFuncAttributes, clusterSchedulingPolicyPreference)
  MEMBER(cudaFuncAttributes, nonPortableClusterSizeAllowed)
  STRUCT(cudaPointerAttributes)
  MEMBER(cudaPointerAttributes, devicePointer)
  STRUCT(cudaChannelFormatDesc)
  MEMBER(cudaChannelFormatDesc, f)
  STRUCT(cudaExtent)
  STRUCT(cudaPos)
  STRUCT(cudaPitchedPtr)
  MEMBER(cudaPitchedPtr, xsize)
  STRUCT(cudaMemcpy3DParms)
  MEMBER(cudaMemcpy3DParms, srcPtr)
  MEMBER(cudaMemcpy3DParms, dstArray)
  MEMBER(cudaMemcpy3DParms, extent)
  MEMBER(cudaMemcpy3DParms, kind)
  STRUCT(cudaMemcpy3DPeerParms)
  MEMBER(cudaMemcpy3DPeerParms, dstDevice)
  STRUCT(cudaMemsetParams)
  MEMBER(cudaMemsetParams, elementSize)
  MEMBER(cudaMemsetParams, height)
  STRUCT(cudaResourceDesc)
  MEMBER(cudaResourceDesc, res.linear.desc)
  MEMBER(cudaResourceDesc, res.linear.sizeInBytes)
  MEMBER(cudaResourceDesc, res.pitch2D.pitchInBytes)
  STRUCT(cudaTextureDesc)
  MEMBER(cudaTextureDesc, filterMode)
  MEMBER(cudaTextureDesc, borderColor)
  MEMBER(cudaTextureDesc, normalizedCoords)
  MEMBER(cudaTextureDesc, seamlessCubemap)
  STRUCT(cudaMemPoolProps)
  MEMBER(cudaMemPoolProps, location)
  MEMBER(cudaMemPoolProps, maxSize)
  STRUCT(cudaMemAllocNodeParams)
  MEMBER(cudaMemAllocNodeParams, dptr)
  STRUCT(cudaMemLocation)
  STRUCT(cudaMemAccessDesc)
  STRUCT(cudaLaunchConfig_t)
  MEMBER(cudaLaunchConfig_t, stream)
  MEMBER(cudaLaunchConfig_t, numAttrs)
  STRUCT(cudaLaunchAttribute)
  MEMBER(cudaLaunchAttribute, val)
  MEMBER(cudaLaunchAttributeValue, clusterDim)
  MEMBER(cudaLaunchAttributeValue, accessPolicyWindow.hitProp)
  STRUCT(cudaKernelNodeParams)
  MEMBER(cudaKernelNodeParams, kernelParams)
  STRUCT(cudaHostNodeParams)
  STRUCT(cudaResourceViewDesc)
  MEMBER(cudaResourceViewDesc, lastLayer)
  STRUCT(cudaMemcpyNodeParams)
  MEMBER(cudaMemcpyNodeParams, copyParams)
  STRUCT(cudaMemsetParamsV2)
  STRUCT(cudaHostNodeParamsV2)
  STRUCT(cudaChildGraphNodeParams)
  STRUCT(cudaMemAllocNodeParamsV2)
  MEMBER(cudaMemAllocNodeParamsV2, dptr)
  STRUCT(cudaMemFreeNodeParams)
  MEMBER(cudaKernelNodeParamsV2, extra)
  STRUCT(cudaGraphNodeParams)
  MEMBER(cudaGraphNodeParams, conditional)
  MEMBER(cudaGraphNodeParams, reserved2)
  MEMBER(cudaConditionalNodeParams, phGraph_out)
  STRUCT(cudaGraphEdgeData)
  STRUCT(cudaGraphInstantiateParams)
  STRUCT(cudaGraphExecUpdateResultInfo)
}

void print_vectors() {
#define VECTORS(name) STRUCT(name##1) STRUCT(name##2) STRUCT(name##3)
  VECTORS(char)
  VECTORS(uchar)
  VECTORS(short)
  VECTORS(ushort)
  VECTORS(int)
  VECTORS(uint)
  VECTORS(long)
  VECTORS(ulong)
  VECTORS(longlong)
  VECTORS(ulonglong)
  VECTORS(float)
  VECTORS(double)
#undef VECTORS
  STRUCT(char4)
  STRUCT(uchar4)
  STRUCT(short4)
  STRUCT(ushort4)
  STRUCT(int4)
  STRUCT(uint4)
  STRUCT(float4)
  STRUCT(double4_16a)
  STRUCT(double4_32a)
  STRUCT(longlong4_16a)
  STRUCT(dim3)
  STRUCT(long4_32a)
  STRUCT(ulonglong4_32a)
}

}  // namespace

int main() {
  WARPSIM_CALLS(FUNCTION, TWIN)
  FUNCTION(cudaChooseDevice)
  FUNCTION(cudaCreateChannelDesc)
  FUNCTION(cudaDeviceGetGraphMemAttribute)
  FUNCTION(cudaDeviceGetPCIBusId)
  FUNCTION(cudaDeviceSetGraphMemAttribute)
  FUNCTION(cudaFuncGetName)
  FUNCTION(cudaGetDeviceProperties)
  FUNCTION(cudaGetErrorName)
  FUNCTION(cudaGetErrorString)
  FUNCTION(cudaGraphAddDependencies)
  FUNCTION(cudaGraphAddMemFreeNode)
  FUNCTION(cudaGraphAddNode)
  FUNCTION(cudaGraphDebugDotPrint)
  FUNCTION(cudaGraphGetEdges)
  FUNCTION(cudaGraphMemFreeNodeGetParams)
  FUNCTION(cudaGraphNodeGetDependencies)
  FUNCTION(cudaGraphNodeGetDependentNodes)
  FUNCTION(cudaGraphRemoveDependencies)
  FUNCTION(cudaLaunchCooperativeKernel)
  FUNCTION(cudaLaunchKernel)
  FUNCTION(cudaLaunchKernelExC)
  FUNCTION(cudaLibraryLoadData)
  FUNCTION(cudaLibraryLoadFromFile)
  FUNCTION(cudaMemAdvise)
  FUNCTION(cudaMemPoolGetAttribute)
  FUNCTION(cudaMemPoolSetAttribute)
  FUNCTION(cudaMemPrefetchAsync)
  FUNCTION(cudaPointerGetAttributes)
  FUNCTION(cudaSetValidDevices)
  FUNCTION(cudaStreamGetCaptureInfo)
  FUNCTION(cudaStreamUpdateCaptureDependencies)
  print_structures();
  print_vectors();
#include "api_enumerators.inc"
}
