#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <vector>

#include "emulator/cudart/tests/device_buffer.h"
#include "emulator/cudart/tests/graph_parts.h"

// Graphs built node by node.

TEST_CASE("a graph of kernel, memset, copy, host and empty nodes runs in the order of its edges",
          "[cudart][graph]") {
  GraphOwner owner;
  DeviceBuffer<int> device(std::vector<int>(32, -1));
  std::vector<int> host(32);
  int counter = 1;
  // Added in an order that is not the order of execution.
  cudaGraphNode_t copy = nullptr;
  cudaGraphNode_t kernel = nullptr;
  cudaGraphNode_t clear = nullptr;
  cudaGraphNode_t call = nullptr;
  cudaGraphNode_t join = nullptr;
  CHECK(cudaGraphAddMemcpyNode1D(&copy, owner.graph, nullptr, 0, host.data(), device.get(), 128,
                                 cudaMemcpyDeviceToHost) == cudaSuccess);
  FillNode fill(device.get(), 7, 16);
  CHECK(cudaGraphAddKernelNode(&kernel, owner.graph, nullptr, 0, &fill.parameters) == cudaSuccess);
  fill.value = 1000;  // the node has its own copy
  cudaMemsetParams zeros = {};
  zeros.dst = device.get();
  zeros.value = 0x01020304;
  zeros.elementSize = 4;
  zeros.width = 32;
  zeros.height = 1;
  CHECK(cudaGraphAddMemsetNode(&clear, owner.graph, nullptr, 0, &zeros) == cudaSuccess);
  const cudaHostNodeParams host_node = {add_ten, &counter};
  CHECK(cudaGraphAddHostNode(&call, owner.graph, &copy, 1, &host_node) == cudaSuccess);
  CHECK(cudaGraphAddEmptyNode(&join, owner.graph, &clear, 1) == cudaSuccess);
  const cudaGraphNode_t from[] = {join, kernel};
  const cudaGraphNode_t to[] = {kernel, copy};
  CHECK(cudaGraphAddDependencies(owner.graph, from, to, nullptr, 2) == cudaSuccess);
  // No circles, and no edge twice.
  CHECK(cudaGraphAddDependencies(owner.graph, &copy, &clear, nullptr, 1) == cudaErrorInvalidValue);
  CHECK(cudaGraphAddDependencies(owner.graph, from, to, nullptr, 1) == cudaErrorInvalidValue);

  const cudaGraphExec_t executable = instantiate(owner.graph);
  CHECK(cudaGraphLaunch(executable, nullptr) == cudaSuccess);
  CHECK(cudaDeviceSynchronize() == cudaSuccess);
  std::vector<int> want(32, 0x01020304);
  std::fill_n(want.begin(), 16, 7);
  CHECK(host == want);
  CHECK(counter == 11);
  CHECK(cudaGraphExecDestroy(executable) == cudaSuccess);

  size_t count = 0;
  CHECK(cudaGraphGetNodes(owner.graph, nullptr, &count) == cudaSuccess);
  CHECK(count == 5);
  CHECK(cudaGraphGetRootNodes(owner.graph, nullptr, &count) == cudaSuccess);
  CHECK(count == 1);
  cudaGraphNode_t root = nullptr;
  CHECK(cudaGraphGetRootNodes(owner.graph, &root, &count) == cudaSuccess);
  CHECK(root == clear);
  CHECK(cudaGraphGetEdges(owner.graph, nullptr, nullptr, nullptr, &count) == cudaSuccess);
  CHECK(count == 4);
  cudaGraphNode_t dependents[3] = {};
  count = 3;
  CHECK(cudaGraphNodeGetDependentNodes(copy, dependents, nullptr, &count) == cudaSuccess);
  CHECK(count == 1);
  CHECK(dependents[0] == call);
  CHECK(dependents[1] == nullptr);
  cudaGraphNodeType type = cudaGraphNodeTypeEmpty;
  CHECK(cudaGraphNodeGetType(clear, &type) == cudaSuccess);
  CHECK(type == cudaGraphNodeTypeMemset);
}

TEST_CASE("an executable's nodes take other parameters and can be switched off",
          "[cudart][graph]") {
  GraphOwner owner;
  DeviceBuffer<int> device(std::vector<int>(32, 0));
  cudaGraphNode_t kernel = nullptr;
  FillNode first(device.get(), 1, 32);
  REQUIRE(cudaGraphAddKernelNode(&kernel, owner.graph, nullptr, 0, &first.parameters) ==
          cudaSuccess);
  const cudaGraphExec_t executable = instantiate(owner.graph);
  FillNode second(device.get() + 8, 2, 8);
  CHECK(cudaGraphExecKernelNodeSetParams(executable, kernel, &second.parameters) == cudaSuccess);
  CHECK(cudaGraphLaunch(executable, nullptr) == cudaSuccess);
  CHECK(device.read()[7] == 0);
  CHECK(device.read()[8] == 2);
  CHECK(device.read()[16] == 0);
  // The graph itself keeps what it had.
  cudaKernelNodeParams kept = {};
  CHECK(cudaGraphKernelNodeGetParams(kernel, &kept) == cudaSuccess);
  CHECK(kept.func == first.parameters.func);
  CHECK(kept.blockDim.x == 32);
  CHECK(*static_cast<int*>(kept.kernelParams[1]) == 1);

  CHECK(cudaMemset(device.get(), 0, 128) == cudaSuccess);
  CHECK(cudaGraphNodeSetEnabled(executable, kernel, 0) == cudaSuccess);
  CHECK(cudaGraphLaunch(executable, nullptr) == cudaSuccess);
  CHECK(device.read() == std::vector<int>(32, 0));
  unsigned enabled = 1;
  CHECK(cudaGraphNodeGetEnabled(executable, kernel, &enabled) == cudaSuccess);
  CHECK(enabled == 0);
  CHECK(cudaGraphExecDestroy(executable) == cudaSuccess);
}

TEST_CASE("an executable is updated from a graph of the same shape, and from no other",
          "[cudart][graph]") {
  DeviceBuffer<int> device(std::vector<int>(32, 0));
  const auto capture = [&](int value, int kernels) {
    cudaStream_t stream = nullptr;
    cudaGraph_t graph = nullptr;
    REQUIRE(cudaStreamCreate(&stream) == cudaSuccess);
    REQUIRE(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal) == cudaSuccess);
    for (int i = 0; i < kernels; ++i) launch_fill(1, 32, device.get(), value, stream);
    REQUIRE(cudaStreamEndCapture(stream, &graph) == cudaSuccess);
    REQUIRE(cudaStreamDestroy(stream) == cudaSuccess);
    return graph;
  };
  const cudaGraph_t first = capture(1, 1);
  const cudaGraph_t second = capture(2, 1);
  const cudaGraph_t longer = capture(3, 2);
  const cudaGraphExec_t executable = instantiate(first);
  cudaGraphExecUpdateResultInfo info = {};
  CHECK(cudaGraphExecUpdate(executable, second, &info) == cudaSuccess);
  CHECK(info.result == cudaGraphExecUpdateSuccess);
  CHECK(cudaGraphLaunch(executable, nullptr) == cudaSuccess);
  CHECK(device.read()[0] == 2);
  CHECK(cudaGraphExecUpdate(executable, longer, &info) == cudaErrorGraphExecUpdateFailure);
  CHECK(info.result == cudaGraphExecUpdateErrorTopologyChanged);
  for (const cudaGraph_t graph : {first, second, longer}) {
    CHECK(cudaGraphDestroy(graph) == cudaSuccess);
  }
  CHECK(cudaGraphExecDestroy(executable) == cudaSuccess);
}

TEST_CASE("graphs nest, and clones are graphs of their own", "[cudart][graph]") {
  DeviceBuffer<int> device(std::vector<int>(32, 0));
  GraphOwner inner;
  GraphOwner outer;
  FillNode low(device.get(), 3, 16);
  FillNode high(device.get() + 16, 4, 16);
  cudaGraphNode_t fill = nullptr;
  cudaGraphNode_t child = nullptr;
  cudaGraphNode_t after = nullptr;
  REQUIRE(cudaGraphAddKernelNode(&fill, inner.graph, nullptr, 0, &low.parameters) == cudaSuccess);
  REQUIRE(cudaGraphAddChildGraphNode(&child, outer.graph, nullptr, 0, inner.graph) == cudaSuccess);
  REQUIRE(cudaGraphAddKernelNode(&after, outer.graph, &child, 1, &high.parameters) == cudaSuccess);
  cudaGraph_t clone = nullptr;
  cudaGraphNode_t twin = nullptr;
  REQUIRE(cudaGraphClone(&clone, outer.graph) == cudaSuccess);
  CHECK(cudaGraphNodeFindInClone(&twin, after, clone) == cudaSuccess);
  CHECK(twin != after);
  CHECK(cudaGraphDestroyNode(twin) == cudaSuccess);
  cudaGraph_t embedded = nullptr;
  CHECK(cudaGraphChildGraphNodeGetGraph(child, &embedded) == cudaSuccess);
  CHECK(embedded != inner.graph);
  CHECK(cudaGraphDestroy(embedded) == cudaErrorInvalidValue);  // the node owns it

  const cudaGraphExec_t whole = instantiate(outer.graph);
  const cudaGraphExec_t part = instantiate(clone);
  CHECK(cudaGraphDestroy(clone) == cudaSuccess);
  CHECK(cudaGraphLaunch(part, nullptr) == cudaSuccess);
  CHECK(device.read()[0] == 3);
  CHECK(device.read()[16] == 0);
  CHECK(cudaGraphLaunch(whole, nullptr) == cudaSuccess);
  CHECK(device.read()[16] == 4);
  CHECK(cudaGraphExecDestroy(whole) == cudaSuccess);
  CHECK(cudaGraphExecDestroy(part) == cudaSuccess);
}

TEST_CASE("what a node refuses when it is added", "[cudart][graph]") {
  GraphOwner owner;
  GraphOwner other;
  DeviceBuffer<int> device(4);
  cudaGraphNode_t node = nullptr;
  cudaGraphNode_t foreign = nullptr;
  FillNode wide(device.get(), 1, 2048);
  CHECK(cudaGraphAddKernelNode(&node, owner.graph, nullptr, 0, &wide.parameters) != cudaSuccess);
  CHECK(cudaGraphAddKernelNode(&node, owner.graph, nullptr, 0, nullptr) == cudaErrorInvalidValue);
  CHECK(cudaGraphAddMemcpyNode1D(&node, owner.graph, nullptr, 0, device.get(), device.get(),
                                 1 << 20, cudaMemcpyDeviceToDevice) == cudaErrorInvalidValue);
  REQUIRE(cudaGraphAddEmptyNode(&foreign, other.graph, nullptr, 0) == cudaSuccess);
  CHECK(cudaGraphAddEmptyNode(&node, owner.graph, &foreign, 1) == cudaErrorInvalidValue);
  CHECK(cudaGraphAddEmptyNode(&node, nullptr, nullptr, 0) == cudaErrorInvalidValue);
}

TEST_CASE("a graph that outlives an allocation is refused when launched", "[cudart][graph]") {
  GraphOwner owner;
  int* device = nullptr;
  int host[4] = {};
  REQUIRE(cudaMalloc(reinterpret_cast<void**>(&device), sizeof host) == cudaSuccess);
  cudaGraphNode_t node = nullptr;
  REQUIRE(cudaGraphAddMemcpyNode1D(&node, owner.graph, nullptr, 0, device, host, sizeof host,
                                   cudaMemcpyHostToDevice) == cudaSuccess);
  const cudaGraphExec_t executable = instantiate(owner.graph);
  CHECK(cudaGraphLaunch(executable, nullptr) == cudaSuccess);
  CHECK(cudaFree(device) == cudaSuccess);
  CHECK(cudaGraphLaunch(executable, nullptr) == cudaErrorInvalidValue);
  CHECK(cudaGraphExecDestroy(executable) == cudaSuccess);
}

TEST_CASE("a capture can be looked into, and needs its streams joined", "[cudart][graph]") {
  cudaStream_t first = nullptr;
  cudaStream_t second = nullptr;
  cudaEvent_t fork = nullptr;
  REQUIRE(cudaStreamCreateWithFlags(&first, cudaStreamNonBlocking) == cudaSuccess);
  REQUIRE(cudaStreamCreateWithFlags(&second, cudaStreamNonBlocking) == cudaSuccess);
  REQUIRE(cudaEventCreate(&fork) == cudaSuccess);
  DeviceBuffer<int> device(std::vector<int>(32, 0));
  REQUIRE(cudaStreamBeginCapture(first, cudaStreamCaptureModeRelaxed) == cudaSuccess);
  launch_fill(1, 32, device.get(), 1, first);
  cudaStreamCaptureStatus status = cudaStreamCaptureStatusNone;
  cudaGraph_t graph = nullptr;
  const cudaGraphNode_t* dependencies = nullptr;
  size_t count = 0;
  CHECK(cudaStreamGetCaptureInfo(first, &status, nullptr, &graph, &dependencies, nullptr, &count) ==
        cudaSuccess);
  CHECK(status == cudaStreamCaptureStatusActive);
  REQUIRE(count == 1);
  cudaGraphNodeType type = cudaGraphNodeTypeEmpty;
  CHECK(cudaGraphNodeGetType(dependencies[0], &type) == cudaSuccess);
  CHECK(type == cudaGraphNodeTypeKernel);
  CHECK(cudaEventRecord(fork, first) == cudaSuccess);
  CHECK(cudaStreamWaitEvent(second, fork, 0) == cudaSuccess);
  launch_fill(1, 32, device.get(), 2, second);
  CHECK(cudaStreamEndCapture(first, &graph) == cudaErrorStreamCaptureUnjoined);
  CHECK(graph == nullptr);
  CHECK(cudaStreamDestroy(first) == cudaSuccess);
  CHECK(cudaStreamDestroy(second) == cudaSuccess);
  CHECK(cudaEventDestroy(fork) == cudaSuccess);
}

TEST_CASE("the default stream and allocations spoil a capture of mode global", "[cudart][graph]") {
  cudaStream_t stream = nullptr;
  REQUIRE(cudaStreamCreate(&stream) == cudaSuccess);
  DeviceBuffer<int> device(std::vector<int>(32, 0));
  cudaGraph_t graph = nullptr;
  REQUIRE(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal) == cudaSuccess);
  CHECK(cudaMemset(device.get(), 0, 128) == cudaErrorStreamCaptureImplicit);
  CHECK(cudaStreamEndCapture(stream, &graph) == cudaErrorStreamCaptureInvalidated);
  REQUIRE(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal) == cudaSuccess);
  void* more = nullptr;
  CHECK(cudaMalloc(&more, 4) == cudaErrorStreamCaptureUnsupported);
  CHECK(cudaStreamEndCapture(stream, &graph) == cudaErrorStreamCaptureInvalidated);
  REQUIRE(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal) == cudaSuccess);
  CHECK(cudaMalloc(&more, 4) == cudaSuccess);
  CHECK(cudaStreamEndCapture(stream, &graph) == cudaSuccess);
  CHECK(cudaFree(more) == cudaSuccess);
  CHECK(cudaGraphDestroy(graph) == cudaSuccess);
  CHECK(cudaStreamDestroy(stream) == cudaSuccess);
}
