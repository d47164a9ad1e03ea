#include "emulator/cudart/abi_calls.h"
#include "emulator/cudart/graphs.h"
#include "emulator/cudart/managed.h"
#include "emulator/cudart/properties.h"

namespace warpsim::cudart {

#if WARPSIM_CUDA_MAJOR == 12
const int kRuntimeVersion = 12080;
const cudaError_t kRefusedConfiguration = cudaErrorInvalidConfiguration;
#else
const int kRuntimeVersion = 13000;
const cudaError_t kRefusedConfiguration = cudaErrorInvalidValue;
#endif

namespace {

[[maybe_unused]] void fill_own_properties(DeviceProperties12& properties, const Card& card) {
  properties.clockRate = card.clock_khz;
  properties.memoryClockRate = card.memory_clock_khz;
  properties.deviceOverlap = 1;
  properties.maxTexture1DLinear =
      device_attribute(card, cudaDevAttrMaxTexture1DLinearWidth).value_or(0);
  properties.singleToDoublePrecisionPerfRatio =
      device_attribute(card, cudaDevAttrSingleToDoublePrecisionPerfRatio).value_or(0);
}

[[maybe_unused]] void fill_own_properties(DeviceProperties13& properties, const Card&) {
  properties.hostNumaId = -1;
  properties.deviceNumaId = -1;
}

[[maybe_unused]] PointerAttributes12& common_part(PointerAttributes12& attributes) {
  return attributes;
}
[[maybe_unused]] PointerAttributes12& common_part(PointerAttributes13& attributes) {
  return attributes.common;
}

}  // namespace

extern "C" {

cudaError_t get_device_properties(DeviceProperties* properties, int device) {
  return query("cudaGetDeviceProperties", [&](Call& call) {
    if (!call.runtime.has_device(device)) return cudaErrorInvalidDevice;
    if (properties == nullptr) return cudaErrorInvalidValue;
    fill_common_properties(*properties, call.runtime.card, device);
    fill_own_properties(*properties, call.runtime.card);
    return cudaSuccess;
  });
}

cudaError_t choose_device(int* device, const DeviceProperties* properties) {
  return query("cudaChooseDevice", [&](Call&) {
    if (device == nullptr || properties == nullptr) return cudaErrorInvalidValue;
    *device = 0;
    return cudaSuccess;
  });
}

cudaError_t pointer_get_attributes(PointerAttributes* attributes, const void* pointer) {
  return query("cudaPointerGetAttributes", [&](Call& call) {
    if (attributes == nullptr) return cudaErrorInvalidValue;
    *attributes = {};
    return fill_pointer_attributes(call, &common_part(*attributes), pointer);
  });
}

cudaError_t mem_prefetch_async(const void* pointer, size_t bytes, MemoryLocation where,
                               unsigned flags, cudaStream_t stream) {
  return api("cudaMemPrefetchAsync", [&](Call& call) {
    if (flags != 0) return cudaErrorInvalidValue;
    return prefetch(call, pointer, bytes, where, stream);
  });
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

cudaError_t stream_update_capture(cudaStream_t stream, cudaGraphNode_t* nodes,
                                  const cudaGraphEdgeData*, size_t count, unsigned flags) {
  return api("cudaStreamUpdateCaptureDependencies", [&](Call& call) {
    return update_capture_dependencies(call, stream, nodes, count, flags);
  });
}

#if WARPSIM_CUDA_MAJOR == 12

cudaError_t older_mem_prefetch_async(const void* pointer, size_t bytes, int device,
                                     cudaStream_t stream) {
  return mem_prefetch_async(pointer, bytes, location_of_device(device), 0, stream);
}

cudaError_t older_mem_prefetch_async_ptsz(const void* pointer, size_t bytes, int device,
                                          cudaStream_t stream) {
  const PerThreadCall here(__builtin_return_address(0));
  return older_mem_prefetch_async(pointer, bytes, device, stream);
}

cudaError_t older_mem_advise(const void* pointer, size_t bytes, int advice, int device) {
  return mem_advise(pointer, bytes, advice, location_of_device(device));
}

cudaError_t older_graph_get_edges(cudaGraph_t graph, cudaGraphNode_t* from, cudaGraphNode_t* to,
                                  size_t* count) {
  return graph_get_edges(graph, from, to, nullptr, count);
}

cudaError_t older_graph_node_get_dependencies(cudaGraphNode_t node, cudaGraphNode_t* list,
                                              size_t* count) {
  return graph_node_get_dependencies(node, list, nullptr, count);
}

cudaError_t older_graph_node_get_dependents(cudaGraphNode_t node, cudaGraphNode_t* list,
                                            size_t* count) {
  return graph_node_get_dependents(node, list, nullptr, count);
}

cudaError_t older_graph_add_dependencies(cudaGraph_t graph, const cudaGraphNode_t* from,
                                         const cudaGraphNode_t* to, size_t count) {
  return graph_add_dependencies(graph, from, to, nullptr, count);
}

cudaError_t older_graph_remove_dependencies(cudaGraph_t graph, const cudaGraphNode_t* from,
                                            const cudaGraphNode_t* to, size_t count) {
  return graph_remove_dependencies(graph, from, to, nullptr, count);
}

cudaError_t older_graph_add_node(cudaGraphNode_t* node, cudaGraph_t graph,
                                 const cudaGraphNode_t* needs, size_t count,
                                 cudaGraphNodeParams* parameters) {
  return graph_add_node(node, graph, needs, nullptr, count, parameters);
}

cudaError_t event_elapsed_time_v2(float* ms, cudaEvent_t start, cudaEvent_t end) {
  return cudaEventElapsedTime(ms, start, end);
}

// Deprecated since CUDA 10, gone in 13, still seen in course material.
cudaError_t thread_synchronize() {
  return cudaDeviceSynchronize();
}
cudaError_t thread_exit() {
  return cudaDeviceReset();
}

cudaError_t stream_get_capture_info_v1(cudaStream_t stream, cudaStreamCaptureStatus* status,
                                       unsigned long long* id) {
  return stream_get_capture_info(stream, status, id, nullptr, nullptr, nullptr, nullptr);
}

cudaError_t stream_get_capture_info_v2(cudaStream_t stream, cudaStreamCaptureStatus* status,
                                       unsigned long long* id, cudaGraph_t* graph,
                                       const cudaGraphNode_t** dependencies, size_t* count) {
  return stream_get_capture_info(stream, status, id, graph, dependencies, nullptr, count);
}

cudaError_t older_stream_update_capture(cudaStream_t stream, cudaGraphNode_t* nodes, size_t count,
                                        unsigned flags) {
  return stream_update_capture(stream, nodes, nullptr, count, flags);
}

#else

cudaError_t mem_prefetch_async_ptsz(const void* pointer, size_t bytes, MemoryLocation where,
                                    unsigned flags, cudaStream_t stream) {
  const PerThreadCall here(__builtin_return_address(0));
  return mem_prefetch_async(pointer, bytes, where, flags, stream);
}

cudaError_t stream_get_capture_info_ptsz(cudaStream_t stream, cudaStreamCaptureStatus* status,
                                         unsigned long long* id, cudaGraph_t* graph,
                                         const cudaGraphNode_t** dependencies,
                                         const cudaGraphEdgeData** data, size_t* count) {
  const PerThreadCall here(__builtin_return_address(0));
  return stream_get_capture_info(stream, status, id, graph, dependencies, data, count);
}

cudaError_t stream_update_capture_ptsz(cudaStream_t stream, cudaGraphNode_t* nodes,
                                       const cudaGraphEdgeData* data, size_t count,
                                       unsigned flags) {
  const PerThreadCall here(__builtin_return_address(0));
  return stream_update_capture(stream, nodes, data, count, flags);
}

#endif

}  // extern "C"
}  // namespace warpsim::cudart
