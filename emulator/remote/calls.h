#pragma once

#include <cuda_profiler_api.h>
#include <cuda_runtime_api.h>

#include "emulator/cudart/abi.h"

// The functions of the API that are marshalled to the device process by the types of their
// arguments (marshal.h). Others have their own code: launches, registration, and functions that
// return a pointer to the runtime's memory (client/special_calls.cpp and device/special_calls.cpp).
// Functions whose form differs between CUDA 12 and 13 are listed in ../cudart/abi_calls.h.

extern "C" {
cudaError_t __cudaGetKernel(cudaKernel_t* kernel, const void* host_function);
cudaError_t __cudaLaunchKernel(cudaKernel_t kernel, dim3 grid, dim3 block, void** arguments,
                               size_t shared, cudaStream_t stream);
}

// clang-format off
/// CALL(function), or TWIN(function, suffix) for one with a form for a default stream per thread.
#define WARPSIM_CALLS(CALL, TWIN) \
  CALL(__cudaGetKernel) \
  CALL(cudaArrayGetInfo) \
  CALL(cudaCreateSurfaceObject) \
  CALL(cudaCreateTextureObject) \
  CALL(cudaCtxResetPersistingL2Cache) \
  CALL(cudaDestroySurfaceObject) \
  CALL(cudaDestroyTextureObject) \
  CALL(cudaDeviceCanAccessPeer) \
  CALL(cudaDeviceDisablePeerAccess) \
  CALL(cudaDeviceEnablePeerAccess) \
  CALL(cudaDeviceGetAttribute) \
  CALL(cudaDeviceGetByPCIBusId) \
  CALL(cudaDeviceGetCacheConfig) \
  CALL(cudaDeviceGetDefaultMemPool) \
  CALL(cudaDeviceGetLimit) \
  CALL(cudaDeviceGetMemPool) \
  CALL(cudaDeviceGetP2PAttribute) \
  CALL(cudaDeviceGetSharedMemConfig) \
  CALL(cudaDeviceGetStreamPriorityRange) \
  CALL(cudaDeviceGetTexture1DLinearMaxWidth) \
  CALL(cudaDeviceGraphMemTrim) \
  CALL(cudaDeviceReset) \
  CALL(cudaDeviceSetCacheConfig) \
  CALL(cudaDeviceSetLimit) \
  CALL(cudaDeviceSetMemPool) \
  CALL(cudaDeviceSetSharedMemConfig) \
  CALL(cudaDeviceSynchronize) \
  CALL(cudaDriverGetVersion) \
  CALL(cudaEventCreate) \
  CALL(cudaEventCreateWithFlags) \
  CALL(cudaEventDestroy) \
  CALL(cudaEventElapsedTime) \
  CALL(cudaEventQuery) \
  TWIN(cudaEventRecord, _ptsz) \
  TWIN(cudaEventRecordWithFlags, _ptsz) \
  CALL(cudaEventSynchronize) \
  CALL(cudaFree) \
  CALL(cudaFreeArray) \
  TWIN(cudaFreeAsync, _ptsz) \
  CALL(cudaFreeHost) \
  CALL(cudaFuncGetAttributes) \
  CALL(cudaFuncGetParamInfo) \
  CALL(cudaFuncSetAttribute) \
  CALL(cudaFuncSetCacheConfig) \
  CALL(cudaFuncSetSharedMemConfig) \
  CALL(cudaGetChannelDesc) \
  CALL(cudaGetDevice) \
  CALL(cudaGetDeviceCount) \
  CALL(cudaGetDeviceFlags) \
  CALL(cudaGetFuncBySymbol) \
  CALL(cudaGetKernel) \
  CALL(cudaGetLastError) \
  CALL(cudaGetSurfaceObjectResourceDesc) \
  CALL(cudaGetSymbolAddress) \
  CALL(cudaGetSymbolSize) \
  CALL(cudaGetTextureObjectResourceDesc) \
  CALL(cudaGetTextureObjectTextureDesc) \
  CALL(cudaGraphAddChildGraphNode) \
  CALL(cudaGraphAddEmptyNode) \
  CALL(cudaGraphAddEventRecordNode) \
  CALL(cudaGraphAddEventWaitNode) \
  CALL(cudaGraphAddHostNode) \
  CALL(cudaGraphAddKernelNode) \
  CALL(cudaGraphAddMemAllocNode) \
  CALL(cudaGraphAddMemFreeNode) \
  CALL(cudaGraphAddMemcpyNode) \
  CALL(cudaGraphAddMemcpyNode1D) \
  CALL(cudaGraphAddMemcpyNodeFromSymbol) \
  CALL(cudaGraphAddMemcpyNodeToSymbol) \
  CALL(cudaGraphAddMemsetNode) \
  CALL(cudaGraphChildGraphNodeGetGraph) \
  CALL(cudaGraphClone) \
  CALL(cudaGraphConditionalHandleCreate) \
  CALL(cudaGraphCreate) \
  CALL(cudaGraphDestroy) \
  CALL(cudaGraphDestroyNode) \
  CALL(cudaGraphEventRecordNodeGetEvent) \
  CALL(cudaGraphEventRecordNodeSetEvent) \
  CALL(cudaGraphEventWaitNodeGetEvent) \
  CALL(cudaGraphEventWaitNodeSetEvent) \
  CALL(cudaGraphExecChildGraphNodeSetParams) \
  CALL(cudaGraphExecDestroy) \
  CALL(cudaGraphExecEventRecordNodeSetEvent) \
  CALL(cudaGraphExecEventWaitNodeSetEvent) \
  CALL(cudaGraphExecGetFlags) \
  CALL(cudaGraphExecHostNodeSetParams) \
  CALL(cudaGraphExecKernelNodeSetParams) \
  CALL(cudaGraphExecMemcpyNodeSetParams) \
  CALL(cudaGraphExecMemcpyNodeSetParams1D) \
  CALL(cudaGraphExecMemcpyNodeSetParamsFromSymbol) \
  CALL(cudaGraphExecMemcpyNodeSetParamsToSymbol) \
  CALL(cudaGraphExecMemsetNodeSetParams) \
  CALL(cudaGraphExecNodeSetParams) \
  CALL(cudaGraphExecUpdate) \
  CALL(cudaGraphGetNodes) \
  CALL(cudaGraphGetRootNodes) \
  CALL(cudaGraphHostNodeGetParams) \
  CALL(cudaGraphHostNodeSetParams) \
  CALL(cudaGraphInstantiate) \
  CALL(cudaGraphInstantiateWithFlags) \
  TWIN(cudaGraphInstantiateWithParams, _ptsz) \
  CALL(cudaGraphKernelNodeCopyAttributes) \
  CALL(cudaGraphKernelNodeGetAttribute) \
  CALL(cudaGraphKernelNodeGetParams) \
  CALL(cudaGraphKernelNodeSetAttribute) \
  CALL(cudaGraphKernelNodeSetParams) \
  TWIN(cudaGraphLaunch, _ptsz) \
  CALL(cudaGraphMemAllocNodeGetParams) \
  CALL(cudaGraphMemcpyNodeGetParams) \
  CALL(cudaGraphMemcpyNodeSetParams) \
  CALL(cudaGraphMemcpyNodeSetParams1D) \
  CALL(cudaGraphMemcpyNodeSetParamsFromSymbol) \
  CALL(cudaGraphMemcpyNodeSetParamsToSymbol) \
  CALL(cudaGraphMemsetNodeGetParams) \
  CALL(cudaGraphMemsetNodeSetParams) \
  CALL(cudaGraphNodeFindInClone) \
  CALL(cudaGraphNodeGetEnabled) \
  CALL(cudaGraphNodeGetType) \
  CALL(cudaGraphNodeSetEnabled) \
  CALL(cudaGraphNodeSetParams) \
  TWIN(cudaGraphUpload, _ptsz) \
  CALL(cudaHostAlloc) \
  CALL(cudaHostGetDevicePointer) \
  CALL(cudaHostGetFlags) \
  CALL(cudaHostRegister) \
  CALL(cudaHostUnregister) \
  CALL(cudaInitDevice) \
  CALL(cudaIpcCloseMemHandle) \
  CALL(cudaIpcGetEventHandle) \
  CALL(cudaIpcGetMemHandle) \
  CALL(cudaIpcOpenEventHandle) \
  CALL(cudaIpcOpenMemHandle) \
  CALL(cudaKernelSetAttributeForDevice) \
  TWIN(cudaLaunchHostFunc, _ptsz) \
  CALL(cudaLibraryGetGlobal) \
  CALL(cudaLibraryGetKernel) \
  CALL(cudaLibraryUnload) \
  CALL(cudaMalloc) \
  CALL(cudaMalloc3D) \
  CALL(cudaMalloc3DArray) \
  CALL(cudaMallocArray) \
  TWIN(cudaMallocAsync, _ptsz) \
  TWIN(cudaMallocFromPoolAsync, _ptsz) \
  CALL(cudaMallocHost) \
  CALL(cudaMallocManaged) \
  CALL(cudaMallocPitch) \
  CALL(cudaMemGetInfo) \
  CALL(cudaMemPoolCreate) \
  CALL(cudaMemPoolDestroy) \
  CALL(cudaMemPoolGetAccess) \
  CALL(cudaMemPoolSetAccess) \
  CALL(cudaMemPoolTrimTo) \
  TWIN(cudaMemcpy, _ptds) \
  TWIN(cudaMemcpy2D, _ptds) \
  TWIN(cudaMemcpy2DArrayToArray, _ptds) \
  TWIN(cudaMemcpy2DAsync, _ptsz) \
  TWIN(cudaMemcpy2DFromArray, _ptds) \
  TWIN(cudaMemcpy2DFromArrayAsync, _ptsz) \
  TWIN(cudaMemcpy2DToArray, _ptds) \
  TWIN(cudaMemcpy2DToArrayAsync, _ptsz) \
  TWIN(cudaMemcpy3D, _ptds) \
  TWIN(cudaMemcpy3DAsync, _ptsz) \
  TWIN(cudaMemcpy3DPeer, _ptds) \
  TWIN(cudaMemcpy3DPeerAsync, _ptsz) \
  TWIN(cudaMemcpyAsync, _ptsz) \
  TWIN(cudaMemcpyFromArray, _ptds) \
  TWIN(cudaMemcpyFromArrayAsync, _ptsz) \
  TWIN(cudaMemcpyFromSymbol, _ptds) \
  TWIN(cudaMemcpyFromSymbolAsync, _ptsz) \
  CALL(cudaMemcpyPeer) \
  CALL(cudaMemcpyPeerAsync) \
  TWIN(cudaMemcpyToArray, _ptds) \
  TWIN(cudaMemcpyToArrayAsync, _ptsz) \
  TWIN(cudaMemcpyToSymbol, _ptds) \
  TWIN(cudaMemcpyToSymbolAsync, _ptsz) \
  TWIN(cudaMemset, _ptds) \
  TWIN(cudaMemset2D, _ptds) \
  TWIN(cudaMemset2DAsync, _ptsz) \
  TWIN(cudaMemset3D, _ptds) \
  TWIN(cudaMemset3DAsync, _ptsz) \
  TWIN(cudaMemsetAsync, _ptsz) \
  CALL(cudaOccupancyAvailableDynamicSMemPerBlock) \
  CALL(cudaOccupancyMaxActiveBlocksPerMultiprocessor) \
  CALL(cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags) \
  CALL(cudaOccupancyMaxActiveClusters) \
  CALL(cudaOccupancyMaxPotentialClusterSize) \
  CALL(cudaPeekAtLastError) \
  CALL(cudaProfilerStart) \
  CALL(cudaProfilerStop) \
  CALL(cudaRuntimeGetVersion) \
  CALL(cudaSetDevice) \
  CALL(cudaSetDeviceFlags) \
  TWIN(cudaStreamAddCallback, _ptsz) \
  TWIN(cudaStreamAttachMemAsync, _ptsz) \
  TWIN(cudaStreamBeginCapture, _ptsz) \
  TWIN(cudaStreamBeginCaptureToGraph, _ptsz) \
  TWIN(cudaStreamCopyAttributes, _ptsz) \
  CALL(cudaStreamCreate) \
  CALL(cudaStreamCreateWithFlags) \
  CALL(cudaStreamCreateWithPriority) \
  CALL(cudaStreamDestroy) \
  TWIN(cudaStreamEndCapture, _ptsz) \
  TWIN(cudaStreamGetAttribute, _ptsz) \
  TWIN(cudaStreamGetDevice, _ptsz) \
  TWIN(cudaStreamGetFlags, _ptsz) \
  TWIN(cudaStreamGetId, _ptsz) \
  TWIN(cudaStreamGetPriority, _ptsz) \
  TWIN(cudaStreamIsCapturing, _ptsz) \
  TWIN(cudaStreamQuery, _ptsz) \
  TWIN(cudaStreamSetAttribute, _ptsz) \
  TWIN(cudaStreamSynchronize, _ptsz) \
  TWIN(cudaStreamWaitEvent, _ptsz) \
  CALL(cudaThreadExchangeStreamCaptureMode)
// clang-format on
