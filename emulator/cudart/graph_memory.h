#pragma once

#include <map>
#include <memory>
#include <string_view>
#include <vector>

#include "emulator/cudart/call_site.h"
#include "emulator/cudart/graphs.h"
#include "emulator/machine/memory.h"

// Memory allocated and freed by running graphs.

namespace warpsim::cudart {

/// An allocation node: its address is fixed when the node is created, and memory exists from the
/// node's execution until it is freed: by a node of the same or another graph, by cudaFree or
/// cudaFreeAsync, or by the next launch of an executable instantiated with auto-free.
struct GraphAllocation {
  GlobalMemory::Allocation* memory = nullptr;  // marked as freed while not allocated
  const Graph* owner = nullptr;
  enum class FreedIn : std::uint8_t { nowhere, owner, elsewhere } freed_in = FreedIn::nowhere;
  std::string_view api;  // of the call that created the node, a literal
  Frames frames;
  cudaMemAllocNodeParams parameters = {};
};

/// Makes the work of a node that allocates, and fills `parameters->dptr`.
cudaError_t make_allocation(Call& call, const Graph& graph, cudaMemAllocNodeParams* parameters,
                            Work& work);
/// The same for cudaGraphAddNode, whose parameters have a different type.
cudaError_t add_allocation(Call& call, const Graph& graph, cudaMemAllocNodeParamsV2& parameters,
                           Work& work);
/// Makes the work of a node that frees.
cudaError_t make_free(Call& call, const Graph& graph, void* pointer, Work& work);

/// cudaMallocAsync and cudaFreeAsync in a stream that is being captured.
cudaError_t capture_allocation(Call& call, void** pointer, std::uint64_t size, cudaStream_t stream);
cudaError_t capture_free(Call& call, void* pointer, cudaStream_t stream);

/// True for a graph with nodes that allocate or free: it cannot be cloned, be another one's child,
/// lose nodes or edges, or be instantiated twice.
[[nodiscard]] bool has_memory_nodes(const Graph& graph);
/// False for these, and for graphs with conditional nodes.
[[nodiscard]] bool can_be_cloned(const Graph& graph);
/// Checks before a launch that an executable's allocations are not live.
cudaError_t prepare_memory(Call& call, const Executable& executable);

/// All allocations of graphs, by address.
class GraphMemory {
 public:
  GraphAllocation& add(GlobalMemory::Allocation& memory);
  /// Null if no node allocates it.
  [[nodiscard]] GraphAllocation* find(std::uint64_t address) const;
  /// Records an allocation; memory counts as reserved until it is trimmed, freed or not.
  void note_use();
  /// As measured on an H100, except that a card counts in units of 32 MiB.
  cudaError_t read(cudaGraphMemAttributeType attribute, std::uint64_t& value) const;
  cudaError_t clear(cudaGraphMemAttributeType attribute);
  void trim();

 private:
  std::map<std::uint64_t, std::unique_ptr<GraphAllocation>> allocations_;
  std::uint64_t kept_ = 0;  // memory that a card keeps for the next launch until it is trimmed
  std::uint64_t most_used_ = 0;
  std::uint64_t most_kept_ = 0;
};

}  // namespace warpsim::cudart
