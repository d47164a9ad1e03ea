#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <variant>
#include <vector>

// Work for the device as data: a stream runs it at once, a graph node stores it.

namespace warpsim::cudart {

/// Runs a piece of work. It owns everything it needs, because a graph may run it later.
using Operation = std::function<cudaError_t()>;

/// A copy of a launch's arguments, for graphs, which run after the caller's are gone.
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

/// The parameters of a kernel node; `parameters.kernelParams` points into `arguments`.
struct KernelNode {
  cudaKernelNodeParams parameters = {};
  std::shared_ptr<OwnedArguments> arguments;
  bool cooperative = false;
  std::map<cudaLaunchAttributeID, cudaLaunchAttributeValue> hints;  // kept, without effect
};

struct GraphAllocation;
struct Conditional;

/// The parameters of a node that frees memory.
struct FreeNode {
  GraphAllocation* allocation = nullptr;
};

/// The parameters that a node returns. None for captured copies and memsets, which cannot be
/// queried.
using NodeParameters = std::variant<std::monostate, KernelNode, cudaMemcpy3DParms, cudaMemsetParams,
                                    cudaHostNodeParams, cudaEvent_t, cudaGraph_t, GraphAllocation*,
                                    FreeNode, std::shared_ptr<Conditional>>;

struct Work {
  cudaGraphNodeType type = cudaGraphNodeTypeEmpty;
  Operation run;  // null: nothing to do
  /// Further devices in whose legacy default streams it is, too.
  std::vector<int> also_on = {};
  NodeParameters parameters = {};
  /// It has a kernel whose threads may wait for a change of memory by somebody else.
  bool may_wait = false;
};

}  // namespace warpsim::cudart
