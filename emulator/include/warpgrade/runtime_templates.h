#pragma once

#include "../cuda_runtime_api.h"

// The C++ forms of the runtime's functions (CUDA Runtime API, "C++ API Routines"): typed pointers,
// kernels and variables by name, and what <<<>>> becomes.

extern "C" {
unsigned __cudaPushCallConfiguration(dim3 gridDim, dim3 blockDim, size_t sharedMem = 0,
                                     void* stream = 0);
cudaError_t __cudaPopCallConfiguration(dim3* gridDim, dim3* blockDim, size_t* sharedMem,
                                       void* stream);
}

#define WARPGRADE_API static __host__ WARPGRADE_INLINE

template <class T>
WARPGRADE_API cudaError_t cudaMalloc(T** devPtr, size_t size) {
  return ::cudaMalloc((void**)devPtr, size);
}
template <class T>
WARPGRADE_API cudaError_t cudaMallocHost(T** ptr, size_t size, unsigned int flags = 0) {
  return flags == 0 ? ::cudaMallocHost((void**)ptr, size)
                    : ::cudaHostAlloc((void**)ptr, size, flags);
}
WARPGRADE_API cudaError_t cudaMallocHost(void** ptr, size_t size, unsigned int flags) {
  return ::cudaHostAlloc(ptr, size, flags);
}
template <class T>
WARPGRADE_API cudaError_t cudaHostAlloc(T** ptr, size_t size, unsigned int flags) {
  return ::cudaHostAlloc((void**)ptr, size, flags);
}
template <class T>
WARPGRADE_API cudaError_t cudaHostGetDevicePointer(T** pDevice, void* pHost, unsigned int flags) {
  return ::cudaHostGetDevicePointer((void**)pDevice, pHost, flags);
}
template <class T>
WARPGRADE_API cudaError_t cudaMallocManaged(T** devPtr, size_t size,
                                            unsigned int flags = cudaMemAttachGlobal) {
  return ::cudaMallocManaged((void**)devPtr, size, flags);
}
template <class T>
WARPGRADE_API cudaError_t cudaMallocPitch(T** devPtr, size_t* pitch, size_t width, size_t height) {
  return ::cudaMallocPitch((void**)devPtr, pitch, width, height);
}
template <class T>
WARPGRADE_API cudaError_t cudaMallocAsync(T** devPtr, size_t size, cudaStream_t stream) {
  return ::cudaMallocAsync((void**)devPtr, size, stream);
}
template <class T>
WARPGRADE_API cudaError_t cudaMallocAsync(T** devPtr, size_t size, cudaMemPool_t pool,
                                          cudaStream_t stream) {
  return ::cudaMallocFromPoolAsync((void**)devPtr, size, pool, stream);
}
template <class T>
WARPGRADE_API cudaError_t cudaMallocFromPoolAsync(T** ptr, size_t size, cudaMemPool_t pool,
                                                  cudaStream_t stream) {
  return ::cudaMallocFromPoolAsync((void**)ptr, size, pool, stream);
}
WARPGRADE_API cudaError_t cudaEventCreate(cudaEvent_t* event, unsigned int flags) {
  return ::cudaEventCreateWithFlags(event, flags);
}
template <class T>
WARPGRADE_API cudaError_t cudaStreamAttachMemAsync(cudaStream_t stream, T* devPtr,
                                                   size_t length = 0,
                                                   unsigned int flags = cudaMemAttachSingle) {
  return ::cudaStreamAttachMemAsync(stream, (void*)devPtr, length, flags);
}

// Variables by name.
template <class T>
WARPGRADE_API cudaError_t cudaMemcpyToSymbol(const T& symbol, const void* src, size_t count,
                                             size_t offset = 0,
                                             cudaMemcpyKind kind = cudaMemcpyHostToDevice) {
  return ::cudaMemcpyToSymbol((const void*)&symbol, src, count, offset, kind);
}
template <class T>
WARPGRADE_API cudaError_t cudaMemcpyToSymbolAsync(const T& symbol, const void* src, size_t count,
                                                  size_t offset = 0,
                                                  cudaMemcpyKind kind = cudaMemcpyHostToDevice,
                                                  cudaStream_t stream = 0) {
  return ::cudaMemcpyToSymbolAsync((const void*)&symbol, src, count, offset, kind, stream);
}
template <class T>
WARPGRADE_API cudaError_t cudaMemcpyFromSymbol(void* dst, const T& symbol, size_t count,
                                               size_t offset = 0,
                                               cudaMemcpyKind kind = cudaMemcpyDeviceToHost) {
  return ::cudaMemcpyFromSymbol(dst, (const void*)&symbol, count, offset, kind);
}
template <class T>
WARPGRADE_API cudaError_t cudaMemcpyFromSymbolAsync(void* dst, const T& symbol, size_t count,
                                                    size_t offset = 0,
                                                    cudaMemcpyKind kind = cudaMemcpyDeviceToHost,
                                                    cudaStream_t stream = 0) {
  return ::cudaMemcpyFromSymbolAsync(dst, (const void*)&symbol, count, offset, kind, stream);
}
template <class T>
WARPGRADE_API cudaError_t cudaGetSymbolAddress(void** devPtr, const T& symbol) {
  return ::cudaGetSymbolAddress(devPtr, (const void*)&symbol);
}
template <class T>
WARPGRADE_API cudaError_t cudaGetSymbolSize(size_t* size, const T& symbol) {
  return ::cudaGetSymbolSize(size, (const void*)&symbol);
}

// Kernels by name.
template <class T>
WARPGRADE_API cudaError_t cudaLaunchKernel(T* func, dim3 gridDim, dim3 blockDim, void** args,
                                           size_t sharedMem = 0, cudaStream_t stream = 0) {
  return ::cudaLaunchKernel((const void*)func, gridDim, blockDim, args, sharedMem, stream);
}
template <class T>
WARPGRADE_API cudaError_t cudaLaunchCooperativeKernel(T* func, dim3 gridDim, dim3 blockDim,
                                                      void** args, size_t sharedMem = 0,
                                                      cudaStream_t stream = 0) {
  return ::cudaLaunchCooperativeKernel((const void*)func, gridDim, blockDim, args, sharedMem,
                                       stream);
}
template <class... Expected, class... Given>
WARPGRADE_API cudaError_t cudaLaunchKernelEx(const cudaLaunchConfig_t* config,
                                             void (*kernel)(Expected...), Given&&... args) {
  return [&](Expected... converted) {
    void* pointers[] = {(void*)&converted..., nullptr};
    return ::cudaLaunchKernelExC(config, (const void*)kernel, pointers);
  }(static_cast<Given&&>(args)...);
}
template <class T>
WARPGRADE_API cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t* config, T* func,
                                              void** args) {
  return ::cudaLaunchKernelExC(config, (const void*)func, args);
}
template <class T>
WARPGRADE_API cudaError_t cudaFuncSetCacheConfig(T* func, cudaFuncCache cacheConfig) {
  return ::cudaFuncSetCacheConfig((const void*)func, cacheConfig);
}
template <class T>
WARPGRADE_API cudaError_t cudaFuncGetAttributes(cudaFuncAttributes* attr, T* func) {
  return ::cudaFuncGetAttributes(attr, (const void*)func);
}
template <class T>
WARPGRADE_API cudaError_t cudaFuncSetAttribute(T* func, cudaFuncAttribute attr, int value) {
  return ::cudaFuncSetAttribute((const void*)func, attr, value);
}
template <class T>
WARPGRADE_API cudaError_t cudaGetFuncBySymbol(cudaFunction_t* function, T* symbol) {
  return ::cudaGetFuncBySymbol(function, (const void*)symbol);
}
template <class T>
WARPGRADE_API cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int* numBlocks, T func,
                                                                        int blockSize,
                                                                        size_t dynamicSMemSize) {
  return ::cudaOccupancyMaxActiveBlocksPerMultiprocessor(numBlocks, (const void*)func, blockSize,
                                                         dynamicSMemSize);
}
template <class T>
WARPGRADE_API cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(
    int* numBlocks, T func, int blockSize, size_t dynamicSMemSize, unsigned int flags) {
  return ::cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(
      numBlocks, (const void*)func, blockSize, dynamicSMemSize, flags);
}
template <class T>
WARPGRADE_API cudaError_t cudaOccupancyAvailableDynamicSMemPerBlock(size_t* dynamicSmemSize,
                                                                    T* func, int numBlocks,
                                                                    int blockSize) {
  return ::cudaOccupancyAvailableDynamicSMemPerBlock(dynamicSmemSize, (const void*)func, numBlocks,
                                                     blockSize);
}
template <class T>
WARPGRADE_API cudaError_t cudaOccupancyMaxActiveClusters(int* numClusters, T* func,
                                                         const cudaLaunchConfig_t* config) {
  return ::cudaOccupancyMaxActiveClusters(numClusters, (const void*)func, config);
}
template <class T>
WARPGRADE_API cudaError_t cudaOccupancyMaxPotentialClusterSize(int* clusterSize, T* func,
                                                               const cudaLaunchConfig_t* config) {
  return ::cudaOccupancyMaxPotentialClusterSize(clusterSize, (const void*)func, config);
}

/// The block size with which the most threads are resident, and the least grid that fills the
/// device with such blocks: all multiples of a warp are tried, from the largest.
/// @param shared_of  dynamic shared memory in bytes of a block of a given size
template <class SharedOf, class T>
WARPGRADE_API cudaError_t cudaOccupancyMaxPotentialBlockSizeVariableSMem(int* minGridSize,
                                                                         int* blockSize, T func,
                                                                         SharedOf shared_of,
                                                                         int blockSizeLimit = 0) {
  int device = 0, multiprocessors = 0, most_resident = 0;
  cudaFuncAttributes attributes;
  cudaError_t error = ::cudaGetDevice(&device);
  if (error == cudaSuccess) {
    error = ::cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device);
  }
  if (error == cudaSuccess) error = ::cudaFuncGetAttributes(&attributes, (const void*)func);
  if (error != cudaSuccess) return error;
  int limit = attributes.maxThreadsPerBlock;
  if (blockSizeLimit > 0 && blockSizeLimit < limit) limit = blockSizeLimit;
  for (int size = limit; size > 0; size = (size - 1) / 32 * 32) {
    int blocks = 0;
    error = ::cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, (const void*)func, size,
                                                            shared_of(size));
    if (error != cudaSuccess) return error;
    if (blocks * size > most_resident) {
      most_resident = blocks * size;
      *blockSize = size;
      *minGridSize = blocks * multiprocessors;
    }
  }
  return cudaSuccess;
}
template <class T>
WARPGRADE_API cudaError_t cudaOccupancyMaxPotentialBlockSize(int* minGridSize, int* blockSize,
                                                             T func, size_t dynamicSMemSize = 0,
                                                             int blockSizeLimit = 0) {
  return cudaOccupancyMaxPotentialBlockSizeVariableSMem(
      minGridSize, blockSize, func, [=](int) { return dynamicSMemSize; }, blockSizeLimit);
}

/// The form of CUDA 11; nothing is written to the log.
WARPGRADE_API cudaError_t cudaGraphInstantiate(cudaGraphExec_t* executable, cudaGraph_t graph,
                                               cudaGraphNode_t*, char*, size_t) {
  return ::cudaGraphInstantiate(executable, graph, 0);
}

WARPGRADE_API cudaPitchedPtr make_cudaPitchedPtr(void* d, size_t p, size_t xsz, size_t ysz) {
  return {d, p, xsz, ysz};
}
WARPGRADE_API cudaPos make_cudaPos(size_t x, size_t y, size_t z) {
  return {x, y, z};
}
WARPGRADE_API cudaExtent make_cudaExtent(size_t w, size_t h, size_t d) {
  return {w, h, d};
}

#include "channel_format.h"
#undef WARPGRADE_API
