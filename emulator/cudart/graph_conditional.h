#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "emulator/cudart/graphs.h"
#include "emulator/machine/memory.h"

// Nodes whose bodies run, or repeat, as decided by kernels with cudaGraphSetConditional.

namespace warpsim::cudart {

/// The parameters of a conditional node.
struct Conditional {
  cudaGraphConditionalHandle handle = 0;
  cudaGraphConditionalNodeType type = cudaGraphCondTypeIf;
  std::vector<cudaGraph_t> bodies;
};

/// The handles of a process. A handle is the address of a word of device memory, which kernels set.
class Conditions {
 public:
  struct Condition {
    GlobalMemory::Allocation* word = nullptr;
    cudaGraph_t graph = nullptr;
    std::uint32_t value = 0;
    bool assigned_at_launch = false;
    bool used = false;  // a node has it
  };
  void add(const Condition& condition) { conditions_[condition.word->base] = condition; }
  /// Null for an invalid handle.
  [[nodiscard]] Condition* find(cudaGraphConditionalHandle handle);

 private:
  std::unordered_map<cudaGraphConditionalHandle, Condition> conditions_;
};

/// Creates the work of a conditional node and its empty bodies, and fills `parameters.phGraph_out`.
cudaError_t make_conditional(Call& call, cudaGraph_t graph, cudaConditionalNodeParams& parameters,
                             Work& work);
/// The operation that runs the bodies; null if one has nodes that bodies cannot have, or a cycle.
Operation conditional_run(const GraphTable& graphs, const Conditional& conditional);
/// The handles of a graph's conditional nodes, including those in bodies.
std::vector<cudaGraphConditionalHandle> conditions_of(const GraphTable& graphs, const Graph& graph);
/// Sets the handles of an executable's conditional nodes to their values at launch.
void prepare_conditions(Call& call, const Executable& executable);

}  // namespace warpsim::cudart
