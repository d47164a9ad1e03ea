#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <variant>
#include <vector>

// Work for the device as data: what a stream runs at once, and what a node of a graph keeps.

namespace warpsim::cudart {

/// Runs a piece of work. It owns everything it needs, as it may run when a graph is launched.
using Operation = std::function<cudaError_t()>;

/// A launch's arguments, copied: those that a graph replays after the caller's are gone.
class OwnedArguments {
 public:
  template <class Sizes>
  OwnedArguments(const Sizes& sizes, void** arguments) {
    for (std::size_t i = 0; i < sizes.size(); ++i) {
      const auto* bytes = static_cast<const std::byte*>(arguments[i]);
      values_.emplace_back(bytes, bytes + sizes[i]);
    }
    for (auto& value : values_) pointers_.push_back(value.data());
  }
  [[nodiscard]] void** get() { return pointers_.data(); }

 private:
  std::vector<std::vector<std::byte>> values_;
  std::vector<void*> pointers_;
};

/// What a kernel node was made of; `parameters.kernelParams` points into `arguments`.
struct KernelNode {
  cudaKernelNodeParams parameters = {};
  std::shared_ptr<OwnedArguments> arguments;
  bool cooperative = false;
  std::map<cudaLaunchAttributeID, cudaLaunchAttributeValue> hints;  // kept, without effect
};

struct GraphAllocation;
struct Conditional;

/// What a node that frees memory was made of.
struct FreeNode {
  GraphAllocation* allocation = nullptr;
};

/// What the calls that ask for a node's parameters give back. Nothing for captured copies and
/// memsets, whose nodes cannot be asked.
using NodeParameters = std::variant<std::monostate, KernelNode, cudaMemcpy3DParms, cudaMemsetParams,
                                    cudaHostNodeParams, cudaEvent_t, cudaGraph_t, GraphAllocation*,
                                    FreeNode, std::shared_ptr<Conditional>>;

struct Work {
  cudaGraphNodeType type = cudaGraphNodeTypeEmpty;
  Operation run;  // null: nothing to do
  NodeParameters parameters = {};
};

}  // namespace warpsim::cudart
