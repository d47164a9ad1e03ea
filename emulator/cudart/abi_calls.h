#pragma once

#include <cuda_runtime_api.h>

#include "emulator/cudart/abi.h"
#include "emulator/cudart/layouts.h"

// The functions whose signatures or structures differ between CUDA 12 and CUDA 13. CUDA 13 exports
// the newer form alone, under the plain name. CUDA 12 exports it with a version suffix, and most in
// an older form under the plain name. Included for one version of CUDA at a time.

// clang-format off
#if WARPSIM_CUDA_MAJOR == 12
#define WARPSIM_NEWER_NAME(name, version) name version
#else
#define WARPSIM_NEWER_NAME(name, version) name
#endif

/// Newer forms: CALL(our name, plain name, version in CUDA 12, parameters).
#define WARPSIM_NEWER_CALLS(CALL) \
  CALL(get_device_properties, "cudaGetDeviceProperties", "_v2", \
       (DeviceProperties* properties, int device)) \
  CALL(choose_device, "cudaChooseDevice", "", (int* device, const DeviceProperties* properties)) \
  CALL(pointer_get_attributes, "cudaPointerGetAttributes", "", \
       (PointerAttributes* attributes, const void* pointer)) \
  CALL(mem_prefetch_async, "cudaMemPrefetchAsync", "_v2", \
       (const void* pointer, size_t bytes, MemoryLocation where, unsigned flags, \
        cudaStream_t stream)) \
  CALL(mem_advise, "cudaMemAdvise", "_v2", \
       (const void* pointer, size_t bytes, int advice, MemoryLocation where)) \
  CALL(graph_get_edges, "cudaGraphGetEdges", "_v2", \
       (cudaGraph_t graph, cudaGraphNode_t* from, cudaGraphNode_t* to, cudaGraphEdgeData* data, \
        size_t* count)) \
  CALL(graph_node_get_dependencies, "cudaGraphNodeGetDependencies", "_v2", \
       (cudaGraphNode_t node, cudaGraphNode_t* list, cudaGraphEdgeData* data, size_t* count)) \
  CALL(graph_node_get_dependents, "cudaGraphNodeGetDependentNodes", "_v2", \
       (cudaGraphNode_t node, cudaGraphNode_t* list, cudaGraphEdgeData* data, size_t* count)) \
  CALL(graph_add_dependencies, "cudaGraphAddDependencies", "_v2", \
       (cudaGraph_t graph, const cudaGraphNode_t* from, const cudaGraphNode_t* to, \
        const cudaGraphEdgeData* data, size_t count)) \
  CALL(graph_remove_dependencies, "cudaGraphRemoveDependencies", "_v2", \
       (cudaGraph_t graph, const cudaGraphNode_t* from, const cudaGraphNode_t* to, \
        const cudaGraphEdgeData* data, size_t count)) \
  CALL(graph_add_node, "cudaGraphAddNode", "_v2", \
       (cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* needs, \
        const cudaGraphEdgeData* data, size_t count, cudaGraphNodeParams* parameters))

/// The same for those that the client does not marshal by type (client/abi.cpp).
#define WARPSIM_NEWER_CAPTURE_CALLS(CALL) \
  CALL(stream_get_capture_info, "cudaStreamGetCaptureInfo", "_v3", \
       (cudaStream_t stream, cudaStreamCaptureStatus* status, unsigned long long* id, \
        cudaGraph_t* graph, const cudaGraphNode_t** dependencies, const cudaGraphEdgeData** data, \
        size_t* count)) \
  CALL(stream_update_capture, "cudaStreamUpdateCaptureDependencies", "_v2", \
       (cudaStream_t stream, cudaGraphNode_t* nodes, const cudaGraphEdgeData* data, size_t count, \
        unsigned flags))

/// Functions that only one of the versions exports: CALL(our name, exported name, parameters).
#if WARPSIM_CUDA_MAJOR == 12
#define WARPSIM_OWN_CALLS(CALL) \
  CALL(older_mem_prefetch_async, "cudaMemPrefetchAsync", \
       (const void* pointer, size_t bytes, int device, cudaStream_t stream)) \
  CALL(older_mem_prefetch_async_ptsz, "cudaMemPrefetchAsync_ptsz", \
       (const void* pointer, size_t bytes, int device, cudaStream_t stream)) \
  CALL(older_mem_advise, "cudaMemAdvise", \
       (const void* pointer, size_t bytes, int advice, int device)) \
  CALL(older_graph_get_edges, "cudaGraphGetEdges", \
       (cudaGraph_t graph, cudaGraphNode_t* from, cudaGraphNode_t* to, size_t* count)) \
  CALL(older_graph_node_get_dependencies, "cudaGraphNodeGetDependencies", \
       (cudaGraphNode_t node, cudaGraphNode_t* list, size_t* count)) \
  CALL(older_graph_node_get_dependents, "cudaGraphNodeGetDependentNodes", \
       (cudaGraphNode_t node, cudaGraphNode_t* list, size_t* count)) \
  CALL(older_graph_add_dependencies, "cudaGraphAddDependencies", \
       (cudaGraph_t graph, const cudaGraphNode_t* from, const cudaGraphNode_t* to, size_t count)) \
  CALL(older_graph_remove_dependencies, "cudaGraphRemoveDependencies", \
       (cudaGraph_t graph, const cudaGraphNode_t* from, const cudaGraphNode_t* to, size_t count)) \
  CALL(older_graph_add_node, "cudaGraphAddNode", \
       (cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* needs, size_t count, \
        cudaGraphNodeParams* parameters)) \
  CALL(event_elapsed_time_v2, "cudaEventElapsedTime_v2", \
       (float* ms, cudaEvent_t start, cudaEvent_t end)) \
  CALL(thread_synchronize, "cudaThreadSynchronize", ()) \
  CALL(thread_exit, "cudaThreadExit", ())
#define WARPSIM_OWN_CAPTURE_CALLS(CALL) \
  CALL(stream_get_capture_info_v1, "cudaStreamGetCaptureInfo", \
       (cudaStream_t stream, cudaStreamCaptureStatus* status, unsigned long long* id)) \
  CALL(stream_get_capture_info_v2, "cudaStreamGetCaptureInfo_v2", \
       (cudaStream_t stream, cudaStreamCaptureStatus* status, unsigned long long* id, \
        cudaGraph_t* graph, const cudaGraphNode_t** dependencies, size_t* count)) \
  CALL(older_stream_update_capture, "cudaStreamUpdateCaptureDependencies", \
       (cudaStream_t stream, cudaGraphNode_t* nodes, size_t count, unsigned flags))
#else
#define WARPSIM_OWN_CALLS(CALL) \
  CALL(mem_prefetch_async_ptsz, "cudaMemPrefetchAsync_ptsz", \
       (const void* pointer, size_t bytes, MemoryLocation where, unsigned flags, \
        cudaStream_t stream))
#define WARPSIM_OWN_CAPTURE_CALLS(CALL) \
  CALL(stream_get_capture_info_ptsz, "cudaStreamGetCaptureInfo_ptsz", \
       (cudaStream_t stream, cudaStreamCaptureStatus* status, unsigned long long* id, \
        cudaGraph_t* graph, const cudaGraphNode_t** dependencies, const cudaGraphEdgeData** data, \
        size_t* count)) \
  CALL(stream_update_capture_ptsz, "cudaStreamUpdateCaptureDependencies_ptsz", \
       (cudaStream_t stream, cudaGraphNode_t* nodes, const cudaGraphEdgeData* data, size_t count, \
        unsigned flags))
#endif

/// Functions whose arguments are marshalled to a device process by type.
#define WARPSIM_ABI_CALLS(CALL) WARPSIM_NEWER_CALLS(CALL) WARPSIM_OWN_CALLS(CALL)
// clang-format on

namespace warpsim::cudart {

#if WARPSIM_CUDA_MAJOR == 12
using DeviceProperties = DeviceProperties12;
using PointerAttributes = PointerAttributes12;
#else
using DeviceProperties = DeviceProperties13;
using PointerAttributes = PointerAttributes13;
#endif

extern "C" {

#define WARPSIM_DECLARE_NEWER(name, plain, version, parameters) \
  cudaError_t name parameters WARPSIM_EXPORT_AS(WARPSIM_NEWER_NAME(plain, version));
#define WARPSIM_DECLARE_OWN(name, exported, parameters) \
  cudaError_t name parameters WARPSIM_EXPORT_AS(exported);
WARPSIM_NEWER_CALLS(WARPSIM_DECLARE_NEWER)
WARPSIM_NEWER_CAPTURE_CALLS(WARPSIM_DECLARE_NEWER)
WARPSIM_OWN_CALLS(WARPSIM_DECLARE_OWN)
WARPSIM_OWN_CAPTURE_CALLS(WARPSIM_DECLARE_OWN)
#undef WARPSIM_DECLARE_NEWER
#undef WARPSIM_DECLARE_OWN

}  // extern "C"

}  // namespace warpsim::cudart
