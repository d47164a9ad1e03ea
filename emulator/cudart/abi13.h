#pragma once

#include <cuda_runtime_api.h>

#include "emulator/cudart/abi.h"
#include "emulator/cudart/layouts.h"

// The functions that CUDA 13 exports in a form of its own, each under its exported name.

namespace warpsim::cudart {

extern "C" {

cudaError_t get_device_properties(DeviceProperties13* properties, int device)
    WARPSIM_EXPORT_AS("cudaGetDeviceProperties");
cudaError_t choose_device(int* device, const DeviceProperties13* properties)
    WARPSIM_EXPORT_AS("cudaChooseDevice");
cudaError_t pointer_get_attributes(PointerAttributes13* attributes, const void* pointer)
    WARPSIM_EXPORT_AS("cudaPointerGetAttributes");
cudaError_t mem_prefetch_async(const void* pointer, size_t bytes, MemoryLocation where,
                               unsigned flags, cudaStream_t stream)
    WARPSIM_EXPORT_AS("cudaMemPrefetchAsync");
cudaError_t mem_prefetch_async_ptsz(const void* pointer, size_t bytes, MemoryLocation where,
                                    unsigned flags, cudaStream_t stream)
    WARPSIM_EXPORT_AS("cudaMemPrefetchAsync_ptsz");
cudaError_t mem_advise(const void* pointer, size_t bytes, int advice, MemoryLocation where)
    WARPSIM_EXPORT_AS("cudaMemAdvise");
cudaError_t graph_get_edges(cudaGraph_t graph, cudaGraphNode_t* from, cudaGraphNode_t* to,
                            cudaGraphEdgeData* data, size_t* count)
    WARPSIM_EXPORT_AS("cudaGraphGetEdges");
cudaError_t graph_node_get_dependencies(cudaGraphNode_t node, cudaGraphNode_t* list,
                                        cudaGraphEdgeData* data, size_t* count)
    WARPSIM_EXPORT_AS("cudaGraphNodeGetDependencies");
cudaError_t graph_node_get_dependents(cudaGraphNode_t node, cudaGraphNode_t* list,
                                      cudaGraphEdgeData* data, size_t* count)
    WARPSIM_EXPORT_AS("cudaGraphNodeGetDependentNodes");
cudaError_t graph_add_dependencies(cudaGraph_t graph, const cudaGraphNode_t* from,
                                   const cudaGraphNode_t* to, const cudaGraphEdgeData* data,
                                   size_t count) WARPSIM_EXPORT_AS("cudaGraphAddDependencies");
cudaError_t graph_remove_dependencies(cudaGraph_t graph, const cudaGraphNode_t* from,
                                      const cudaGraphNode_t* to, const cudaGraphEdgeData* data,
                                      size_t count)
    WARPSIM_EXPORT_AS("cudaGraphRemoveDependencies");
cudaError_t graph_add_node(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* needs,
                           const cudaGraphEdgeData* data, size_t count,
                           cudaGraphNodeParams* parameters) WARPSIM_EXPORT_AS("cudaGraphAddNode");
cudaError_t stream_get_capture_info(cudaStream_t stream, cudaStreamCaptureStatus* status,
                                    unsigned long long* id, cudaGraph_t* graph,
                                    const cudaGraphNode_t** dependencies,
                                    const cudaGraphEdgeData** data, size_t* count)
    WARPSIM_EXPORT_AS("cudaStreamGetCaptureInfo");
cudaError_t stream_get_capture_info_ptsz(cudaStream_t stream, cudaStreamCaptureStatus* status,
                                         unsigned long long* id, cudaGraph_t* graph,
                                         const cudaGraphNode_t** dependencies,
                                         const cudaGraphEdgeData** data, size_t* count)
    WARPSIM_EXPORT_AS("cudaStreamGetCaptureInfo_ptsz");
cudaError_t stream_update_capture(cudaStream_t stream, cudaGraphNode_t* nodes,
                                  const cudaGraphEdgeData* data, size_t count, unsigned flags)
    WARPSIM_EXPORT_AS("cudaStreamUpdateCaptureDependencies");
cudaError_t stream_update_capture_ptsz(cudaStream_t stream, cudaGraphNode_t* nodes,
                                       const cudaGraphEdgeData* data, size_t count, unsigned flags)
    WARPSIM_EXPORT_AS("cudaStreamUpdateCaptureDependencies_ptsz");

}  // extern "C"

// clang-format off
/// Those whose arguments cross to a device process as their types describe them.
#define WARPSIM_ABI_CALLS(CALL) \
  CALL(get_device_properties) \
  CALL(choose_device) \
  CALL(pointer_get_attributes) \
  CALL(mem_prefetch_async) \
  CALL(mem_prefetch_async_ptsz) \
  CALL(mem_advise) \
  CALL(graph_get_edges) \
  CALL(graph_node_get_dependencies) \
  CALL(graph_node_get_dependents) \
  CALL(graph_add_dependencies) \
  CALL(graph_remove_dependencies) \
  CALL(graph_add_node)
// clang-format on

}  // namespace warpsim::cudart
