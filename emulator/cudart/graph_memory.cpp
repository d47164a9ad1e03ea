#include "emulator/cudart/graph_memory.h"

#include <algorithm>

#include "emulator/checkers/host_findings.h"
#include "emulator/cudart/graph_edit.h"

namespace warpsim::cudart {
namespace {

/// Uses of the memory are ordered after its allocation and before its free.
void take_turn(Runtime& runtime, const GraphAllocation& allocation, std::string_view api,
               const Frames& frames) {
  const GlobalMemory::Allocation& memory = *allocation.memory;
  const MemoryUse all = {.begin = memory.base,
                         .end = memory.base + memory.size,
                         .how = MemoryUse::kWritten | MemoryUse::kPlain};
  runtime.note_uses({all}, {.what = std::string(api), .api = api, .frames = frames});
}

cudaError_t allocate(Runtime& runtime, GraphAllocation& allocation) {
  GlobalMemory::Allocation& memory = *allocation.memory;
  if (!memory.freed) return cudaErrorInvalidValue;
  if (!runtime.memory.bring_back(memory)) return cudaErrorMemoryAllocation;
  runtime.allocations.remember(memory.base, allocation.api, allocation.frames);
  take_turn(runtime, allocation, allocation.api, allocation.frames);
  runtime.graph_memory.note_use();
  return cudaSuccess;
}

void release(Runtime& runtime, GraphAllocation& allocation, std::string freed_by) {
  const GlobalMemory::Allocation& memory = *allocation.memory;
  runtime.stream_races.forget(memory.base, memory.base + memory.size);
  runtime.allocations.forget(memory.base);
  (void)runtime.memory.free(memory.base, std::move(freed_by));
}

cudaError_t run_free(Runtime& runtime, GraphAllocation& allocation, std::string_view api,
                     const Frames& frames) {
  const CallSite site = resolve(api, frames);
  if (allocation.memory->freed) {
    runtime.report(double_free(site, *allocation.memory));
    return cudaErrorInvalidValue;
  }
  take_turn(runtime, allocation, api, frames);
  release(runtime, allocation, describe(site));
  return cudaSuccess;
}

bool frees(const Graph& graph, const GraphAllocation& allocation) {
  return std::ranges::any_of(graph.nodes, [&](const auto& node) {
    const auto* free = std::get_if<FreeNode>(&node->work.parameters);
    return free != nullptr && free->allocation == &allocation;
  });
}

cudaError_t check(const Call& call, const cudaMemAllocNodeParams& p) {
  if (p.bytesize == 0) return cudaErrorInvalidValue;
  if (p.poolProps.allocType != cudaMemAllocationTypePinned) return cudaErrorInvalidValue;
  if (p.poolProps.handleTypes != cudaMemHandleTypeNone) return cudaErrorNotSupported;
  if (p.poolProps.location.type != cudaMemLocationTypeDevice) return cudaErrorNotSupported;
  if (!call.runtime.has_device(p.poolProps.location.id)) return cudaErrorInvalidValue;
  if (p.accessDescCount != 0 && p.accessDescs == nullptr) return cudaErrorInvalidValue;
  for (std::size_t i = 0; i < p.accessDescCount; ++i) {
    if (!call.runtime.has_device(p.accessDescs[i].location.id)) return cudaErrorInvalidValue;
  }
  return cudaSuccess;
}

/// The devices that may use the node's memory beside its own.
std::shared_ptr<const std::uint32_t> access_of(const cudaMemAllocNodeParams& p) {
  std::uint32_t access = 0;
  for (std::size_t i = 0; i < p.accessDescCount; ++i) access |= 1u << p.accessDescs[i].location.id;
  return std::make_shared<const std::uint32_t>(access);
}

}  // namespace

GraphAllocation& GraphMemory::add(GlobalMemory::Allocation& memory) {
  auto& slot = allocations_[memory.base];
  slot = std::make_unique<GraphAllocation>();
  slot->memory = &memory;
  return *slot;
}

GraphAllocation* GraphMemory::find(std::uint64_t address) const {
  const auto found = allocations_.find(address);
  return found == allocations_.end() ? nullptr : found->second.get();
}

void GraphMemory::note_use() {
  std::uint64_t sum = 0;
  for (const auto& [base, allocation] : allocations_) {
    if (!allocation->memory->freed) sum += allocation->memory->size;
  }
  kept_ = std::max(kept_, sum);
  most_used_ = std::max(most_used_, kept_);
  most_kept_ = std::max(most_kept_, kept_);
}

cudaError_t GraphMemory::read(cudaGraphMemAttributeType attribute, std::uint64_t& value) const {
  switch (attribute) {
    case cudaGraphMemAttrUsedMemCurrent:
    case cudaGraphMemAttrReservedMemCurrent:
      value = kept_;
      return cudaSuccess;
    case cudaGraphMemAttrUsedMemHigh:
      value = most_used_;
      return cudaSuccess;
    case cudaGraphMemAttrReservedMemHigh:
      value = most_kept_;
      return cudaSuccess;
  }
  return cudaErrorInvalidValue;
}

cudaError_t GraphMemory::clear(cudaGraphMemAttributeType attribute) {
  if (attribute == cudaGraphMemAttrUsedMemHigh) {
    most_used_ = 0;
  } else if (attribute == cudaGraphMemAttrReservedMemHigh) {
    most_kept_ = 0;
  } else {
    return cudaErrorInvalidValue;
  }
  note_use();
  return cudaSuccess;
}

void GraphMemory::trim() {
  kept_ = 0;
  note_use();
}

cudaError_t make_allocation(Call& call, const Graph& graph, cudaMemAllocNodeParams* parameters,
                            Work& work) {
  if (parameters == nullptr) return cudaErrorInvalidValue;
  if (const cudaError_t error = check(call, *parameters)) return error;
  Runtime& runtime = call.runtime;
  GlobalMemory::Allocation* memory = runtime.allocations.reserve(
      runtime.memory, parameters->bytesize, parameters->poolProps.location.id, call.name);
  if (memory == nullptr) return cudaErrorMemoryAllocation;
  memory->pool_access = access_of(*parameters);
  GraphAllocation& allocation = runtime.graph_memory.add(*memory);
  allocation.owner = &graph;
  allocation.api = call.name;
  allocation.frames = call.frames();
  parameters->dptr = reinterpret_cast<void*>(memory->base);
  allocation.parameters = *parameters;
  // The caller's list may be gone when it is queried.
  allocation.parameters.accessDescs = nullptr;
  allocation.parameters.accessDescCount = 0;
  work = {.type = cudaGraphNodeTypeMemAlloc,
          .run = [&runtime, &allocation] { return allocate(runtime, allocation); },
          .parameters = &allocation};
  return cudaSuccess;
}

cudaError_t add_allocation(Call& call, const Graph& graph, cudaMemAllocNodeParamsV2& parameters,
                           Work& work) {
  cudaMemAllocNodeParams same = {.poolProps = parameters.poolProps,
                                 .accessDescs = parameters.accessDescs,
                                 .accessDescCount = parameters.accessDescCount,
                                 .bytesize = parameters.bytesize,
                                 .dptr = nullptr};
  const cudaError_t error = make_allocation(call, graph, &same, work);
  parameters.dptr = same.dptr;
  return error;
}

cudaError_t make_free(Call& call, const Graph& graph, void* pointer, Work& work) {
  using FreedIn = GraphAllocation::FreedIn;
  Runtime& runtime = call.runtime;
  GraphAllocation* allocation = runtime.graph_memory.find(reinterpret_cast<std::uint64_t>(pointer));
  if (allocation == nullptr || frees(graph, *allocation)) return cudaErrorInvalidValue;
  const FreedIn here = allocation->owner == &graph ? FreedIn::owner : FreedIn::elsewhere;
  if (allocation->freed_in != FreedIn::nowhere && allocation->freed_in != here) {
    return cudaErrorInvalidValue;
  }
  allocation->freed_in = here;
  work = {.type = cudaGraphNodeTypeMemFree,
          .run = [&runtime, allocation, api = std::string_view(call.name),
                  frames = call.frames()] { return run_free(runtime, *allocation, api, frames); },
          .parameters = FreeNode{allocation}};
  return cudaSuccess;
}

cudaError_t capture_allocation(Call& call, void** pointer, std::uint64_t size,
                               cudaStream_t stream) {
  if (pointer == nullptr) return cudaErrorInvalidValue;
  *pointer = nullptr;
  if (size == 0) return cudaSuccess;
  cudaMemAllocNodeParams parameters = {};
  parameters.poolProps.allocType = cudaMemAllocationTypePinned;
  parameters.poolProps.location = {.type = cudaMemLocationTypeDevice,
                                   .id = call.runtime.device_of(stream)};
  parameters.bytesize = size;
  Work work;
  const Graph& graph = *call.runtime.streams.find(stream)->capture->graph;
  if (const cudaError_t error = make_allocation(call, graph, &parameters, work)) return error;
  if (const cudaError_t error = call.runtime.streams.submit(stream, std::move(work))) return error;
  *pointer = parameters.dptr;
  return cudaSuccess;
}

cudaError_t capture_free(Call& call, void* pointer, cudaStream_t stream) {
  if (pointer == nullptr) return cudaSuccess;
  Work work;
  const Graph& graph = *call.runtime.streams.find(stream)->capture->graph;
  if (const cudaError_t error = make_free(call, graph, pointer, work)) return error;
  return call.runtime.streams.submit(stream, std::move(work));
}

bool has_memory_nodes(const Graph& graph) {
  return std::ranges::any_of(graph.nodes, [](const auto& node) {
    return node->work.type == cudaGraphNodeTypeMemAlloc ||
           node->work.type == cudaGraphNodeTypeMemFree;
  });
}

bool can_be_cloned(const Graph& graph) {
  return !has_memory_nodes(graph) && std::ranges::none_of(graph.nodes, [](const auto& node) {
    return node->work.type == cudaGraphNodeTypeConditional;
  });
}

cudaError_t prepare_memory(Call& call, const Executable& executable) {
  for (const Executable::Step& step : executable.steps) {
    const auto* allocation = std::get_if<GraphAllocation*>(&step.work.parameters);
    if (allocation == nullptr || (*allocation)->memory->freed) continue;
    if ((executable.flags & cudaGraphInstantiateFlagAutoFreeOnLaunch) == 0) {
      return cudaErrorInvalidValue;
    }
    release(call.runtime, **allocation, describe(call.site()));
  }
  return cudaSuccess;
}

}  // namespace warpsim::cudart

using namespace warpsim::cudart;

extern "C" {

cudaError_t cudaGraphAddMemAllocNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                     const cudaGraphNode_t* needs, size_t count,
                                     cudaMemAllocNodeParams* parameters) {
  return api(__func__, [&](Call& call) {
    return add_made(call, node, graph, needs, count, [&](Work& work) {
      return make_allocation(call, *call.runtime.graphs.find(graph), parameters, work);
    });
  });
}

cudaError_t cudaGraphAddMemFreeNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                    const cudaGraphNode_t* needs, size_t count, void* pointer) {
  return api(__func__, [&](Call& call) {
    return add_made(call, node, graph, needs, count, [&](Work& work) {
      return make_free(call, *call.runtime.graphs.find(graph), pointer, work);
    });
  });
}

cudaError_t cudaGraphMemAllocNodeGetParams(cudaGraphNode_t handle,
                                           cudaMemAllocNodeParams* parameters) {
  return api(__func__, [&](Call& call) {
    const GraphNode* node = call.runtime.graphs.find(handle);
    if (node == nullptr || parameters == nullptr) return cudaErrorInvalidValue;
    const auto* allocation = std::get_if<GraphAllocation*>(&node->work.parameters);
    if (allocation == nullptr) return cudaErrorInvalidValue;
    *parameters = (*allocation)->parameters;
    return cudaSuccess;
  });
}

cudaError_t cudaGraphMemFreeNodeGetParams(cudaGraphNode_t handle, void* pointer) {
  return api(__func__, [&](Call& call) {
    const GraphNode* node = call.runtime.graphs.find(handle);
    if (node == nullptr || pointer == nullptr) return cudaErrorInvalidValue;
    const auto* free = std::get_if<FreeNode>(&node->work.parameters);
    if (free == nullptr) return cudaErrorInvalidValue;
    *static_cast<void**>(pointer) = free->allocation->parameters.dptr;
    return cudaSuccess;
  });
}

cudaError_t cudaDeviceGraphMemTrim(int device) {
  return api(__func__, [&](Call& call) {
    if (!call.runtime.has_device(device)) return cudaErrorInvalidDevice;
    call.runtime.graph_memory.trim();
    return cudaSuccess;
  });
}

cudaError_t cudaDeviceGetGraphMemAttribute(int device, cudaGraphMemAttributeType attribute,
                                           void* value) {
  return api(__func__, [&](Call& call) {
    if (!call.runtime.has_device(device)) return cudaErrorInvalidDevice;
    if (value == nullptr) return cudaErrorInvalidValue;
    return call.runtime.graph_memory.read(attribute, *static_cast<std::uint64_t*>(value));
  });
}

/// A high-water mark can only be set to 0.
cudaError_t cudaDeviceSetGraphMemAttribute(int device, cudaGraphMemAttributeType attribute,
                                           void* value) {
  return api(__func__, [&](Call& call) {
    if (!call.runtime.has_device(device)) return cudaErrorInvalidDevice;
    if (value == nullptr || *static_cast<const std::uint64_t*>(value) != 0) {
      return cudaErrorInvalidValue;
    }
    return call.runtime.graph_memory.clear(attribute);
  });
}

}  // extern "C"
