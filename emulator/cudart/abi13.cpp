#include "emulator/cudart/abi13.h"

#include "emulator/cudart/graphs.h"
#include "emulator/cudart/managed.h"
#include "emulator/cudart/properties.h"

namespace warpsim::cudart {

const int kRuntimeVersion = 13000;
const cudaError_t kRefusedConfiguration = cudaErrorInvalidValue;

extern "C" {

cudaError_t get_device_properties(DeviceProperties13* properties, int device) {
  return query("cudaGetDeviceProperties", [&](Call& call) {
    if (device != 0) return cudaErrorInvalidDevice;
    if (properties == nullptr) return cudaErrorInvalidValue;
    fill_common_properties(*properties, call.runtime.card);
    properties->hostNumaId = -1;
    properties->deviceNumaId = -1;
    return cudaSuccess;
  });
}

cudaError_t choose_device(int* device, const DeviceProperties13* properties) {
  return query("cudaChooseDevice", [&](Call&) {
    if (device == nullptr || properties == nullptr) return cudaErrorInvalidValue;
    *device = 0;
    return cudaSuccess;
  });
}

cudaError_t pointer_get_attributes(PointerAttributes13* attributes, const void* pointer) {
  return query("cudaPointerGetAttributes", [&](Call& call) {
    if (attributes == nullptr) return cudaErrorInvalidValue;
    *attributes = {};
    return fill_pointer_attributes(call, &attributes->common, pointer);
  });
}

cudaError_t mem_prefetch_async(const void* pointer, size_t bytes, MemoryLocation where,
                               unsigned flags, cudaStream_t stream) {
  return api("cudaMemPrefetchAsync", [&](Call& call) {
    if (flags != 0) return cudaErrorInvalidValue;
    return prefetch(call, pointer, bytes, where, stream);
  });
}

cudaError_t mem_prefetch_async_ptsz(const void* pointer, size_t bytes, MemoryLocation where,
                                    unsigned flags, cudaStream_t stream) {
  return mem_prefetch_async(pointer, bytes, where, flags, stream);
}

cudaError_t mem_advise(const void* pointer, size_t bytes, int, MemoryLocation where) {
  return api("cudaMemAdvise", [&](Call& call) { return advise(call, pointer, bytes, where); });
}

cudaError_t graph_get_edges(cudaGraph_t graph, cudaGraphNode_t* from, cudaGraphNode_t* to,
                            cudaGraphEdgeData* data, size_t* count) {
  return api("cudaGraphGetEdges",
             [&](Call& call) { return graph_edges(call, graph, from, to, data, count); });
}

cudaError_t graph_node_get_dependencies(cudaGraphNode_t node, cudaGraphNode_t* list,
                                        cudaGraphEdgeData* data, size_t* count) {
  return api("cudaGraphNodeGetDependencies",
             [&](Call& call) { return node_dependencies(call, node, list, data, count); });
}

cudaError_t graph_node_get_dependents(cudaGraphNode_t node, cudaGraphNode_t* list,
                                      cudaGraphEdgeData* data, size_t* count) {
  return api("cudaGraphNodeGetDependentNodes",
             [&](Call& call) { return node_dependents(call, node, list, data, count); });
}

cudaError_t graph_add_dependencies(cudaGraph_t graph, const cudaGraphNode_t* from,
                                   const cudaGraphNode_t* to, const cudaGraphEdgeData*,
                                   size_t count) {
  return api("cudaGraphAddDependencies",
             [&](Call& call) { return add_dependencies(call, graph, from, to, count); });
}

cudaError_t graph_remove_dependencies(cudaGraph_t graph, const cudaGraphNode_t* from,
                                      const cudaGraphNode_t* to, const cudaGraphEdgeData*,
                                      size_t count) {
  return api("cudaGraphRemoveDependencies",
             [&](Call& call) { return remove_dependencies(call, graph, from, to, count); });
}

cudaError_t graph_add_node(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* needs,
                           const cudaGraphEdgeData*, size_t count,
                           cudaGraphNodeParams* parameters) {
  return api("cudaGraphAddNode",
             [&](Call& call) { return add_node(call, node, graph, needs, count, parameters); });
}

cudaError_t stream_get_capture_info(cudaStream_t stream, cudaStreamCaptureStatus* status,
                                    unsigned long long* id, cudaGraph_t* graph,
                                    const cudaGraphNode_t** dependencies,
                                    const cudaGraphEdgeData** data, size_t* count) {
  if (data != nullptr) *data = nullptr;
  return api("cudaStreamGetCaptureInfo", [&](Call& call) {
    return capture_info(call, stream, {status, id, graph, dependencies, count});
  });
}

cudaError_t stream_get_capture_info_ptsz(cudaStream_t stream, cudaStreamCaptureStatus* status,
                                         unsigned long long* id, cudaGraph_t* graph,
                                         const cudaGraphNode_t** dependencies,
                                         const cudaGraphEdgeData** data, size_t* count) {
  return stream_get_capture_info(stream, status, id, graph, dependencies, data, count);
}

cudaError_t stream_update_capture(cudaStream_t stream, cudaGraphNode_t* nodes,
                                  const cudaGraphEdgeData*, size_t count, unsigned flags) {
  return api("cudaStreamUpdateCaptureDependencies", [&](Call& call) {
    return update_capture_dependencies(call, stream, nodes, count, flags);
  });
}

cudaError_t stream_update_capture_ptsz(cudaStream_t stream, cudaGraphNode_t* nodes,
                                       const cudaGraphEdgeData* data, size_t count,
                                       unsigned flags) {
  return stream_update_capture(stream, nodes, data, count, flags);
}

}  // extern "C"
}  // namespace warpsim::cudart
