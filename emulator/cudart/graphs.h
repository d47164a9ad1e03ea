#pragma once

#include <cuda_runtime_api.h>

#include <memory>
#include <optional>
#include <span>
#include <unordered_map>
#include <vector>

#include "emulator/cudart/work.h"

namespace warpsim::cudart {

struct Graph;

struct GraphNode {
  Graph* graph = nullptr;
  Work work;
  std::vector<GraphNode*> needs;  // dependencies, without duplicates
  std::uint64_t id = 0;  // never reused: executables refer to it
  std::uint64_t cloned_from = 0;  // id of the node that this is a clone of

  [[nodiscard]] cudaGraphNode_t handle() { return reinterpret_cast<cudaGraphNode_t>(this); }
};

/// Nodes in order of creation.
struct Graph {
  std::vector<std::unique_ptr<GraphNode>> nodes;
  bool owned_by_node = false;  // a child graph: its parent's node destroys it

  [[nodiscard]] cudaGraph_t handle() { return reinterpret_cast<cudaGraph_t>(this); }
  GraphNode& add(Work work, std::span<GraphNode* const> needs);
};

/// An instantiated graph: the work in topological order, the earliest created first.
struct Executable {
  struct Step {
    Work work;
    std::uint64_t node = 0;  // its id in the graph
    bool enabled = true;
    std::vector<std::size_t> needs = {};  // steps before it, by index
  };
  std::vector<Step> steps;
  unsigned long long flags = 0;
  std::vector<cudaGraphConditionalHandle> conditions = {};  // of its conditional nodes

  [[nodiscard]] Step* find(std::uint64_t node);
  cudaError_t run() const;
};

class GraphTable {
 public:
  Graph& add();
  Graph& clone(const Graph& graph);
  bool destroy(cudaGraph_t handle);
  /// Null for a bad handle, as in the other look-ups.
  [[nodiscard]] Graph* find(cudaGraph_t handle) const;
  [[nodiscard]] GraphNode* find(cudaGraphNode_t handle) const;
  void destroy_node(GraphNode& node);

  /// The steps of a graph; nothing if its dependencies have a cycle.
  [[nodiscard]] std::optional<std::vector<Executable::Step>> order(const Graph& graph) const;
  /// Whether there is an executable with this node of a graph.
  [[nodiscard]] bool instantiated(std::uint64_t node) const;
  cudaGraphExec_t add(Executable executable);
  bool destroy(cudaGraphExec_t handle) { return executables_.erase(handle) == 1; }
  [[nodiscard]] Executable* find(cudaGraphExec_t handle) const;

 private:
  void release_children(const Graph& graph);

  std::unordered_map<cudaGraph_t, std::unique_ptr<Graph>> graphs_;
  std::unordered_map<cudaGraphExec_t, std::unique_ptr<Executable>> executables_;
};

class Call;

// The calls whose exported form differs between CUDA 12 and 13: the latter have data for edges,
// which only kernels that start their successors early use; here work runs one after another.

cudaError_t graph_edges(Call& call, cudaGraph_t graph, cudaGraphNode_t* from, cudaGraphNode_t* to,
                        cudaGraphEdgeData* data, size_t* count);
cudaError_t node_dependencies(Call& call, cudaGraphNode_t node, cudaGraphNode_t* list,
                              cudaGraphEdgeData* data, size_t* count);
cudaError_t node_dependents(Call& call, cudaGraphNode_t node, cudaGraphNode_t* list,
                            cudaGraphEdgeData* data, size_t* count);
cudaError_t add_dependencies(Call& call, cudaGraph_t graph, const cudaGraphNode_t* from,
                             const cudaGraphNode_t* to, size_t count);
cudaError_t remove_dependencies(Call& call, cudaGraph_t graph, const cudaGraphNode_t* from,
                                const cudaGraphNode_t* to, size_t count);
cudaError_t add_node(Call& call, cudaGraphNode_t* node, cudaGraph_t graph,
                     const cudaGraphNode_t* needs, size_t count, cudaGraphNodeParams* parameters);

/// The outputs of cudaStreamGetCaptureInfo; null if not requested.
struct CaptureInfo {
  cudaStreamCaptureStatus* status = nullptr;
  unsigned long long* id = nullptr;
  cudaGraph_t* graph = nullptr;
  const cudaGraphNode_t** dependencies = nullptr;
  size_t* count = nullptr;
};
cudaError_t capture_info(Call& call, cudaStream_t stream, const CaptureInfo& info);
cudaError_t update_capture_dependencies(Call& call, cudaStream_t stream, cudaGraphNode_t* nodes,
                                        size_t count, unsigned flags);

}  // namespace warpsim::cudart
