#include <algorithm>
#include <cstring>

#include "emulator/cudart/finish.h"
#include "emulator/cudart/graph_conditional.h"
#include "emulator/cudart/graph_edit.h"
#include "emulator/cudart/graph_memory.h"
#include "emulator/cudart/launch.h"
#include "emulator/cudart/modules.h"
#include "emulator/cudart/transfer.h"

// Building graphs node by node, and changing nodes: the implementation of graph_calls.cpp.

namespace warpsim::cudart {

// -- parameters to work -------------------------------------------------------------------------

cudaError_t make_kernel(Call& call, const cudaKernelNodeParams* parameters, bool cooperative,
                        Work& work) {
  if (parameters == nullptr) return cudaErrorInvalidValue;
  if (parameters->extra != nullptr) {
    CallSite site = call.site();
    site.api += " with arguments in `extra`";
    report_unsupported(call.runtime, site);
    return cudaErrorNotSupported;
  }
  cudaError_t error = cudaSuccess;
  Function* function = function_or_error(parameters->func, error);
  if (function == nullptr) return cudaErrorInvalidDeviceFunction;
  const dim3 grid = parameters->gridDim;
  const dim3 block = parameters->blockDim;
  const LaunchOrder order = {.grid = {grid.x, grid.y, grid.z},
                             .block = {block.x, block.y, block.z},
                             .dynamic_shared_bytes = parameters->sharedMemBytes,
                             .arguments = parameters->kernelParams,
                             .cooperative = cooperative};
  return kernel_work(call.runtime, *function, order, {call.name, call.frames()}, work);
}

cudaError_t make_copy(Call& call, const cudaMemcpy3DParms* parameters, Work& work) {
  if (parameters == nullptr) return cudaErrorInvalidValue;
  return box_copy_work(call, *parameters, work);
}

namespace {

/// A linear copy as the three-dimensional one that the nodes keep.
cudaMemcpy3DParms linear_copy(void* destination, const void* source, size_t bytes,
                              cudaMemcpyKind kind) {
  cudaMemcpy3DParms parameters = {};
  parameters.dstPtr = {destination, bytes, bytes, 1};
  parameters.srcPtr = {const_cast<void*>(source), bytes, bytes, 1};
  parameters.extent = {bytes, 1, 1};
  parameters.kind = kind;
  return parameters;
}

}  // namespace

cudaError_t make_linear(Call& call, void* destination, const void* source, size_t bytes,
                        cudaMemcpyKind kind, Work& work) {
  if (bytes == 0) return cudaErrorInvalidValue;
  const cudaMemcpy3DParms parameters = linear_copy(destination, source, bytes, kind);
  return make_copy(call, &parameters, work);
}

cudaError_t make_fill(Call& call, const cudaMemsetParams* parameters, Work& work) {
  if (parameters == nullptr) return cudaErrorInvalidValue;
  const cudaMemsetParams& p = *parameters;
  const std::uint64_t width = std::uint64_t{p.width} * p.elementSize;
  if (p.height > 1 && width > p.pitch) return cudaErrorInvalidPitchValue;
  const Side to = {reinterpret_cast<std::uint64_t>(p.dst), p.pitch, 0};
  const cudaError_t error =
      fill_work(call, to, p.value, p.elementSize, {.width = width, .height = p.height}, work);
  work.parameters = p;
  return error;
}

cudaError_t make_host(const cudaHostNodeParams* parameters, Work& work) {
  if (parameters == nullptr || parameters->fn == nullptr) return cudaErrorInvalidValue;
  work = host_work(*parameters);
  return cudaSuccess;
}

cudaError_t make_child(Call& call, cudaGraph_t handle, Work& work) {
  const Graph* graph = call.runtime.graphs.find(handle);
  if (graph == nullptr) return cudaErrorInvalidValue;
  if (!can_be_cloned(*graph)) return cudaErrorNotSupported;
  Graph& copy = call.runtime.graphs.clone(*graph);
  copy.owned_by_node = true;
  work = {.type = cudaGraphNodeTypeGraph, .run = nullptr, .parameters = copy.handle()};
  return cudaSuccess;
}

namespace {

/// Graphs run one after another, so the event has completed.
Operation wait_here(Runtime& runtime, cudaEvent_t handle) {
  return [&runtime, handle] {
    if (const Event* event = runtime.events.find(handle)) runtime.streams.wait_here(event->done);
    return cudaSuccess;
  };
}

}  // namespace

cudaError_t make_event(Call& call, cudaGraphNodeType type, cudaEvent_t event, Work& work) {
  if (call.runtime.events.find(event) == nullptr) return cudaErrorInvalidValue;
  work = record_work(call.runtime, event);
  work.type = type;
  if (type == cudaGraphNodeTypeWaitEvent) work.run = wait_here(call.runtime, event);
  return cudaSuccess;
}

cudaError_t make_any(Call& call, const cudaGraphNodeParams* parameters, Work& work) {
  if (parameters == nullptr) return cudaErrorInvalidValue;
  const cudaGraphNodeParams& p = *parameters;
  switch (p.type) {
    case cudaGraphNodeTypeKernel: {
      const cudaKernelNodeParams kernel = {.func = p.kernel.func,
                                           .gridDim = p.kernel.gridDim,
                                           .blockDim = p.kernel.blockDim,
                                           .sharedMemBytes = p.kernel.sharedMemBytes,
                                           .kernelParams = p.kernel.kernelParams,
                                           .extra = p.kernel.extra};
      return make_kernel(call, &kernel, false, work);
    }
    case cudaGraphNodeTypeMemcpy:
      return make_copy(call, &p.memcpy.copyParams, work);
    case cudaGraphNodeTypeMemset: {
      const cudaMemsetParams fill = {.dst = p.memset.dst,
                                     .pitch = p.memset.pitch,
                                     .value = p.memset.value,
                                     .elementSize = p.memset.elementSize,
                                     .width = p.memset.width,
                                     .height = p.memset.height};
      return make_fill(call, &fill, work);
    }
    case cudaGraphNodeTypeHost: {
      const cudaHostNodeParams host = {.fn = p.host.fn, .userData = p.host.userData};
      return make_host(&host, work);
    }
    case cudaGraphNodeTypeGraph:
      return make_child(call, p.graph.graph, work);
    case cudaGraphNodeTypeEmpty:
      work = {};
      return cudaSuccess;
    case cudaGraphNodeTypeWaitEvent:
      return make_event(call, p.type, p.eventWait.event, work);
    case cudaGraphNodeTypeEventRecord:
      return make_event(call, p.type, p.eventRecord.event, work);
    default: {
      CallSite site = call.site();
      site.api += " with this type of node";
      report_unsupported(call.runtime, site);
      return cudaErrorNotSupported;
    }
  }
}

// -- adding and changing ------------------------------------------------------------------------

/// Adds a node whose work is made by `make(work)`.
cudaError_t add_made(Call& call, cudaGraphNode_t* node, cudaGraph_t handle,
                     const cudaGraphNode_t* needs, size_t count, const MakeWork& make) {
  Graph* graph = call.runtime.graphs.find(handle);
  if (graph == nullptr || node == nullptr) return cudaErrorInvalidValue;
  if (count != 0 && needs == nullptr) return cudaErrorInvalidValue;
  std::vector<GraphNode*> before;
  for (size_t i = 0; i < count; ++i) {
    GraphNode* found = call.runtime.graphs.find(needs[i]);
    const bool twice = std::find(before.begin(), before.end(), found) != before.end();
    if (found == nullptr || found->graph != graph || twice) return cudaErrorInvalidValue;
    before.push_back(found);
  }
  Work work;
  if (const cudaError_t error = make(work)) return error;
  *node = graph->add(std::move(work), before).handle();
  return cudaSuccess;
}

/// Gives a node of a graph other work of the same type.
cudaError_t change_node(Call& call, cudaGraphNode_t handle, cudaGraphNodeType type,
                        const MakeWork& make) {
  GraphNode* node = call.runtime.graphs.find(handle);
  if (node == nullptr || node->work.type != type) return cudaErrorInvalidValue;
  Work work;
  if (const cudaError_t error = make(work)) return error;
  const auto* before = std::get_if<KernelNode>(&node->work.parameters);
  auto* after = std::get_if<KernelNode>(&work.parameters);
  if (before != nullptr && after != nullptr) after->hints = before->hints;
  node->work = std::move(work);
  return cudaSuccess;
}

/// The same in an executable; the node is one of the graph that it was instantiated from.
cudaError_t change_step(Call& call, cudaGraphExec_t executable, cudaGraphNode_t handle,
                        cudaGraphNodeType type, const MakeWork& make) {
  Executable* found = call.runtime.graphs.find(executable);
  const GraphNode* node = call.runtime.graphs.find(handle);
  if (found == nullptr || node == nullptr) return cudaErrorInvalidValue;
  Executable::Step* step = found->find(node->id);
  if (step == nullptr || step->work.type != type) return cudaErrorInvalidValue;
  Work work;
  if (const cudaError_t error = make(work)) return error;
  step->work = std::move(work);
  return cudaSuccess;
}

cudaError_t change_child(Call& call, cudaGraphExec_t executable, cudaGraphNode_t handle,
                         cudaGraph_t child) {
  return change_step(call, executable, handle, cudaGraphNodeTypeGraph, [&](Work& work) {
    const Graph* graph = call.runtime.graphs.find(child);
    if (graph == nullptr) return cudaErrorInvalidValue;
    if (!can_be_cloned(*graph)) return cudaErrorNotSupported;
    auto steps = call.runtime.graphs.order(*graph);
    if (!steps) return cudaErrorInvalidValue;
    work.type = cudaGraphNodeTypeGraph;
    work.run = [part = Executable{.steps = std::move(*steps)}] { return part.run(); };
    return cudaSuccess;
  });
}

cudaError_t refuse_captured(Call& call) {
  CallSite site = call.site();
  site.api += " of a captured node";
  report_unsupported(call.runtime, site);
  return cudaErrorNotSupported;
}

KernelNode* kernel_of(Call& call, cudaGraphNode_t handle) {
  GraphNode* node = call.runtime.graphs.find(handle);
  return node == nullptr ? nullptr : std::get_if<KernelNode>(&node->work.parameters);
}

namespace {

/// Attributes of order and caches, which do not affect results.
bool is_hint(cudaLaunchAttributeID id) {
  return id == cudaLaunchAttributeAccessPolicyWindow || id == cudaLaunchAttributePriority ||
         id == cudaLaunchAttributeMemSyncDomainMap || id == cudaLaunchAttributeMemSyncDomain;
}

}  // namespace

cudaError_t get_kernel_attribute(Call& call, cudaGraphNode_t handle, cudaLaunchAttributeID id,
                                 cudaLaunchAttributeValue* value) {
  const KernelNode* kernel = kernel_of(call, handle);
  if (kernel == nullptr || value == nullptr) return cudaErrorInvalidValue;
  if (id != cudaLaunchAttributeCooperative && !is_hint(id)) return cudaErrorInvalidValue;
  *value = {};
  const auto set = kernel->hints.find(id);
  if (set != kernel->hints.end()) *value = set->second;
  if (id == cudaLaunchAttributeCooperative) value->cooperative = kernel->cooperative ? 1 : 0;
  return cudaSuccess;
}

cudaError_t set_kernel_attribute(Call& call, cudaGraphNode_t handle, cudaLaunchAttributeID id,
                                 const cudaLaunchAttributeValue& value) {
  KernelNode* kernel = kernel_of(call, handle);
  if (kernel == nullptr) return cudaErrorInvalidValue;
  if (is_hint(id)) {
    kernel->hints[id] = value;
    return cudaSuccess;
  }
  if (id == cudaLaunchAttributeClusterDimension) {
    CallSite site = call.site();
    site.api += " with cudaLaunchAttributeClusterDimension";
    report_unsupported(call.runtime, site);
    return cudaErrorNotSupported;
  }
  if (id != cudaLaunchAttributeCooperative) return cudaErrorInvalidValue;
  const KernelNode before = *kernel;
  return change_node(call, handle, cudaGraphNodeTypeKernel, [&](Work& work) {
    return make_kernel(call, &before.parameters, value.cooperative != 0, work);
  });
}

namespace {

/// Returns a list: its length if `list` is null; otherwise at most `*count` elements, followed by
/// nulls.
cudaError_t give_list(const std::vector<GraphNode*>& nodes, cudaGraphNode_t* list, size_t* count) {
  if (count == nullptr) return cudaErrorInvalidValue;
  if (list != nullptr) {
    for (size_t i = 0; i < *count; ++i) list[i] = i < nodes.size() ? nodes[i]->handle() : nullptr;
  }
  *count = list == nullptr ? nodes.size() : std::min(*count, nodes.size());
  return cudaSuccess;
}

void no_edge_data(cudaGraphEdgeData* data, size_t count) {
  if (data != nullptr) std::fill_n(data, count, cudaGraphEdgeData{});
}

}  // namespace

cudaError_t nodes_of(Call& call, cudaGraph_t handle, cudaGraphNode_t* list, size_t* count,
                     bool roots) {
  const Graph* graph = call.runtime.graphs.find(handle);
  if (graph == nullptr) return cudaErrorInvalidValue;
  std::vector<GraphNode*> nodes;
  for (const auto& node : graph->nodes) {
    if (!roots || node->needs.empty()) nodes.push_back(node.get());
  }
  return give_list(nodes, list, count);
}

namespace {

bool reaches(const GraphNode& from, const GraphNode& to) {
  return &from == &to || std::any_of(from.needs.begin(), from.needs.end(),
                                     [&](const GraphNode* next) { return reaches(*next, to); });
}

}  // namespace

cudaError_t make_copy_to_symbol(Call& call, const void* symbol, const void* source, size_t bytes,
                                size_t offset, cudaMemcpyKind kind, Work& work) {
  Side to;
  const SymbolRange range = {symbol, offset, bytes};
  if (const cudaError_t error = symbol_side(call, CopyRole::destination, range, kind, to)) {
    return error;
  }
  return make_linear(call, reinterpret_cast<void*>(to.address), source, bytes, kind, work);
}

cudaError_t make_copy_from_symbol(Call& call, void* destination, const void* symbol, size_t bytes,
                                  size_t offset, cudaMemcpyKind kind, Work& work) {
  Side from;
  const SymbolRange range = {symbol, offset, bytes};
  if (const cudaError_t error = symbol_side(call, CopyRole::source, range, kind, from)) {
    return error;
  }
  return make_linear(call, destination, reinterpret_cast<const void*>(from.address), bytes, kind,
                     work);
}

cudaError_t set_enabled(Call& call, cudaGraphExec_t executable, cudaGraphNode_t handle,
                        unsigned* value, bool write) {
  Executable* found = call.runtime.graphs.find(executable);
  const GraphNode* node = call.runtime.graphs.find(handle);
  if (found == nullptr || node == nullptr || value == nullptr) return cudaErrorInvalidValue;
  Executable::Step* step = found->find(node->id);
  if (step == nullptr) return cudaErrorInvalidValue;
  const cudaGraphNodeType type = step->work.type;
  if (type != cudaGraphNodeTypeKernel && type != cudaGraphNodeTypeMemcpy &&
      type != cudaGraphNodeTypeMemset) {
    return cudaErrorInvalidValue;
  }
  if (write) {
    step->enabled = *value != 0;
  } else {
    *value = step->enabled ? 1 : 0;
  }
  return cudaSuccess;
}

cudaError_t add_node(Call& call, cudaGraphNode_t* node, cudaGraph_t graph,
                     const cudaGraphNode_t* needs, size_t count, cudaGraphNodeParams* parameters) {
  return add_made(call, node, graph, needs, count, [&](Work& work) {
    if (parameters == nullptr) return cudaErrorInvalidValue;
    const Graph& into = *call.runtime.graphs.find(graph);
    switch (parameters->type) {
      case cudaGraphNodeTypeMemAlloc:
        return add_allocation(call, into, parameters->alloc, work);
      case cudaGraphNodeTypeMemFree:
        return make_free(call, into, parameters->free.dptr, work);
      case cudaGraphNodeTypeConditional:
        return make_conditional(call, graph, parameters->conditional, work);
      default:
        return make_any(call, parameters, work);
    }
  });
}

cudaError_t graph_edges(Call& call, cudaGraph_t handle, cudaGraphNode_t* from, cudaGraphNode_t* to,
                        cudaGraphEdgeData* data, size_t* count) {
  const Graph* graph = call.runtime.graphs.find(handle);
  if (graph == nullptr || count == nullptr || (from == nullptr) != (to == nullptr)) {
    return cudaErrorInvalidValue;
  }
  std::vector<GraphNode*> starts;
  std::vector<GraphNode*> ends;
  for (const auto& node : graph->nodes) {
    for (GraphNode* before : node->needs) {
      starts.push_back(before);
      ends.push_back(node.get());
    }
  }
  size_t given = *count;
  if (const cudaError_t error = give_list(starts, from, &given)) return error;
  if (from != nullptr) no_edge_data(data, given);
  return give_list(ends, to, count);
}

cudaError_t node_dependencies(Call& call, cudaGraphNode_t handle, cudaGraphNode_t* list,
                              cudaGraphEdgeData* data, size_t* count) {
  const GraphNode* node = call.runtime.graphs.find(handle);
  if (node == nullptr) return cudaErrorInvalidValue;
  const cudaError_t error = give_list(node->needs, list, count);
  if (error == cudaSuccess && list != nullptr) no_edge_data(data, *count);
  return error;
}

cudaError_t node_dependents(Call& call, cudaGraphNode_t handle, cudaGraphNode_t* list,
                            cudaGraphEdgeData* data, size_t* count) {
  GraphNode* node = call.runtime.graphs.find(handle);
  if (node == nullptr) return cudaErrorInvalidValue;
  std::vector<GraphNode*> dependents;
  for (const auto& other : node->graph->nodes) {
    if (std::find(other->needs.begin(), other->needs.end(), node) != other->needs.end()) {
      dependents.push_back(other.get());
    }
  }
  const cudaError_t error = give_list(dependents, list, count);
  if (error == cudaSuccess && list != nullptr) no_edge_data(data, *count);
  return error;
}

cudaError_t add_dependencies(Call& call, cudaGraph_t handle, const cudaGraphNode_t* from,
                             const cudaGraphNode_t* to, size_t count) {
  const Graph* graph = call.runtime.graphs.find(handle);
  if (graph == nullptr) return cudaErrorInvalidValue;
  if (count != 0 && (from == nullptr || to == nullptr)) return cudaErrorInvalidValue;
  for (size_t i = 0; i < count; ++i) {
    GraphNode* start = call.runtime.graphs.find(from[i]);
    GraphNode* end = call.runtime.graphs.find(to[i]);
    const bool inside =
        start != nullptr && end != nullptr && start->graph == graph && end->graph == graph;
    // A duplicate dependency is an error, and so is a cycle.
    if (!inside || reaches(*start, *end) ||
        std::find(end->needs.begin(), end->needs.end(), start) != end->needs.end()) {
      return cudaErrorInvalidValue;
    }
    end->needs.push_back(start);
  }
  return cudaSuccess;
}

cudaError_t remove_dependencies(Call& call, cudaGraph_t handle, const cudaGraphNode_t* from,
                                const cudaGraphNode_t* to, size_t count) {
  const Graph* graph = call.runtime.graphs.find(handle);
  if (graph == nullptr) return cudaErrorInvalidValue;
  if (count != 0 && (from == nullptr || to == nullptr)) return cudaErrorInvalidValue;
  if (count != 0 && has_memory_nodes(*graph)) return cudaErrorNotSupported;
  for (size_t i = 0; i < count; ++i) {
    GraphNode* start = call.runtime.graphs.find(from[i]);
    GraphNode* end = call.runtime.graphs.find(to[i]);
    if (start == nullptr || end == nullptr || std::erase(end->needs, start) == 0) {
      return cudaErrorInvalidValue;
    }
  }
  return cudaSuccess;
}

}  // namespace warpsim::cudart
