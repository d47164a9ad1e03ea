#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <cstdint>
#include <vector>

#include "emulator/cudart/tests/device_buffer.h"
#include "emulator/cudart/tests/kernels.h"

// Memory that graphs allocate and free.

namespace {

cudaMemAllocNodeParams device_memory(std::size_t bytes) {
  cudaMemAllocNodeParams parameters = {};
  parameters.poolProps.allocType = cudaMemAllocationTypePinned;
  parameters.poolProps.location.type = cudaMemLocationTypeDevice;
  parameters.bytesize = bytes;
  return parameters;
}

struct GraphOwner {
  cudaGraph_t graph = nullptr;
  GraphOwner() { REQUIRE(cudaGraphCreate(&graph, 0) == cudaSuccess); }
  ~GraphOwner() { (void)cudaGraphDestroy(graph); }
  GraphOwner(const GraphOwner&) = delete;
  GraphOwner& operator=(const GraphOwner&) = delete;

  /// A node behind `after`, or at the start.
  cudaGraphNode_t allocate(std::size_t bytes, void*& pointer) {
    cudaGraphNode_t node = nullptr;
    cudaMemAllocNodeParams parameters = device_memory(bytes);
    REQUIRE(cudaGraphAddMemAllocNode(&node, graph, nullptr, 0, &parameters) == cudaSuccess);
    pointer = parameters.dptr;
    REQUIRE(pointer != nullptr);
    return node;
  }
  cudaGraphNode_t fill(cudaGraphNode_t after, void* out, int value, unsigned threads) {
    cudaGraphNode_t node = nullptr;
    void* arguments[2] = {&out, &value};
    cudaKernelNodeParams parameters = {};
    parameters.func = const_cast<void*>(fill_kernel());
    parameters.gridDim = {1, 1, 1};
    parameters.blockDim = {threads, 1, 1};
    parameters.kernelParams = arguments;
    REQUIRE(cudaGraphAddKernelNode(&node, graph, &after, 1, &parameters) == cudaSuccess);
    return node;
  }
  cudaGraphNode_t copy(cudaGraphNode_t after, void* to, const void* from, std::size_t bytes) {
    cudaGraphNode_t node = nullptr;
    REQUIRE(cudaGraphAddMemcpyNode1D(&node, graph, &after, 1, to, from, bytes, cudaMemcpyDefault) ==
            cudaSuccess);
    return node;
  }
};

struct ExecutableOwner {
  cudaGraphExec_t handle = nullptr;
  explicit ExecutableOwner(cudaGraph_t graph, unsigned flags = 0) {
    REQUIRE(cudaGraphInstantiate(&handle, graph, flags) == cudaSuccess);
  }
  ~ExecutableOwner() { (void)cudaGraphExecDestroy(handle); }
  ExecutableOwner(const ExecutableOwner&) = delete;
  ExecutableOwner& operator=(const ExecutableOwner&) = delete;
};

std::uint64_t attribute(cudaGraphMemAttributeType which) {
  std::uint64_t value = ~std::uint64_t{0};
  CHECK(cudaDeviceGetGraphMemAttribute(0, which, &value) == cudaSuccess);
  return value;
}

/// Bytes that graphs have allocated and nobody freed.
std::uint64_t live_bytes() {
  CHECK(cudaDeviceGraphMemTrim(0) == cudaSuccess);
  return attribute(cudaGraphMemAttrUsedMemCurrent);
}

}  // namespace

TEST_CASE("a graph allocates, uses and frees memory in every launch", "[cudart][graph]") {
  GraphOwner owner;
  DeviceBuffer<int> out(std::vector<int>(32, -1));
  void* pointer = nullptr;
  const cudaGraphNode_t allocation = owner.allocate(128, pointer);
  const cudaGraphNode_t kernel = owner.fill(allocation, pointer, 7, 32);
  const cudaGraphNode_t copy = owner.copy(kernel, out.get(), pointer, 128);
  cudaGraphNode_t free = nullptr;
  REQUIRE(cudaGraphAddMemFreeNode(&free, owner.graph, &copy, 1, pointer) == cudaSuccess);
  cudaGraphNodeType type = cudaGraphNodeTypeEmpty;
  CHECK(cudaGraphNodeGetType(allocation, &type) == cudaSuccess);
  CHECK(type == cudaGraphNodeTypeMemAlloc);
  CHECK(cudaGraphNodeGetType(free, &type) == cudaSuccess);
  CHECK(type == cudaGraphNodeTypeMemFree);

  const ExecutableOwner executable(owner.graph);
  for (int round = 0; round < 3; ++round) {
    REQUIRE(cudaMemset(out.get(), 0, 128) == cudaSuccess);
    CHECK(cudaGraphLaunch(executable.handle, nullptr) == cudaSuccess);
    CHECK(out.read() == std::vector<int>(32, 7));
  }
  CHECK(live_bytes() == 0);
}

TEST_CASE("nodes that allocate and free tell what they were made of", "[cudart][graph]") {
  GraphOwner owner;
  void* pointer = nullptr;
  const cudaGraphNode_t allocation = owner.allocate(1000, pointer);
  cudaGraphNode_t free = nullptr;
  REQUIRE(cudaGraphAddMemFreeNode(&free, owner.graph, &allocation, 1, pointer) == cudaSuccess);
  cudaMemAllocNodeParams read = {};
  CHECK(cudaGraphMemAllocNodeGetParams(allocation, &read) == cudaSuccess);
  CHECK(read.bytesize == 1000);
  CHECK(read.dptr == pointer);
  void* freed = nullptr;
  CHECK(cudaGraphMemFreeNodeGetParams(free, &freed) == cudaSuccess);
  CHECK(freed == pointer);
  CHECK(cudaGraphMemAllocNodeGetParams(free, &read) == cudaErrorInvalidValue);
  CHECK(cudaGraphMemFreeNodeGetParams(allocation, &freed) == cudaErrorInvalidValue);
  CHECK(cudaGraphMemAllocNodeGetParams(allocation, nullptr) == cudaErrorInvalidValue);
}

TEST_CASE("memory that a graph does not free stays until somebody does", "[cudart][graph]") {
  GraphOwner owner;
  void* pointer = nullptr;
  const cudaGraphNode_t allocation = owner.allocate(128, pointer);
  owner.fill(allocation, pointer, 3, 32);
  const ExecutableOwner executable(owner.graph);
  int value = 0;
  CHECK(cudaGraphLaunch(executable.handle, nullptr) == cudaSuccess);
  CHECK(live_bytes() == 128);
  // It would be allocated twice.
  CHECK(cudaGraphLaunch(executable.handle, nullptr) == cudaErrorInvalidValue);
  CHECK(cudaMemcpy(&value, pointer, sizeof value, cudaMemcpyDeviceToHost) == cudaSuccess);
  CHECK(value == 3);
  CHECK(cudaFree(pointer) == cudaSuccess);
  CHECK(live_bytes() == 0);
  CHECK(cudaGraphLaunch(executable.handle, nullptr) == cudaSuccess);
  CHECK(cudaFreeAsync(pointer, nullptr) == cudaSuccess);
  CHECK(cudaGraphLaunch(executable.handle, nullptr) == cudaSuccess);
  CHECK(cudaFree(pointer) == cudaSuccess);
}

TEST_CASE("an executable can free what its last launch left", "[cudart][graph]") {
  GraphOwner owner;
  void* pointer = nullptr;
  owner.allocate(128, pointer);
  const ExecutableOwner executable(owner.graph, cudaGraphInstantiateFlagAutoFreeOnLaunch);
  CHECK(cudaGraphLaunch(executable.handle, nullptr) == cudaSuccess);
  CHECK(cudaGraphLaunch(executable.handle, nullptr) == cudaSuccess);
  CHECK(live_bytes() == 128);
  CHECK(cudaFree(pointer) == cudaSuccess);
}

TEST_CASE("one graph may free what another one allocates", "[cudart][graph]") {
  GraphOwner first;
  GraphOwner second;
  void* pointer = nullptr;
  const cudaGraphNode_t allocation = first.allocate(128, pointer);
  cudaGraphNode_t free = nullptr;
  REQUIRE(cudaGraphAddMemFreeNode(&free, second.graph, nullptr, 0, pointer) == cudaSuccess);
  // The owner has lost the right to.
  CHECK(cudaGraphAddMemFreeNode(&free, first.graph, &allocation, 1, pointer) ==
        cudaErrorInvalidValue);
  const ExecutableOwner allocating(first.graph);
  const ExecutableOwner freeing(second.graph);
  for (int round = 0; round < 2; ++round) {
    CHECK(cudaGraphLaunch(allocating.handle, nullptr) == cudaSuccess);
    CHECK(cudaGraphLaunch(freeing.handle, nullptr) == cudaSuccess);
  }
  CHECK(live_bytes() == 0);
}

TEST_CASE("a node frees only what a node allocates, and once", "[cudart][graph]") {
  GraphOwner owner;
  GraphOwner other;
  void* pointer = nullptr;
  const cudaGraphNode_t allocation = owner.allocate(128, pointer);
  DeviceBuffer<int> buffer(std::vector<int>(4, 0));
  cudaGraphNode_t free = nullptr;
  CHECK(cudaGraphAddMemFreeNode(&free, owner.graph, nullptr, 0, nullptr) == cudaErrorInvalidValue);
  CHECK(cudaGraphAddMemFreeNode(&free, owner.graph, nullptr, 0, buffer.get()) ==
        cudaErrorInvalidValue);
  CHECK(cudaGraphAddMemFreeNode(&free, owner.graph, nullptr, 0, static_cast<char*>(pointer) + 4) ==
        cudaErrorInvalidValue);
  CHECK(cudaGraphAddMemFreeNode(&free, owner.graph, &allocation, 1, pointer) == cudaSuccess);
  CHECK(cudaGraphAddMemFreeNode(&free, owner.graph, &allocation, 1, pointer) ==
        cudaErrorInvalidValue);
  CHECK(cudaGraphAddMemFreeNode(&free, other.graph, nullptr, 0, pointer) == cudaErrorInvalidValue);
}

TEST_CASE("parameters of an allocation are checked", "[cudart][graph]") {
  GraphOwner owner;
  cudaGraphNode_t node = nullptr;
  const auto add = [&](cudaMemAllocNodeParams parameters) {
    return cudaGraphAddMemAllocNode(&node, owner.graph, nullptr, 0, &parameters);
  };
  CHECK(add(device_memory(0)) == cudaErrorInvalidValue);
  cudaMemAllocNodeParams parameters = device_memory(64);
  parameters.poolProps.location.id = 1;
  CHECK(add(parameters) == cudaErrorInvalidValue);
  parameters = device_memory(64);
  parameters.poolProps.allocType = cudaMemAllocationTypeInvalid;
  CHECK(add(parameters) == cudaErrorInvalidValue);
  CHECK(add(device_memory(std::size_t{1} << 50)) == cudaErrorMemoryAllocation);
  CHECK(cudaGraphAddMemAllocNode(&node, owner.graph, nullptr, 0, nullptr) == cudaErrorInvalidValue);
  std::size_t count = 9;
  CHECK(cudaGraphGetNodes(owner.graph, nullptr, &count) == cudaSuccess);
  CHECK(count == 0);
}

TEST_CASE("a graph with memory is not cloned, taken apart or instantiated twice",
          "[cudart][graph]") {
  GraphOwner owner;
  GraphOwner parent;
  void* pointer = nullptr;
  const cudaGraphNode_t allocation = owner.allocate(128, pointer);
  const cudaGraphNode_t kernel = owner.fill(allocation, pointer, 7, 32);
  cudaGraph_t clone = nullptr;
  cudaGraphNode_t child = nullptr;
  CHECK(cudaGraphClone(&clone, owner.graph) == cudaErrorNotSupported);
  CHECK(cudaGraphAddChildGraphNode(&child, parent.graph, nullptr, 0, owner.graph) ==
        cudaErrorNotSupported);
  CHECK(cudaGraphDestroyNode(kernel) == cudaErrorNotSupported);
  CHECK(cudaGraphRemoveDependencies(owner.graph, &allocation, &kernel, nullptr, 1) ==
        cudaErrorNotSupported);
  cudaGraphExec_t first = nullptr;
  cudaGraphExec_t second = nullptr;
  CHECK(cudaGraphInstantiate(&first, owner.graph, 0) == cudaSuccess);
  CHECK(cudaGraphInstantiate(&second, owner.graph, 0) == cudaErrorNotSupported);
  CHECK(cudaGraphExecDestroy(first) == cudaSuccess);
  CHECK(cudaGraphInstantiate(&second, owner.graph, 0) == cudaSuccess);
  CHECK(cudaGraphExecDestroy(second) == cudaSuccess);
}

TEST_CASE("a captured stream's allocations become nodes", "[cudart][graph]") {
  cudaStream_t stream = nullptr;
  REQUIRE(cudaStreamCreate(&stream) == cudaSuccess);
  DeviceBuffer<int> out(std::vector<int>(32, -1));
  int* temporary = nullptr;
  REQUIRE(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal) == cudaSuccess);
  CHECK(cudaMallocAsync(reinterpret_cast<void**>(&temporary), 128, stream) == cudaSuccess);
  REQUIRE(temporary != nullptr);
  launch_fill(1, 32, temporary, 5, stream);
  CHECK(cudaMemcpyAsync(out.get(), temporary, 128, cudaMemcpyDeviceToDevice, stream) ==
        cudaSuccess);
  CHECK(cudaFreeAsync(temporary, stream) == cudaSuccess);
  cudaGraph_t graph = nullptr;
  REQUIRE(cudaStreamEndCapture(stream, &graph) == cudaSuccess);
  std::size_t count = 0;
  CHECK(cudaGraphGetNodes(graph, nullptr, &count) == cudaSuccess);
  REQUIRE(count == 4);
  std::vector<cudaGraphNode_t> nodes(count);
  CHECK(cudaGraphGetNodes(graph, nodes.data(), &count) == cudaSuccess);
  cudaMemAllocNodeParams parameters = {};
  CHECK(cudaGraphMemAllocNodeGetParams(nodes[0], &parameters) == cudaSuccess);
  CHECK(parameters.dptr == temporary);
  {
    const ExecutableOwner executable(graph);
    CHECK(cudaGraphLaunch(executable.handle, stream) == cudaSuccess);
    CHECK(cudaGraphLaunch(executable.handle, stream) == cudaSuccess);
    CHECK(cudaStreamSynchronize(stream) == cudaSuccess);
  }
  CHECK(out.read() == std::vector<int>(32, 5));
  CHECK(cudaGraphDestroy(graph) == cudaSuccess);
  CHECK(cudaStreamDestroy(stream) == cudaSuccess);
}

TEST_CASE("a captured stream cannot free what no graph allocates", "[cudart][graph]") {
  cudaStream_t stream = nullptr;
  REQUIRE(cudaStreamCreate(&stream) == cudaSuccess);
  int* buffer = nullptr;
  REQUIRE(cudaMallocAsync(reinterpret_cast<void**>(&buffer), 64, stream) == cudaSuccess);
  REQUIRE(cudaStreamBeginCapture(stream, cudaStreamCaptureModeRelaxed) == cudaSuccess);
  CHECK(cudaFreeAsync(buffer, stream) == cudaErrorInvalidValue);
  cudaGraph_t graph = nullptr;
  CHECK(cudaStreamEndCapture(stream, &graph) == cudaSuccess);
  CHECK(cudaGraphDestroy(graph) == cudaSuccess);
  CHECK(cudaFreeAsync(buffer, stream) == cudaSuccess);
  CHECK(cudaStreamDestroy(stream) == cudaSuccess);
}

TEST_CASE("the marks of graphs' memory rise with it and can be set back", "[cudart][graph]") {
  std::uint64_t zero = 0;
  std::uint64_t one = 1;
  REQUIRE(cudaDeviceGraphMemTrim(0) == cudaSuccess);
  for (const auto which : {cudaGraphMemAttrUsedMemHigh, cudaGraphMemAttrReservedMemHigh}) {
    REQUIRE(cudaDeviceSetGraphMemAttribute(0, which, &zero) == cudaSuccess);
  }
  GraphOwner owner;
  void* pointer = nullptr;
  const cudaGraphNode_t allocation = owner.allocate(4096, pointer);
  cudaGraphNode_t free = nullptr;
  REQUIRE(cudaGraphAddMemFreeNode(&free, owner.graph, &allocation, 1, pointer) == cudaSuccess);
  CHECK(attribute(cudaGraphMemAttrUsedMemHigh) == 0);
  const ExecutableOwner executable(owner.graph);
  CHECK(cudaGraphLaunch(executable.handle, nullptr) == cudaSuccess);
  // Freed, and kept for the next launch.
  CHECK(attribute(cudaGraphMemAttrUsedMemCurrent) == 4096);
  CHECK(attribute(cudaGraphMemAttrUsedMemHigh) == 4096);
  CHECK(attribute(cudaGraphMemAttrReservedMemCurrent) == 4096);
  CHECK(cudaDeviceGraphMemTrim(0) == cudaSuccess);
  CHECK(attribute(cudaGraphMemAttrUsedMemCurrent) == 0);
  CHECK(attribute(cudaGraphMemAttrUsedMemHigh) == 4096);
  CHECK(attribute(cudaGraphMemAttrReservedMemCurrent) == 0);
  CHECK(attribute(cudaGraphMemAttrReservedMemHigh) == 4096);

  CHECK(cudaDeviceSetGraphMemAttribute(0, cudaGraphMemAttrUsedMemHigh, &one) ==
        cudaErrorInvalidValue);
  CHECK(cudaDeviceSetGraphMemAttribute(0, cudaGraphMemAttrUsedMemCurrent, &zero) ==
        cudaErrorInvalidValue);
  CHECK(cudaDeviceSetGraphMemAttribute(0, cudaGraphMemAttrUsedMemHigh, &zero) == cudaSuccess);
  CHECK(attribute(cudaGraphMemAttrUsedMemHigh) == 0);
  CHECK(cudaDeviceGraphMemTrim(1) == cudaErrorInvalidDevice);
  CHECK(cudaDeviceGetGraphMemAttribute(1, cudaGraphMemAttrUsedMemHigh, &zero) ==
        cudaErrorInvalidDevice);
}

TEST_CASE("cudaGraphAddNode allocates and frees as well", "[cudart][graph]") {
  GraphOwner owner;
  cudaGraphNode_t allocation = nullptr;
  cudaGraphNode_t free = nullptr;
  cudaGraphNodeParams parameters = {};
  parameters.type = cudaGraphNodeTypeMemAlloc;
  parameters.alloc.poolProps.allocType = cudaMemAllocationTypePinned;
  parameters.alloc.poolProps.location.type = cudaMemLocationTypeDevice;
  parameters.alloc.bytesize = 64;
  REQUIRE(cudaGraphAddNode(&allocation, owner.graph, nullptr, nullptr, 0, &parameters) ==
          cudaSuccess);
  void* const pointer = parameters.alloc.dptr;
  parameters = {};
  parameters.type = cudaGraphNodeTypeMemFree;
  parameters.free.dptr = pointer;
  REQUIRE(cudaGraphAddNode(&free, owner.graph, &allocation, nullptr, 1, &parameters) ==
          cudaSuccess);
  const ExecutableOwner executable(owner.graph);
  CHECK(cudaGraphLaunch(executable.handle, nullptr) == cudaSuccess);
  CHECK(live_bytes() == 0);
}
