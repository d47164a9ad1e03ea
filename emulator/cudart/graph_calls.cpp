#include "emulator/cudart/graph_edit.h"
#include "emulator/cudart/graph_memory.h"

// The exported calls that build graphs node by node and change nodes.

using namespace warpsim::cudart;

extern "C" {

// -- kernels ------------------------------------------------------------------------------------

cudaError_t cudaGraphAddKernelNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                   const cudaGraphNode_t* needs, size_t count,
                                   const cudaKernelNodeParams* parameters) {
  return api(__func__, [&](Call& call) {
    return add_made(call, node, graph, needs, count,
                    [&](Work& work) { return make_kernel(call, parameters, false, work); });
  });
}

cudaError_t cudaGraphKernelNodeGetParams(cudaGraphNode_t node, cudaKernelNodeParams* parameters) {
  return api(__func__, [&](Call& call) {
    const KernelNode* kernel = kernel_of(call, node);
    if (kernel == nullptr || parameters == nullptr) return cudaErrorInvalidValue;
    *parameters = kernel->parameters;
    return cudaSuccess;
  });
}

cudaError_t cudaGraphKernelNodeSetParams(cudaGraphNode_t node,
                                         const cudaKernelNodeParams* parameters) {
  return api(__func__, [&](Call& call) {
    const KernelNode* kernel = kernel_of(call, node);
    const bool cooperative = kernel != nullptr && kernel->cooperative;
    return change_node(call, node, cudaGraphNodeTypeKernel, [&](Work& work) {
      return make_kernel(call, parameters, cooperative, work);
    });
  });
}

cudaError_t cudaGraphExecKernelNodeSetParams(cudaGraphExec_t executable, cudaGraphNode_t node,
                                             const cudaKernelNodeParams* parameters) {
  return api(__func__, [&](Call& call) {
    const KernelNode* kernel = kernel_of(call, node);
    const bool cooperative = kernel != nullptr && kernel->cooperative;
    return change_step(call, executable, node, cudaGraphNodeTypeKernel, [&](Work& work) {
      return make_kernel(call, parameters, cooperative, work);
    });
  });
}

cudaError_t cudaGraphKernelNodeSetAttribute(cudaGraphNode_t node, cudaLaunchAttributeID id,
                                            const cudaLaunchAttributeValue* value) {
  return api(__func__, [&](Call& call) {
    if (value == nullptr) return cudaErrorInvalidValue;
    return set_kernel_attribute(call, node, id, *value);
  });
}

cudaError_t cudaGraphKernelNodeGetAttribute(cudaGraphNode_t node, cudaLaunchAttributeID id,
                                            cudaLaunchAttributeValue* value) {
  return api(__func__, [&](Call& call) { return get_kernel_attribute(call, node, id, value); });
}

cudaError_t cudaGraphKernelNodeCopyAttributes(cudaGraphNode_t destination, cudaGraphNode_t source) {
  return api(__func__, [&](Call& call) {
    const KernelNode* from = kernel_of(call, source);
    KernelNode* to = kernel_of(call, destination);
    if (from == nullptr || to == nullptr) return cudaErrorInvalidValue;
    to->hints = from->hints;
    cudaLaunchAttributeValue value = {};
    value.cooperative = from->cooperative ? 1 : 0;
    return set_kernel_attribute(call, destination, cudaLaunchAttributeCooperative, value);
  });
}

// -- copies -------------------------------------------------------------------------------------

cudaError_t cudaGraphAddMemcpyNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                   const cudaGraphNode_t* needs, size_t count,
                                   const cudaMemcpy3DParms* parameters) {
  return api(__func__, [&](Call& call) {
    return add_made(call, node, graph, needs, count,
                    [&](Work& work) { return make_copy(call, parameters, work); });
  });
}

cudaError_t cudaGraphAddMemcpyNode1D(cudaGraphNode_t* node, cudaGraph_t graph,
                                     const cudaGraphNode_t* needs, size_t count, void* destination,
                                     const void* source, size_t bytes, cudaMemcpyKind kind) {
  return api(__func__, [&](Call& call) {
    return add_made(call, node, graph, needs, count, [&](Work& work) {
      return make_linear(call, destination, source, bytes, kind, work);
    });
  });
}

cudaError_t cudaGraphAddMemcpyNodeToSymbol(cudaGraphNode_t* node, cudaGraph_t graph,
                                           const cudaGraphNode_t* needs, size_t count,
                                           const void* symbol, const void* source, size_t bytes,
                                           size_t offset, cudaMemcpyKind kind) {
  return api(__func__, [&](Call& call) {
    return add_made(call, node, graph, needs, count, [&](Work& work) {
      return make_copy_to_symbol(call, symbol, source, bytes, offset, kind, work);
    });
  });
}

cudaError_t cudaGraphAddMemcpyNodeFromSymbol(cudaGraphNode_t* node, cudaGraph_t graph,
                                             const cudaGraphNode_t* needs, size_t count,
                                             void* destination, const void* symbol, size_t bytes,
                                             size_t offset, cudaMemcpyKind kind) {
  return api(__func__, [&](Call& call) {
    return add_made(call, node, graph, needs, count, [&](Work& work) {
      return make_copy_from_symbol(call, destination, symbol, bytes, offset, kind, work);
    });
  });
}

cudaError_t cudaGraphMemcpyNodeGetParams(cudaGraphNode_t node, cudaMemcpy3DParms* parameters) {
  return api(__func__, [&](Call& call) {
    return read_node(call, node, cudaGraphNodeTypeMemcpy, parameters);
  });
}

cudaError_t cudaGraphMemcpyNodeSetParams(cudaGraphNode_t node,
                                         const cudaMemcpy3DParms* parameters) {
  return api(__func__, [&](Call& call) {
    return change_node(call, node, cudaGraphNodeTypeMemcpy,
                       [&](Work& work) { return make_copy(call, parameters, work); });
  });
}

cudaError_t cudaGraphMemcpyNodeSetParams1D(cudaGraphNode_t node, void* destination,
                                           const void* source, size_t bytes, cudaMemcpyKind kind) {
  return api(__func__, [&](Call& call) {
    return change_node(call, node, cudaGraphNodeTypeMemcpy, [&](Work& work) {
      return make_linear(call, destination, source, bytes, kind, work);
    });
  });
}

cudaError_t cudaGraphMemcpyNodeSetParamsToSymbol(cudaGraphNode_t node, const void* symbol,
                                                 const void* source, size_t bytes, size_t offset,
                                                 cudaMemcpyKind kind) {
  return api(__func__, [&](Call& call) {
    return change_node(call, node, cudaGraphNodeTypeMemcpy, [&](Work& work) {
      return make_copy_to_symbol(call, symbol, source, bytes, offset, kind, work);
    });
  });
}

cudaError_t cudaGraphMemcpyNodeSetParamsFromSymbol(cudaGraphNode_t node, void* destination,
                                                   const void* symbol, size_t bytes, size_t offset,
                                                   cudaMemcpyKind kind) {
  return api(__func__, [&](Call& call) {
    return change_node(call, node, cudaGraphNodeTypeMemcpy, [&](Work& work) {
      return make_copy_from_symbol(call, destination, symbol, bytes, offset, kind, work);
    });
  });
}

cudaError_t cudaGraphExecMemcpyNodeSetParams(cudaGraphExec_t executable, cudaGraphNode_t node,
                                             const cudaMemcpy3DParms* parameters) {
  return api(__func__, [&](Call& call) {
    return change_step(call, executable, node, cudaGraphNodeTypeMemcpy,
                       [&](Work& work) { return make_copy(call, parameters, work); });
  });
}

cudaError_t cudaGraphExecMemcpyNodeSetParams1D(cudaGraphExec_t executable, cudaGraphNode_t node,
                                               void* destination, const void* source, size_t bytes,
                                               cudaMemcpyKind kind) {
  return api(__func__, [&](Call& call) {
    return change_step(call, executable, node, cudaGraphNodeTypeMemcpy, [&](Work& work) {
      return make_linear(call, destination, source, bytes, kind, work);
    });
  });
}

cudaError_t cudaGraphExecMemcpyNodeSetParamsToSymbol(cudaGraphExec_t executable,
                                                     cudaGraphNode_t node, const void* symbol,
                                                     const void* source, size_t bytes,
                                                     size_t offset, cudaMemcpyKind kind) {
  return api(__func__, [&](Call& call) {
    return change_step(call, executable, node, cudaGraphNodeTypeMemcpy, [&](Work& work) {
      return make_copy_to_symbol(call, symbol, source, bytes, offset, kind, work);
    });
  });
}

cudaError_t cudaGraphExecMemcpyNodeSetParamsFromSymbol(cudaGraphExec_t executable,
                                                       cudaGraphNode_t node, void* destination,
                                                       const void* symbol, size_t bytes,
                                                       size_t offset, cudaMemcpyKind kind) {
  return api(__func__, [&](Call& call) {
    return change_step(call, executable, node, cudaGraphNodeTypeMemcpy, [&](Work& work) {
      return make_copy_from_symbol(call, destination, symbol, bytes, offset, kind, work);
    });
  });
}

// -- memsets ------------------------------------------------------------------------------------

cudaError_t cudaGraphAddMemsetNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                   const cudaGraphNode_t* needs, size_t count,
                                   const cudaMemsetParams* parameters) {
  return api(__func__, [&](Call& call) {
    return add_made(call, node, graph, needs, count,
                    [&](Work& work) { return make_fill(call, parameters, work); });
  });
}

cudaError_t cudaGraphMemsetNodeGetParams(cudaGraphNode_t node, cudaMemsetParams* parameters) {
  return api(__func__, [&](Call& call) {
    return read_node(call, node, cudaGraphNodeTypeMemset, parameters);
  });
}

cudaError_t cudaGraphMemsetNodeSetParams(cudaGraphNode_t node, const cudaMemsetParams* parameters) {
  return api(__func__, [&](Call& call) {
    return change_node(call, node, cudaGraphNodeTypeMemset,
                       [&](Work& work) { return make_fill(call, parameters, work); });
  });
}

cudaError_t cudaGraphExecMemsetNodeSetParams(cudaGraphExec_t executable, cudaGraphNode_t node,
                                             const cudaMemsetParams* parameters) {
  return api(__func__, [&](Call& call) {
    return change_step(call, executable, node, cudaGraphNodeTypeMemset,
                       [&](Work& work) { return make_fill(call, parameters, work); });
  });
}

// -- host functions, empty nodes, child graphs, events ------------------------------------------

cudaError_t cudaGraphAddHostNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                 const cudaGraphNode_t* needs, size_t count,
                                 const cudaHostNodeParams* parameters) {
  return api(__func__, [&](Call& call) {
    return add_made(call, node, graph, needs, count,
                    [&](Work& work) { return make_host(parameters, work); });
  });
}

cudaError_t cudaGraphHostNodeGetParams(cudaGraphNode_t node, cudaHostNodeParams* parameters) {
  return api(__func__,
             [&](Call& call) { return read_node(call, node, cudaGraphNodeTypeHost, parameters); });
}

cudaError_t cudaGraphHostNodeSetParams(cudaGraphNode_t node, const cudaHostNodeParams* parameters) {
  return api(__func__, [&](Call& call) {
    return change_node(call, node, cudaGraphNodeTypeHost,
                       [&](Work& work) { return make_host(parameters, work); });
  });
}

cudaError_t cudaGraphExecHostNodeSetParams(cudaGraphExec_t executable, cudaGraphNode_t node,
                                           const cudaHostNodeParams* parameters) {
  return api(__func__, [&](Call& call) {
    return change_step(call, executable, node, cudaGraphNodeTypeHost,
                       [&](Work& work) { return make_host(parameters, work); });
  });
}

cudaError_t cudaGraphAddEmptyNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                  const cudaGraphNode_t* needs, size_t count) {
  return api(__func__, [&](Call& call) {
    return add_made(call, node, graph, needs, count, [](Work&) { return cudaSuccess; });
  });
}

cudaError_t cudaGraphAddChildGraphNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                       const cudaGraphNode_t* needs, size_t count,
                                       cudaGraph_t child) {
  return api(__func__, [&](Call& call) {
    return add_made(call, node, graph, needs, count,
                    [&](Work& work) { return make_child(call, child, work); });
  });
}

cudaError_t cudaGraphChildGraphNodeGetGraph(cudaGraphNode_t node, cudaGraph_t* graph) {
  return api(__func__,
             [&](Call& call) { return read_node(call, node, cudaGraphNodeTypeGraph, graph); });
}

cudaError_t cudaGraphExecChildGraphNodeSetParams(cudaGraphExec_t executable, cudaGraphNode_t node,
                                                 cudaGraph_t child) {
  return api(__func__, [&](Call& call) { return change_child(call, executable, node, child); });
}

cudaError_t cudaGraphAddEventRecordNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                        const cudaGraphNode_t* needs, size_t count,
                                        cudaEvent_t event) {
  return api(__func__, [&](Call& call) {
    return add_made(call, node, graph, needs, count, [&](Work& work) {
      return make_event(call, cudaGraphNodeTypeEventRecord, event, work);
    });
  });
}

cudaError_t cudaGraphAddEventWaitNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                      const cudaGraphNode_t* needs, size_t count,
                                      cudaEvent_t event) {
  return api(__func__, [&](Call& call) {
    return add_made(call, node, graph, needs, count, [&](Work& work) {
      return make_event(call, cudaGraphNodeTypeWaitEvent, event, work);
    });
  });
}

cudaError_t cudaGraphEventRecordNodeGetEvent(cudaGraphNode_t node, cudaEvent_t* event) {
  return api(__func__, [&](Call& call) {
    return read_node(call, node, cudaGraphNodeTypeEventRecord, event);
  });
}

cudaError_t cudaGraphEventWaitNodeGetEvent(cudaGraphNode_t node, cudaEvent_t* event) {
  return api(__func__,
             [&](Call& call) { return read_node(call, node, cudaGraphNodeTypeWaitEvent, event); });
}

cudaError_t cudaGraphEventRecordNodeSetEvent(cudaGraphNode_t node, cudaEvent_t event) {
  return api(__func__, [&](Call& call) {
    return change_node(call, node, cudaGraphNodeTypeEventRecord, [&](Work& work) {
      return make_event(call, cudaGraphNodeTypeEventRecord, event, work);
    });
  });
}

cudaError_t cudaGraphEventWaitNodeSetEvent(cudaGraphNode_t node, cudaEvent_t event) {
  return api(__func__, [&](Call& call) {
    return change_node(call, node, cudaGraphNodeTypeWaitEvent, [&](Work& work) {
      return make_event(call, cudaGraphNodeTypeWaitEvent, event, work);
    });
  });
}

cudaError_t cudaGraphExecEventRecordNodeSetEvent(cudaGraphExec_t executable, cudaGraphNode_t node,
                                                 cudaEvent_t event) {
  return api(__func__, [&](Call& call) {
    return change_step(call, executable, node, cudaGraphNodeTypeEventRecord, [&](Work& work) {
      return make_event(call, cudaGraphNodeTypeEventRecord, event, work);
    });
  });
}

cudaError_t cudaGraphExecEventWaitNodeSetEvent(cudaGraphExec_t executable, cudaGraphNode_t node,
                                               cudaEvent_t event) {
  return api(__func__, [&](Call& call) {
    return change_step(call, executable, node, cudaGraphNodeTypeWaitEvent, [&](Work& work) {
      return make_event(call, cudaGraphNodeTypeWaitEvent, event, work);
    });
  });
}

// -- nodes of any type --------------------------------------------------------------------------

cudaError_t cudaGraphNodeSetParams(cudaGraphNode_t node, cudaGraphNodeParams* parameters) {
  return api(__func__, [&](Call& call) {
    if (parameters == nullptr) return cudaErrorInvalidValue;
    return change_node(call, node, parameters->type,
                       [&](Work& work) { return make_any(call, parameters, work); });
  });
}

cudaError_t cudaGraphExecNodeSetParams(cudaGraphExec_t executable, cudaGraphNode_t node,
                                       cudaGraphNodeParams* parameters) {
  return api(__func__, [&](Call& call) {
    if (parameters == nullptr) return cudaErrorInvalidValue;
    if (parameters->type == cudaGraphNodeTypeGraph) {
      return change_child(call, executable, node, parameters->graph.graph);
    }
    return change_step(call, executable, node, parameters->type,
                       [&](Work& work) { return make_any(call, parameters, work); });
  });
}

cudaError_t cudaGraphNodeGetType(cudaGraphNode_t handle, cudaGraphNodeType* type) {
  return api(__func__, [&](Call& call) {
    const GraphNode* node = call.runtime.graphs.find(handle);
    if (node == nullptr || type == nullptr) return cudaErrorInvalidValue;
    *type = node->work.type;
    return cudaSuccess;
  });
}

cudaError_t cudaGraphDestroyNode(cudaGraphNode_t handle) {
  return api(__func__, [&](Call& call) {
    GraphNode* node = call.runtime.graphs.find(handle);
    if (node == nullptr) return cudaErrorInvalidValue;
    if (has_memory_nodes(*node->graph)) return cudaErrorNotSupported;
    call.runtime.graphs.destroy_node(*node);
    return cudaSuccess;
  });
}

cudaError_t cudaGraphNodeFindInClone(cudaGraphNode_t* twin, cudaGraphNode_t handle,
                                     cudaGraph_t clone) {
  return api(__func__, [&](Call& call) {
    const GraphNode* original = call.runtime.graphs.find(handle);
    const Graph* graph = call.runtime.graphs.find(clone);
    if (twin == nullptr || original == nullptr || graph == nullptr) return cudaErrorInvalidValue;
    for (const auto& node : graph->nodes) {
      if (node->cloned_from != original->id) continue;
      *twin = node->handle();
      return cudaSuccess;
    }
    return cudaErrorInvalidValue;
  });
}

cudaError_t cudaGraphGetNodes(cudaGraph_t graph, cudaGraphNode_t* nodes, size_t* count) {
  return api(__func__, [&](Call& call) { return nodes_of(call, graph, nodes, count, false); });
}

cudaError_t cudaGraphGetRootNodes(cudaGraph_t graph, cudaGraphNode_t* nodes, size_t* count) {
  return api(__func__, [&](Call& call) { return nodes_of(call, graph, nodes, count, true); });
}

cudaError_t cudaGraphNodeSetEnabled(cudaGraphExec_t executable, cudaGraphNode_t node,
                                    unsigned enabled) {
  return api(__func__,
             [&](Call& call) { return set_enabled(call, executable, node, &enabled, true); });
}

cudaError_t cudaGraphNodeGetEnabled(cudaGraphExec_t executable, cudaGraphNode_t node,
                                    unsigned* enabled) {
  return api(__func__,
             [&](Call& call) { return set_enabled(call, executable, node, enabled, false); });
}

}  // extern "C"
