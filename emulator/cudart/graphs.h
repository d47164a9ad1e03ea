#pragma once

#include <cuda_runtime_api.h>

#include <memory>
#include <unordered_map>
#include <vector>

#include "emulator/cudart/streams.h"

namespace warpsim::cudart {

/// A captured graph, and what instantiating it makes: the same list of work. Only capture builds
/// graphs so far; node by node construction is not supported.
struct Graph {
  std::vector<Operation> operations;
};

class GraphTable {
 public:
  cudaGraph_t add(Graph graph);
  bool destroy(cudaGraph_t handle) { return graphs_.erase(handle) == 1; }
  [[nodiscard]] const Graph* find(cudaGraph_t handle) const;

  cudaGraphExec_t instantiate(const Graph& graph);
  bool destroy(cudaGraphExec_t handle) { return executables_.erase(handle) == 1; }
  [[nodiscard]] const Graph* find(cudaGraphExec_t handle) const;

 private:
  std::unordered_map<cudaGraph_t, std::unique_ptr<Graph>> graphs_;
  std::unordered_map<cudaGraphExec_t, std::unique_ptr<Graph>> executables_;
};

}  // namespace warpsim::cudart
