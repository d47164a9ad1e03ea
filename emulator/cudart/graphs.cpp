#include "emulator/cudart/graphs.h"

#include <algorithm>
#include <map>

#include "emulator/cudart/api.h"
#include "emulator/cudart/graph_conditional.h"
#include "emulator/cudart/graph_memory.h"

namespace warpsim::cudart {
namespace {

std::uint64_t next_node_id = 1;  // under the runtime's lock, like all of this

/// The graphs owned by a node.
std::vector<cudaGraph_t> owned_by(const GraphNode& node) {
  if (const auto* child = std::get_if<cudaGraph_t>(&node.work.parameters)) return {*child};
  const auto* conditional = std::get_if<std::shared_ptr<Conditional>>(&node.work.parameters);
  return conditional == nullptr ? std::vector<cudaGraph_t>() : (*conditional)->bodies;
}

}  // namespace

GraphNode& Graph::add(Work work, std::span<GraphNode* const> needs) {
  nodes.push_back(std::make_unique<GraphNode>());
  GraphNode& node = *nodes.back();
  node.graph = this;
  node.work = std::move(work);
  node.id = next_node_id++;
  for (GraphNode* before : needs) {
    if (std::find(node.needs.begin(), node.needs.end(), before) == node.needs.end()) {
      node.needs.push_back(before);
    }
  }
  return node;
}

Executable::Step* Executable::find(std::uint64_t node) {
  const auto found =
      std::find_if(steps.begin(), steps.end(), [&](const Step& step) { return step.node == node; });
  return found == steps.end() ? nullptr : &*found;
}

namespace {

/// For a recording: tells the operations of each node for which others they wait.
class NodeOrigins {
 public:
  explicit NodeOrigins(ModelledTime& time) : time_(time) {
    if (time_.origins() != nullptr) roots_ = time_.origins()->take_next_after();
  }
  void begin(const std::vector<std::size_t>& needs) {
    if (time_.origins() == nullptr) return;
    now_ = needs.empty() ? roots_ : std::vector<std::size_t>();
    for (const std::size_t node : needs) {
      now_.insert(now_.end(), last_[node].begin(), last_[node].end());
    }
    first_ = time_.timeline().operations().size();
    time_.origins()->next_after(now_);
  }
  void end() {
    if (time_.origins() == nullptr) return;
    (void)time_.origins()->take_next_after();
    const std::size_t count = time_.timeline().operations().size();
    last_.push_back(count > first_ ? std::vector{count - 1} : now_);
  }

 private:
  ModelledTime& time_;
  std::vector<std::size_t> roots_;  // the whole graph waits for these, as a node of another one
  std::vector<std::vector<std::size_t>> last_;  // by node: operations at its end
  std::vector<std::size_t> now_;
  std::size_t first_ = 0;
};

}  // namespace

cudaError_t Executable::run() const {
  Runtime& runtime = Runtime::get();
  const double begin = runtime.streams.running().done.ms;
  double end = begin;
  std::vector<double> ends;
  runtime.time.graph_begins();
  cudaError_t error = cudaSuccess;
  NodeOrigins origins(runtime.time);
  for (const Step& step : steps) {
    double ready = begin;
    for (const std::size_t before : step.needs) ready = std::max(ready, ends[before]);
    runtime.streams.running_until(ready);
    origins.begin(step.needs);
    if (step.enabled && step.work.run) error = step.work.run();
    if (error != cudaSuccess) break;
    origins.end();
    ends.push_back(runtime.streams.running().done.ms);
    end = std::max(end, ends.back());
  }
  runtime.time.graph_ends();
  runtime.streams.running_until(end);
  return error;
}

Graph& GraphTable::add() {
  auto owned = std::make_unique<Graph>();
  Graph& graph = *owned;
  graphs_[graph.handle()] = std::move(owned);
  return graph;
}

Graph& GraphTable::clone(const Graph& graph) {
  Graph& copy = add();
  std::map<const GraphNode*, GraphNode*> twin;
  for (const auto& node : graph.nodes) {
    GraphNode& made = copy.add(node->work, {});
    made.cloned_from = node->id;
    twin[node.get()] = &made;
    if (const auto* child = std::get_if<cudaGraph_t>(&node->work.parameters)) {
      Graph& inner = clone(*find(*child));
      inner.owned_by_node = true;
      made.work.parameters = inner.handle();
    }
  }
  for (const auto& node : graph.nodes) {
    for (const GraphNode* before : node->needs) {
      twin[node.get()]->needs.push_back(twin.at(before));
    }
  }
  return copy;
}

void GraphTable::release_children(const Graph& graph) {
  for (const auto& node : graph.nodes) {
    for (const cudaGraph_t child : owned_by(*node)) {
      if (Graph* inner = find(child)) inner->owned_by_node = false;
      destroy(child);
    }
  }
}

bool GraphTable::destroy(cudaGraph_t handle) {
  const Graph* graph = find(handle);
  if (graph == nullptr || graph->owned_by_node) return false;
  release_children(*graph);
  return graphs_.erase(handle) == 1;
}

Graph* GraphTable::find(cudaGraph_t handle) const {
  const auto found = graphs_.find(handle);
  return found == graphs_.end() ? nullptr : found->second.get();
}

GraphNode* GraphTable::find(cudaGraphNode_t handle) const {
  for (const auto& [key, graph] : graphs_) {
    for (const auto& node : graph->nodes) {
      if (node->handle() == handle) return node.get();
    }
  }
  return nullptr;
}

void GraphTable::destroy_node(GraphNode& node) {
  Graph& graph = *node.graph;
  for (const auto& other : graph.nodes) std::erase(other->needs, &node);
  for (const cudaGraph_t child : owned_by(node)) {
    if (Graph* inner = find(child)) inner->owned_by_node = false;
    destroy(child);
  }
  std::erase_if(graph.nodes, [&](const auto& owned) { return owned.get() == &node; });
}

std::optional<std::vector<Executable::Step>> GraphTable::order(const Graph& graph) const {
  std::vector<Executable::Step> steps;
  std::map<const GraphNode*, std::size_t> index;  // of a node's step
  while (steps.size() < graph.nodes.size()) {
    const auto ready = [&](const auto& node) {
      return !index.contains(node.get()) &&
             std::all_of(node->needs.begin(), node->needs.end(),
                         [&](const GraphNode* before) { return index.contains(before); });
    };
    const auto next = std::find_if(graph.nodes.begin(), graph.nodes.end(), ready);
    if (next == graph.nodes.end()) return std::nullopt;
    Executable::Step step{.work = (*next)->work, .node = (*next)->id};
    for (const GraphNode* before : (*next)->needs) step.needs.push_back(index.at(before));
    index.emplace(next->get(), steps.size());
    if (const auto* child = std::get_if<cudaGraph_t>(&step.work.parameters)) {
      auto inner = order(*find(*child));
      if (!inner) return std::nullopt;
      step.work.run = [part = Executable{.steps = std::move(*inner)}] { return part.run(); };
    }
    if (const auto* node = std::get_if<std::shared_ptr<Conditional>>(&step.work.parameters)) {
      step.work.run = conditional_run(*this, **node);
      if (!step.work.run) return std::nullopt;
    }
    steps.push_back(std::move(step));
  }
  return steps;
}

bool GraphTable::instantiated(std::uint64_t node) const {
  return std::any_of(executables_.begin(), executables_.end(),
                     [&](const auto& entry) { return entry.second->find(node) != nullptr; });
}

cudaGraphExec_t GraphTable::add(Executable executable) {
  auto owned = std::make_unique<Executable>(std::move(executable));
  auto* handle = reinterpret_cast<cudaGraphExec_t>(owned.get());
  executables_[handle] = std::move(owned);
  return handle;
}

Executable* GraphTable::find(cudaGraphExec_t handle) const {
  const auto found = executables_.find(handle);
  return found == executables_.end() ? nullptr : found->second.get();
}

namespace {

constexpr unsigned long long kInstantiateFlags = cudaGraphInstantiateFlagAutoFreeOnLaunch |
                                                 cudaGraphInstantiateFlagUpload |
                                                 cudaGraphInstantiateFlagUseNodePriority;

cudaError_t instantiate(Call& call, cudaGraphExec_t* executable, cudaGraph_t handle,
                        unsigned long long flags) {
  const Graph* graph = call.runtime.graphs.find(handle);
  // Launching graphs from kernels (cudaGraphInstantiateFlagDeviceLaunch) is not supported.
  if (executable == nullptr || graph == nullptr || (flags & ~kInstantiateFlags) != 0) {
    return cudaErrorInvalidValue;
  }
  if (!can_be_cloned(*graph) && call.runtime.graphs.instantiated(graph->nodes.front()->id)) {
    return cudaErrorNotSupported;
  }
  auto steps = call.runtime.graphs.order(*graph);
  if (!steps) return cudaErrorInvalidValue;
  *executable = call.runtime.graphs.add({.steps = std::move(*steps),
                                         .flags = flags,
                                         .conditions = conditions_of(call.runtime.graphs, *graph)});
  return cudaSuccess;
}

/// True for steps that allocate, free or depend on conditions.
bool cannot_be_cloned(const Executable& executable) {
  return std::ranges::any_of(executable.steps, [](const Executable::Step& step) {
    return step.work.type == cudaGraphNodeTypeMemAlloc ||
           step.work.type == cudaGraphNodeTypeMemFree ||
           step.work.type == cudaGraphNodeTypeConditional;
  });
}

cudaError_t launch_graph(Call& call, cudaGraphExec_t handle, cudaStream_t stream) {
  const Executable* executable = call.runtime.graphs.find(handle);
  if (executable == nullptr) return cudaErrorInvalidValue;
  if (!call.runtime.streams.capturing(stream)) {
    if (call.runtime.streams.find(stream) == nullptr) return cudaErrorInvalidResourceHandle;
    if (const cudaError_t error = prepare_memory(call, *executable)) return error;
    prepare_conditions(call, *executable);
    return call.runtime.streams.submit(
        stream, {.run = [executable] { return executable->run(); },
                 .may_wait = std::ranges::any_of(
                     executable->steps, [](const auto& step) { return step.work.may_wait; })});
  }
  // A graph launched into a capture becomes part of the other graph.
  if (cannot_be_cloned(*executable)) return cudaErrorNotSupported;
  return call.runtime.streams.submit(
      stream, {.type = cudaGraphNodeTypeGraph, .run = [part = *executable] { return part.run(); }});
}

/// Whether the graph has the topology of the instantiated one.
cudaGraphExecUpdateResult compare(const Executable& executable,
                                  const std::vector<Executable::Step>& steps) {
  if (executable.steps.size() != steps.size()) return cudaGraphExecUpdateErrorTopologyChanged;
  for (std::size_t i = 0; i < steps.size(); ++i) {
    if (executable.steps[i].work.type != steps[i].work.type) {
      return cudaGraphExecUpdateErrorNodeTypeChanged;
    }
    // Another allocation has another address.
    const auto* before = std::get_if<GraphAllocation*>(&executable.steps[i].work.parameters);
    const auto* after = std::get_if<GraphAllocation*>(&steps[i].work.parameters);
    if (before != nullptr && after != nullptr && *before != *after) {
      return cudaGraphExecUpdateErrorParametersChanged;
    }
  }
  return cudaGraphExecUpdateSuccess;
}

cudaError_t update_executable(Call& call, cudaGraphExec_t handle, cudaGraph_t graph_handle,
                              cudaGraphExecUpdateResultInfo* info) {
  Executable* executable = call.runtime.graphs.find(handle);
  const Graph* graph = call.runtime.graphs.find(graph_handle);
  if (executable == nullptr || graph == nullptr) return cudaErrorInvalidValue;
  auto steps = call.runtime.graphs.order(*graph);
  const cudaGraphExecUpdateResult result =
      steps ? compare(*executable, *steps) : cudaGraphExecUpdateErrorTopologyChanged;
  if (info != nullptr) *info = {.result = result, .errorNode = nullptr, .errorFromNode = nullptr};
  if (result != cudaGraphExecUpdateSuccess) return cudaErrorGraphExecUpdateFailure;
  for (std::size_t i = 0; i < steps->size(); ++i) {
    executable->steps[i].work = std::move((*steps)[i].work);
  }
  executable->conditions = conditions_of(call.runtime.graphs, *graph);
  return cudaSuccess;
}

}  // namespace
}  // namespace warpsim::cudart

using namespace warpsim::cudart;

extern "C" {

cudaError_t cudaGraphCreate(cudaGraph_t* graph, unsigned flags) {
  return api(__func__, [&](Call& call) {
    if (graph == nullptr || flags != 0) return cudaErrorInvalidValue;
    *graph = call.runtime.graphs.add().handle();
    return cudaSuccess;
  });
}

cudaError_t cudaGraphDestroy(cudaGraph_t graph) {
  return api(__func__, [&](Call& call) {
    return call.runtime.graphs.destroy(graph) ? cudaSuccess : cudaErrorInvalidValue;
  });
}

cudaError_t cudaGraphClone(cudaGraph_t* clone, cudaGraph_t graph) {
  return api(__func__, [&](Call& call) {
    const Graph* original = call.runtime.graphs.find(graph);
    if (clone == nullptr || original == nullptr) return cudaErrorInvalidValue;
    if (!can_be_cloned(*original)) return cudaErrorNotSupported;
    *clone = call.runtime.graphs.clone(*original).handle();
    return cudaSuccess;
  });
}

cudaError_t cudaGraphInstantiate(cudaGraphExec_t* executable, cudaGraph_t graph,
                                 unsigned long long flags) {
  return api(__func__, [&](Call& call) { return instantiate(call, executable, graph, flags); });
}

cudaError_t cudaGraphInstantiateWithFlags(cudaGraphExec_t* executable, cudaGraph_t graph,
                                          unsigned long long flags) {
  return api(__func__, [&](Call& call) { return instantiate(call, executable, graph, flags); });
}

cudaError_t cudaGraphInstantiateWithParams(cudaGraphExec_t* executable, cudaGraph_t graph,
                                           cudaGraphInstantiateParams* parameters) {
  return api(__func__, [&](Call& call) {
    if (parameters == nullptr) return cudaErrorInvalidValue;
    const cudaError_t error = instantiate(call, executable, graph, parameters->flags);
    parameters->result_out =
        error == cudaSuccess ? cudaGraphInstantiateSuccess : cudaGraphInstantiateError;
    parameters->errNode_out = nullptr;
    return error;
  });
}

cudaError_t cudaGraphExecGetFlags(cudaGraphExec_t handle, unsigned long long* flags) {
  return api(__func__, [&](Call& call) {
    const Executable* executable = call.runtime.graphs.find(handle);
    if (executable == nullptr || flags == nullptr) return cudaErrorInvalidValue;
    *flags = executable->flags;
    return cudaSuccess;
  });
}

cudaError_t cudaGraphExecUpdate(cudaGraphExec_t executable, cudaGraph_t graph,
                                cudaGraphExecUpdateResultInfo* info) {
  return api(__func__,
             [&](Call& call) { return update_executable(call, executable, graph, info); });
}

cudaError_t cudaGraphExecDestroy(cudaGraphExec_t executable) {
  return api(__func__, [&](Call& call) {
    return call.runtime.graphs.destroy(executable) ? cudaSuccess : cudaErrorInvalidValue;
  });
}

cudaError_t cudaGraphUpload(cudaGraphExec_t executable, cudaStream_t stream) {
  return api(__func__, [&](Call& call) {
    if (call.runtime.streams.find(stream) == nullptr) return cudaErrorInvalidResourceHandle;
    return call.runtime.graphs.find(executable) == nullptr ? cudaErrorInvalidValue : cudaSuccess;
  });
}

cudaError_t cudaGraphLaunch(cudaGraphExec_t executable, cudaStream_t stream) {
  return api(__func__, [&](Call& call) { return launch_graph(call, executable, stream); });
}

}  // extern "C"

WARPSIM_TWIN(cudaGraphInstantiateWithParams, _ptsz)
WARPSIM_TWIN(cudaGraphUpload, _ptsz)
WARPSIM_TWIN(cudaGraphLaunch, _ptsz)
