#include "emulator/cudart/graph_conditional.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>

#include "emulator/checkers/host_findings.h"
#include "emulator/cudart/call_record.h"
#include "emulator/cudart/graph_edit.h"

namespace warpsim::cudart {
namespace {

/// A loop with more iterations counts as endless.
constexpr std::uint64_t kMostRounds = 1'000'000;

std::uint32_t value_of(Runtime& runtime, cudaGraphConditionalHandle handle) {
  const Conditions::Condition* condition = runtime.conditions.find(handle);
  if (condition == nullptr) return 0;
  auto& word = *reinterpret_cast<std::uint32_t*>(condition->word->host);
  // It decides which work is recorded.
  if (CallRecord* const record = runtime.recording()) record->host_learns(sizeof word);
  return std::atomic_ref(word).load(std::memory_order_relaxed);
}

cudaError_t run_bodies(cudaGraphConditionalHandle handle, cudaGraphConditionalNodeType type,
                       const std::vector<Executable>& bodies) {
  Runtime& runtime = Runtime::get();
  if (type == cudaGraphCondTypeWhile) {
    // A fault in the body is returned by a later call, as for any kernel.
    for (std::uint64_t round = 0; value_of(runtime, handle) != 0 && !runtime.errors.faulted();
         ++round) {
      if (round == kMostRounds) {
        runtime.report(endless_graph_loop(kMostRounds));
        runtime.errors.set_fault(cudaErrorLaunchTimeout);
        return cudaSuccess;
      }
      if (const cudaError_t error = bodies[0].run()) return error;
    }
    return cudaSuccess;
  }
  const std::uint32_t value = value_of(runtime, handle);
  const std::size_t index = type == cudaGraphCondTypeIf ? (value != 0 ? 0 : 1) : value;
  return index < bodies.size() ? bodies[index].run() : cudaSuccess;
}

bool may_be_in_body(cudaGraphNodeType type) {
  switch (type) {
    case cudaGraphNodeTypeKernel:
    case cudaGraphNodeTypeEmpty:
    case cudaGraphNodeTypeGraph:
    case cudaGraphNodeTypeMemset:
    case cudaGraphNodeTypeMemcpy:
    case cudaGraphNodeTypeConditional:
      return true;
    default:
      return false;
  }
}

bool is_body(const GraphTable& graphs, const Graph& graph) {
  return std::ranges::all_of(graph.nodes, [&](const auto& node) {
    if (!may_be_in_body(node->work.type)) return false;
    const auto* child = std::get_if<cudaGraph_t>(&node->work.parameters);
    return child == nullptr || is_body(graphs, *graphs.find(*child));
  });
}

bool fits(const cudaConditionalNodeParams& p) {
  switch (p.type) {
    case cudaGraphCondTypeIf:
      return p.size == 1 || p.size == 2;
    case cudaGraphCondTypeWhile:
      return p.size == 1;
    case cudaGraphCondTypeSwitch:
      return p.size > 0;
  }
  return false;
}

cudaError_t make_handle(Call& call, cudaGraphConditionalHandle* handle, cudaGraph_t graph,
                        unsigned value, unsigned flags) {
  Runtime& runtime = call.runtime;
  if (handle == nullptr || runtime.graphs.find(graph) == nullptr) return cudaErrorInvalidValue;
  if ((flags & ~unsigned{cudaGraphCondAssignDefault}) != 0) return cudaErrorInvalidValue;
  GlobalMemory::Allocation* word =
      runtime.memory.allocate(sizeof(std::uint32_t), GlobalMemory::Kind::device,
                              "a cudaGraphConditionalHandle", current_device());
  if (word == nullptr) return cudaErrorMemoryAllocation;
  word->module_owned = word->graph_condition = word->all_written = true;
  *reinterpret_cast<std::uint32_t*>(word->host) = value;
  runtime.conditions.add({.word = word,
                          .graph = graph,
                          .value = value,
                          .assigned_at_launch = (flags & cudaGraphCondAssignDefault) != 0,
                          .used = false});
  *handle = word->base;
  return cudaSuccess;
}

}  // namespace

Conditions::Condition* Conditions::find(cudaGraphConditionalHandle handle) {
  const auto found = conditions_.find(handle);
  return found == conditions_.end() ? nullptr : &found->second;
}

cudaError_t make_conditional(Call& call, cudaGraph_t graph, cudaConditionalNodeParams& parameters,
                             Work& work) {
  Conditions::Condition* condition = call.runtime.conditions.find(parameters.handle);
  if (condition == nullptr || condition->graph != graph || condition->used || !fits(parameters)) {
    return cudaErrorInvalidValue;
  }
  condition->used = true;
  auto made = std::make_shared<Conditional>();
  made->handle = parameters.handle;
  made->type = parameters.type;
  for (unsigned i = 0; i < parameters.size; ++i) {
    Graph& body = call.runtime.graphs.add();
    body.owned_by_node = true;
    made->bodies.push_back(body.handle());
  }
  parameters.phGraph_out = made->bodies.data();
  work = {.type = cudaGraphNodeTypeConditional, .run = nullptr, .parameters = std::move(made)};
  return cudaSuccess;
}

Operation conditional_run(const GraphTable& graphs, const Conditional& conditional) {
  std::vector<Executable> bodies;
  for (const cudaGraph_t handle : conditional.bodies) {
    const Graph& body = *graphs.find(handle);
    if (!is_body(graphs, body)) return nullptr;
    auto steps = graphs.order(body);
    if (!steps) return nullptr;
    bodies.push_back({.steps = std::move(*steps)});
  }
  return [handle = conditional.handle, type = conditional.type, bodies = std::move(bodies)] {
    return run_bodies(handle, type, bodies);
  };
}

void prepare_conditions(Call& call, const Executable& executable) {
  for (const cudaGraphConditionalHandle handle : executable.conditions) {
    const Conditions::Condition* condition = call.runtime.conditions.find(handle);
    if (condition == nullptr || !condition->assigned_at_launch) continue;
    *reinterpret_cast<std::uint32_t*>(condition->word->host) = condition->value;
  }
}

std::vector<cudaGraphConditionalHandle> conditions_of(const GraphTable& graphs,
                                                      const Graph& graph) {
  std::vector<cudaGraphConditionalHandle> all;
  for (const auto& node : graph.nodes) {
    const auto* conditional = std::get_if<std::shared_ptr<Conditional>>(&node->work.parameters);
    if (conditional == nullptr) continue;
    all.push_back((*conditional)->handle);
    for (const cudaGraph_t body : (*conditional)->bodies) {
      const auto inner = conditions_of(graphs, *graphs.find(body));
      all.insert(all.end(), inner.begin(), inner.end());
    }
  }
  return all;
}

}  // namespace warpsim::cudart

using namespace warpsim::cudart;

extern "C" {

cudaError_t cudaGraphConditionalHandleCreate(cudaGraphConditionalHandle* handle, cudaGraph_t graph,
                                             unsigned value, unsigned flags) {
  return api(__func__, [&](Call& call) { return make_handle(call, handle, graph, value, flags); });
}

}  // extern "C"
