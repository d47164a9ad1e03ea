#pragma once

#include <functional>

#include "emulator/cudart/api.h"
#include "emulator/cudart/graphs.h"

// Building graphs node by node, and changing nodes. Every call describes the work differently;
// `make_...` turns that into checked work, which is then added or replaces a node's.

namespace warpsim::cudart {

cudaError_t make_kernel(Call& call, const cudaKernelNodeParams* parameters, bool cooperative,
                        Work& work);
cudaError_t make_copy(Call& call, const cudaMemcpy3DParms* parameters, Work& work);
cudaError_t make_linear(Call& call, void* destination, const void* source, size_t bytes,
                        cudaMemcpyKind kind, Work& work);
cudaError_t make_copy_to_symbol(Call& call, const void* symbol, const void* source, size_t bytes,
                                size_t offset, cudaMemcpyKind kind, Work& work);
cudaError_t make_copy_from_symbol(Call& call, void* destination, const void* symbol, size_t bytes,
                                  size_t offset, cudaMemcpyKind kind, Work& work);
cudaError_t make_fill(Call& call, const cudaMemsetParams* parameters, Work& work);
cudaError_t make_host(const cudaHostNodeParams* parameters, Work& work);
/// The node gets a clone of the graph.
cudaError_t make_child(Call& call, cudaGraph_t graph, Work& work);
/// @param type  cudaGraphNodeTypeEventRecord or cudaGraphNodeTypeWaitEvent
cudaError_t make_event(Call& call, cudaGraphNodeType type, cudaEvent_t event, Work& work);
cudaError_t make_any(Call& call, const cudaGraphNodeParams* parameters, Work& work);

using MakeWork = std::function<cudaError_t(Work&)>;

/// Adds a node that depends on `count` others.
cudaError_t add_made(Call& call, cudaGraphNode_t* node, cudaGraph_t graph,
                     const cudaGraphNode_t* needs, size_t count, const MakeWork& make);
/// Gives a node of a graph other work of the same type.
cudaError_t change_node(Call& call, cudaGraphNode_t node, cudaGraphNodeType type,
                        const MakeWork& make);
/// The same in an executable; the node is one of the graph that it was instantiated from.
cudaError_t change_step(Call& call, cudaGraphExec_t executable, cudaGraphNode_t node,
                        cudaGraphNodeType type, const MakeWork& make);
cudaError_t change_child(Call& call, cudaGraphExec_t executable, cudaGraphNode_t node,
                         cudaGraph_t child);

/// Null if the node is not a kernel.
[[nodiscard]] KernelNode* kernel_of(Call& call, cudaGraphNode_t node);
cudaError_t get_kernel_attribute(Call& call, cudaGraphNode_t node, cudaLaunchAttributeID id,
                                 cudaLaunchAttributeValue* value);
cudaError_t set_kernel_attribute(Call& call, cudaGraphNode_t node, cudaLaunchAttributeID id,
                                 const cudaLaunchAttributeValue& value);

/// Reports that the parameters of captured copies and memsets cannot be queried.
cudaError_t refuse_captured(Call& call);

/// Copies a node's parameters out.
template <class Parameters>
cudaError_t read_node(Call& call, cudaGraphNode_t handle, cudaGraphNodeType type, Parameters* out) {
  const GraphNode* node = call.runtime.graphs.find(handle);
  if (node == nullptr || out == nullptr || node->work.type != type) return cudaErrorInvalidValue;
  const auto* kept = std::get_if<Parameters>(&node->work.parameters);
  if (kept == nullptr) return refuse_captured(call);
  *out = *kept;
  return cudaSuccess;
}

/// The graph's nodes, or only those that depend on nothing.
cudaError_t nodes_of(Call& call, cudaGraph_t graph, cudaGraphNode_t* list, size_t* count,
                     bool roots);
/// Reads or writes whether a step of an executable runs.
cudaError_t set_enabled(Call& call, cudaGraphExec_t executable, cudaGraphNode_t node,
                        unsigned* value, bool write);

}  // namespace warpsim::cudart
