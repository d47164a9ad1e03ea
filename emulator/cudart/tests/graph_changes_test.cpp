#include <catch2/catch_test_macros.hpp>
#include <vector>

#include "emulator/cudart/tests/device_buffer.h"
#include "emulator/cudart/tests/graph_parts.h"

// Asking nodes what they do, and giving them other work: in a graph, which changes what is made of
// it from then on, and in an executable, which leaves the graph as it was.

namespace {

/// An executable for a test, destroyed at its end.
struct ExecutableOwner {
  cudaGraphExec_t executable;
  explicit ExecutableOwner(cudaGraph_t graph) : executable(instantiate(graph)) {}
  ~ExecutableOwner() { (void)cudaGraphExecDestroy(executable); }
  ExecutableOwner(const ExecutableOwner&) = delete;
  ExecutableOwner& operator=(const ExecutableOwner&) = delete;

  void launch() const {
    CHECK(cudaGraphLaunch(executable, nullptr) == cudaSuccess);
    CHECK(cudaDeviceSynchronize() == cudaSuccess);
  }
};

/// Launches what the graph is now.
void launch(cudaGraph_t graph) {
  ExecutableOwner(graph).launch();
}

cudaMemcpy3DParms linear(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind) {
  cudaMemcpy3DParms copy = {};
  copy.dstPtr = {to, bytes, bytes, 1};
  copy.srcPtr = {const_cast<void*>(from), bytes, bytes, 1};
  copy.extent = {bytes, 1, 1};
  copy.kind = kind;
  return copy;
}

cudaMemsetParams bytes_of(void* to, unsigned value, std::size_t width) {
  cudaMemsetParams fill = {};
  fill.dst = to;
  fill.value = value;
  fill.elementSize = 1;
  fill.width = width;
  fill.height = 1;
  return fill;
}

}  // namespace

TEST_CASE("a kernel node takes other parameters and keeps its attributes", "[cudart][graph]") {
  const GraphOwner owner;
  DeviceBuffer<int> device(std::vector<int>(32, 0));
  cudaGraphNode_t node = nullptr;
  FillNode first(device.get(), 1, 32);
  REQUIRE(cudaGraphAddKernelNode(&node, owner.graph, nullptr, 0, &first.parameters) == cudaSuccess);
  cudaLaunchAttributeValue value = {};
  value.priority = -3;
  CHECK(cudaGraphKernelNodeSetAttribute(node, cudaLaunchAttributePriority, &value) == cudaSuccess);
  value = {};
  value.cooperative = 1;
  CHECK(cudaGraphKernelNodeSetAttribute(node, cudaLaunchAttributeCooperative, &value) ==
        cudaSuccess);

  FillNode second(device.get() + 16, 2, 16);
  CHECK(cudaGraphKernelNodeSetParams(node, &second.parameters) == cudaSuccess);
  launch(owner.graph);
  CHECK(device.read()[15] == 0);
  CHECK(device.read()[16] == 2);
  value = {};
  CHECK(cudaGraphKernelNodeGetAttribute(node, cudaLaunchAttributePriority, &value) == cudaSuccess);
  CHECK(value.priority == -3);
  CHECK(cudaGraphKernelNodeGetAttribute(node, cudaLaunchAttributeCooperative, &value) ==
        cudaSuccess);
  CHECK(value.cooperative == 1);

  FillNode wide(device.get(), 1, 2048);
  CHECK(cudaGraphKernelNodeSetParams(node, &wide.parameters) != cudaSuccess);
  CHECK(cudaGraphKernelNodeSetParams(node, nullptr) == cudaErrorInvalidValue);
  CHECK(cudaGraphKernelNodeSetParams(nullptr, &second.parameters) == cudaErrorInvalidValue);
}

TEST_CASE("attributes of kernel nodes are copied, and those of streams are refused",
          "[cudart][graph]") {
  const GraphOwner owner;
  DeviceBuffer<int> device(std::vector<int>(32, 0));
  cudaGraphNode_t from = nullptr;
  cudaGraphNode_t to = nullptr;
  cudaGraphNode_t empty = nullptr;
  const FillNode fill(device.get(), 1, 32);
  REQUIRE(cudaGraphAddKernelNode(&from, owner.graph, nullptr, 0, &fill.parameters) == cudaSuccess);
  REQUIRE(cudaGraphAddKernelNode(&to, owner.graph, nullptr, 0, &fill.parameters) == cudaSuccess);
  REQUIRE(cudaGraphAddEmptyNode(&empty, owner.graph, nullptr, 0) == cudaSuccess);
  cudaLaunchAttributeValue value = {};
  value.accessPolicyWindow.num_bytes = 512;
  const auto window = cudaLaunchAttributeAccessPolicyWindow;
  CHECK(cudaGraphKernelNodeSetAttribute(from, window, &value) == cudaSuccess);
  CHECK(cudaGraphKernelNodeCopyAttributes(to, from) == cudaSuccess);
  value = {};
  CHECK(cudaGraphKernelNodeGetAttribute(to, window, &value) == cudaSuccess);
  CHECK(value.accessPolicyWindow.num_bytes == 512);

  const auto policy = cudaLaunchAttributeSynchronizationPolicy;
  CHECK(cudaGraphKernelNodeSetAttribute(from, policy, &value) == cudaErrorInvalidValue);
  CHECK(cudaGraphKernelNodeGetAttribute(from, policy, &value) == cudaErrorInvalidValue);
  CHECK(cudaGraphKernelNodeSetAttribute(empty, window, &value) == cudaErrorInvalidValue);
  CHECK(cudaGraphKernelNodeGetAttribute(empty, window, &value) == cudaErrorInvalidValue);
  CHECK(cudaGraphKernelNodeGetAttribute(from, window, nullptr) == cudaErrorInvalidValue);
  CHECK(cudaGraphKernelNodeCopyAttributes(to, empty) == cudaErrorInvalidValue);
  CHECK(cudaGraphKernelNodeCopyAttributes(empty, from) == cudaErrorInvalidValue);
}

TEST_CASE("a copy node takes another copy", "[cudart][graph]") {
  const GraphOwner owner;
  DeviceBuffer<int> device(std::vector<int>{1, 2, 3, 4});
  std::vector<int> host(4);
  std::vector<int> other(4);
  const auto to_host = cudaMemcpyDeviceToHost;
  auto copy = linear(host.data(), device.get(), 16, to_host);
  cudaGraphNode_t node = nullptr;
  CHECK(cudaGraphAddMemcpyNode(&node, owner.graph, nullptr, 0, nullptr) == cudaErrorInvalidValue);
  REQUIRE(cudaGraphAddMemcpyNode(&node, owner.graph, nullptr, 0, &copy) == cudaSuccess);
  cudaMemcpy3DParms kept = {};
  CHECK(cudaGraphMemcpyNodeGetParams(node, &kept) == cudaSuccess);
  CHECK(kept.dstPtr.ptr == host.data());
  CHECK(kept.srcPtr.ptr == device.get());
  CHECK(kept.extent.width == 16);
  CHECK(kept.kind == to_host);
  const ExecutableOwner before(owner.graph);

  copy = linear(other.data(), device.get() + 2, 8, to_host);
  SECTION("in the graph") {
    CHECK(cudaGraphMemcpyNodeSetParams(node, &copy) == cudaSuccess);
    launch(owner.graph);
    CHECK(host == std::vector<int>(4));
    CHECK(other == std::vector<int>{3, 4, 0, 0});
    CHECK(cudaGraphMemcpyNodeSetParams1D(node, host.data(), device.get(), 4, to_host) ==
          cudaSuccess);
    launch(owner.graph);
    CHECK(host == std::vector<int>{1, 0, 0, 0});
  }
  SECTION("in an executable") {
    CHECK(cudaGraphExecMemcpyNodeSetParams(before.executable, node, &copy) == cudaSuccess);
    before.launch();
    CHECK(other == std::vector<int>{3, 4, 0, 0});
    CHECK(cudaGraphExecMemcpyNodeSetParams1D(before.executable, node, host.data(), device.get(), 4,
                                             to_host) == cudaSuccess);
    before.launch();
    CHECK(host == std::vector<int>{1, 0, 0, 0});
    launch(owner.graph);
    CHECK(host == std::vector<int>{1, 2, 3, 4});
  }
  SECTION("but not one that leaves its memory, and no other node does") {
    copy.extent.width = 100;
    copy.srcPtr.pitch = copy.dstPtr.pitch = 100;
    CHECK(cudaGraphMemcpyNodeSetParams(node, &copy) == cudaErrorInvalidValue);
    CHECK(cudaGraphMemcpyNodeSetParams1D(node, host.data(), device.get(), 100, to_host) ==
          cudaErrorInvalidValue);
    CHECK(cudaGraphExecMemcpyNodeSetParams(before.executable, node, &copy) ==
          cudaErrorInvalidValue);
    CHECK(cudaGraphExecMemcpyNodeSetParams1D(before.executable, node, host.data(), device.get(),
                                             100, to_host) == cudaErrorInvalidValue);
    cudaGraphNode_t empty = nullptr;
    REQUIRE(cudaGraphAddEmptyNode(&empty, owner.graph, nullptr, 0) == cudaSuccess);
    CHECK(cudaGraphMemcpyNodeGetParams(empty, &kept) == cudaErrorInvalidValue);
    CHECK(cudaGraphMemcpyNodeSetParams1D(empty, host.data(), device.get(), 4, to_host) ==
          cudaErrorInvalidValue);
    before.launch();
    CHECK(host == std::vector<int>{1, 2, 3, 4});
  }
}

TEST_CASE("a copy node takes a copy to or from a variable", "[cudart][graph]") {
  const GraphOwner owner;
  const std::vector<float> values = {5, 6};
  std::vector<float> back(2);
  const void* symbol = device_array_symbol();
  const auto up = cudaMemcpyHostToDevice;
  const auto down = cudaMemcpyDeviceToHost;
  cudaGraphNode_t to = nullptr;
  cudaGraphNode_t from = nullptr;
  REQUIRE(cudaGraphAddMemcpyNodeToSymbol(&to, owner.graph, nullptr, 0, symbol, values.data(), 8, 4,
                                         up) == cudaSuccess);
  REQUIRE(cudaGraphAddMemcpyNodeFromSymbol(&from, owner.graph, &to, 1, back.data(), symbol, 8, 4,
                                           down) == cudaSuccess);
  const ExecutableOwner before(owner.graph);
  before.launch();
  CHECK(back == values);

  CHECK(cudaGraphMemcpyNodeSetParamsToSymbol(to, symbol, values.data() + 1, 4, 16, up) ==
        cudaSuccess);
  CHECK(cudaGraphMemcpyNodeSetParamsFromSymbol(from, back.data(), symbol, 4, 16, down) ==
        cudaSuccess);
  launch(owner.graph);
  CHECK(back == std::vector<float>{6, 6});
  CHECK(cudaGraphExecMemcpyNodeSetParamsToSymbol(before.executable, to, symbol, values.data(), 4,
                                                 20, up) == cudaSuccess);
  CHECK(cudaGraphExecMemcpyNodeSetParamsFromSymbol(before.executable, from, back.data() + 1, symbol,
                                                   4, 20, down) == cudaSuccess);
  before.launch();
  CHECK(back == std::vector<float>{6, 5});

  cudaGraphNode_t none = nullptr;
  const void* unknown = &values;
  CHECK(cudaGraphAddMemcpyNodeToSymbol(&none, owner.graph, nullptr, 0, symbol, values.data(), 8, 28,
                                       up) == cudaErrorInvalidValue);
  CHECK(cudaGraphAddMemcpyNodeFromSymbol(&none, owner.graph, nullptr, 0, back.data(), unknown, 8, 0,
                                         down) == cudaErrorInvalidSymbol);
  CHECK(cudaGraphAddMemcpyNodeToSymbol(&none, owner.graph, nullptr, 0, symbol, values.data(), 8, 0,
                                       down) == cudaErrorInvalidMemcpyDirection);
  CHECK(cudaGraphMemcpyNodeSetParamsToSymbol(to, unknown, values.data(), 4, 0, up) ==
        cudaErrorInvalidSymbol);
  CHECK(cudaGraphMemcpyNodeSetParamsFromSymbol(from, back.data(), symbol, 4, 32, down) ==
        cudaErrorInvalidValue);
  CHECK(cudaGraphExecMemcpyNodeSetParamsToSymbol(before.executable, to, symbol, values.data(), 4,
                                                 32, up) == cudaErrorInvalidValue);
  CHECK(cudaGraphExecMemcpyNodeSetParamsFromSymbol(before.executable, from, back.data(), unknown, 4,
                                                   0, down) == cudaErrorInvalidSymbol);
}

TEST_CASE("a memset node takes another memset", "[cudart][graph]") {
  const GraphOwner owner;
  DeviceBuffer<unsigned char> device(std::vector<unsigned char>(16, 0));
  auto fill = bytes_of(device.get(), 1, 16);
  cudaGraphNode_t node = nullptr;
  REQUIRE(cudaGraphAddMemsetNode(&node, owner.graph, nullptr, 0, &fill) == cudaSuccess);
  cudaMemsetParams kept = {};
  CHECK(cudaGraphMemsetNodeGetParams(node, &kept) == cudaSuccess);
  CHECK(kept.dst == device.get());
  CHECK(kept.value == 1);
  CHECK(kept.width == 16);
  const ExecutableOwner before(owner.graph);
  fill = bytes_of(device.get() + 4, 2, 4);
  CHECK(cudaGraphMemsetNodeSetParams(node, &fill) == cudaSuccess);
  launch(owner.graph);
  CHECK(device.read()[3] == 0);
  CHECK(device.read()[4] == 2);
  fill = bytes_of(device.get() + 8, 3, 8);
  CHECK(cudaGraphExecMemsetNodeSetParams(before.executable, node, &fill) == cudaSuccess);
  before.launch();
  CHECK(device.read()[7] == 2);
  CHECK(device.read()[8] == 3);

  fill.width = 100;
  CHECK(cudaGraphMemsetNodeSetParams(node, &fill) == cudaErrorInvalidValue);
  CHECK(cudaGraphExecMemsetNodeSetParams(before.executable, node, &fill) == cudaErrorInvalidValue);
  fill.width = 1;
  fill.elementSize = 3;
  CHECK(cudaGraphMemsetNodeSetParams(node, &fill) == cudaErrorInvalidValue);
  CHECK(cudaGraphMemsetNodeGetParams(node, nullptr) == cudaErrorInvalidValue);
  CHECK(cudaGraphMemsetNodeGetParams(nullptr, &kept) == cudaErrorInvalidValue);
}

TEST_CASE("a host node takes another function's data", "[cudart][graph]") {
  const GraphOwner owner;
  int first = 0;
  int second = 0;
  cudaHostNodeParams host = {add_ten, &first};
  cudaGraphNode_t node = nullptr;
  REQUIRE(cudaGraphAddHostNode(&node, owner.graph, nullptr, 0, &host) == cudaSuccess);
  const ExecutableOwner before(owner.graph);
  host.userData = &second;
  CHECK(cudaGraphHostNodeSetParams(node, &host) == cudaSuccess);
  cudaHostNodeParams kept = {};
  CHECK(cudaGraphHostNodeGetParams(node, &kept) == cudaSuccess);
  CHECK(kept.fn == add_ten);
  CHECK(kept.userData == &second);
  before.launch();
  CHECK(first == 10);
  CHECK(second == 0);
  CHECK(cudaGraphExecHostNodeSetParams(before.executable, node, &host) == cudaSuccess);
  before.launch();
  CHECK(first == 10);
  CHECK(second == 10);

  host.fn = nullptr;
  CHECK(cudaGraphHostNodeSetParams(node, &host) == cudaErrorInvalidValue);
  CHECK(cudaGraphExecHostNodeSetParams(before.executable, node, &host) == cudaErrorInvalidValue);
  CHECK(cudaGraphHostNodeGetParams(node, nullptr) == cudaErrorInvalidValue);
}

TEST_CASE("nodes record events and wait for them", "[cudart][graph]") {
  const GraphOwner owner;
  cudaEvent_t first = nullptr;
  cudaEvent_t second = nullptr;
  REQUIRE(cudaEventCreate(&first) == cudaSuccess);
  REQUIRE(cudaEventCreate(&second) == cudaSuccess);
  cudaGraphNode_t record = nullptr;
  cudaGraphNode_t wait = nullptr;
  REQUIRE(cudaGraphAddEventRecordNode(&record, owner.graph, nullptr, 0, first) == cudaSuccess);
  REQUIRE(cudaGraphAddEventWaitNode(&wait, owner.graph, &record, 1, first) == cudaSuccess);
  cudaEvent_t event = nullptr;
  CHECK(cudaGraphEventRecordNodeGetEvent(record, &event) == cudaSuccess);
  CHECK(event == first);
  CHECK(cudaGraphEventWaitNodeGetEvent(wait, &event) == cudaSuccess);
  CHECK(event == first);
  const ExecutableOwner before(owner.graph);
  before.launch();
  float ms = -1;
  CHECK(cudaEventElapsedTime(&ms, first, first) == cudaSuccess);
  CHECK(cudaEventElapsedTime(&ms, first, second) == cudaErrorInvalidResourceHandle);

  CHECK(cudaGraphEventRecordNodeSetEvent(record, second) == cudaSuccess);
  CHECK(cudaGraphEventWaitNodeSetEvent(wait, second) == cudaSuccess);
  CHECK(cudaGraphEventRecordNodeGetEvent(record, &event) == cudaSuccess);
  CHECK(event == second);
  CHECK(cudaGraphEventWaitNodeGetEvent(wait, &event) == cudaSuccess);
  CHECK(event == second);
  CHECK(cudaGraphExecEventRecordNodeSetEvent(before.executable, record, second) == cudaSuccess);
  CHECK(cudaGraphExecEventWaitNodeSetEvent(before.executable, wait, second) == cudaSuccess);
  before.launch();
  CHECK(cudaEventElapsedTime(&ms, first, second) == cudaSuccess);
  CHECK(ms > 0);

  cudaGraphNode_t none = nullptr;
  const auto unknown = reinterpret_cast<cudaEvent_t>(&none);
  CHECK(cudaGraphAddEventRecordNode(&none, owner.graph, nullptr, 0, unknown) ==
        cudaErrorInvalidValue);
  CHECK(cudaGraphAddEventWaitNode(&none, owner.graph, nullptr, 0, unknown) ==
        cudaErrorInvalidValue);
  CHECK(cudaGraphEventRecordNodeGetEvent(wait, &event) == cudaErrorInvalidValue);
  CHECK(cudaGraphEventWaitNodeGetEvent(record, &event) == cudaErrorInvalidValue);
  CHECK(cudaGraphEventRecordNodeSetEvent(record, unknown) == cudaErrorInvalidValue);
  CHECK(cudaGraphEventWaitNodeSetEvent(wait, unknown) == cudaErrorInvalidValue);
  CHECK(cudaGraphExecEventRecordNodeSetEvent(before.executable, record, unknown) ==
        cudaErrorInvalidValue);
  CHECK(cudaGraphExecEventWaitNodeSetEvent(before.executable, wait, unknown) ==
        cudaErrorInvalidValue);
  CHECK(cudaEventDestroy(first) == cudaSuccess);
  CHECK(cudaEventDestroy(second) == cudaSuccess);
}

TEST_CASE("an executable's child graph is replaced", "[cudart][graph]") {
  const GraphOwner owner;
  const GraphOwner low;
  const GraphOwner high;
  DeviceBuffer<int> device(std::vector<int>(32, 0));
  const FillNode ones(device.get(), 1, 16);
  const FillNode twos(device.get() + 16, 2, 16);
  cudaGraphNode_t node = nullptr;
  cudaGraphNode_t child = nullptr;
  REQUIRE(cudaGraphAddKernelNode(&node, low.graph, nullptr, 0, &ones.parameters) == cudaSuccess);
  REQUIRE(cudaGraphAddKernelNode(&node, high.graph, nullptr, 0, &twos.parameters) == cudaSuccess);
  REQUIRE(cudaGraphAddChildGraphNode(&child, owner.graph, nullptr, 0, low.graph) == cudaSuccess);
  const ExecutableOwner whole(owner.graph);
  CHECK(cudaGraphExecChildGraphNodeSetParams(whole.executable, child, high.graph) == cudaSuccess);
  whole.launch();
  CHECK(device.read()[0] == 0);
  CHECK(device.read()[16] == 2);
  CHECK(cudaGraphExecChildGraphNodeSetParams(whole.executable, child, nullptr) ==
        cudaErrorInvalidValue);
  CHECK(cudaGraphExecChildGraphNodeSetParams(whole.executable, node, high.graph) ==
        cudaErrorInvalidValue);
}

TEST_CASE("a node of any type takes parameters of its own type", "[cudart][graph]") {
  const GraphOwner owner;
  DeviceBuffer<unsigned char> device(std::vector<unsigned char>(16, 0));
  const auto fill = bytes_of(device.get(), 1, 16);
  cudaGraphNode_t node = nullptr;
  REQUIRE(cudaGraphAddMemsetNode(&node, owner.graph, nullptr, 0, &fill) == cudaSuccess);
  const ExecutableOwner before(owner.graph);
  cudaGraphNodeParams other = {};
  other.type = cudaGraphNodeTypeMemset;
  other.memset.dst = device.get() + 8;
  other.memset.value = 5;
  other.memset.elementSize = 1;
  other.memset.width = 4;
  other.memset.height = 1;
  CHECK(cudaGraphExecNodeSetParams(before.executable, node, &other) == cudaSuccess);
  before.launch();
  CHECK(device.read()[7] == 0);
  CHECK(device.read()[8] == 5);
  other.memset.value = 6;
  CHECK(cudaGraphNodeSetParams(node, &other) == cudaSuccess);
  launch(owner.graph);
  CHECK(device.read()[8] == 6);

  other.type = cudaGraphNodeTypeEmpty;
  CHECK(cudaGraphNodeSetParams(node, &other) == cudaErrorInvalidValue);
  CHECK(cudaGraphExecNodeSetParams(before.executable, node, &other) == cudaErrorInvalidValue);
  CHECK(cudaGraphNodeSetParams(node, nullptr) == cudaErrorInvalidValue);
  CHECK(cudaGraphExecNodeSetParams(before.executable, node, nullptr) == cudaErrorInvalidValue);
}

TEST_CASE("an executable remembers the flags that it was made with", "[cudart][graph]") {
  const GraphOwner owner;
  cudaGraphNode_t first = nullptr;
  cudaGraphNode_t second = nullptr;
  REQUIRE(cudaGraphAddEmptyNode(&first, owner.graph, nullptr, 0) == cudaSuccess);
  REQUIRE(cudaGraphAddEmptyNode(&second, owner.graph, &first, 1) == cudaSuccess);
  size_t count = 1;
  cudaGraphNode_t before = nullptr;
  CHECK(cudaGraphNodeGetDependencies(second, &before, nullptr, &count) == cudaSuccess);
  CHECK(count == 1);
  CHECK(before == first);
  CHECK(cudaGraphNodeGetDependencies(first, nullptr, nullptr, &count) == cudaSuccess);
  CHECK(count == 0);
  CHECK(cudaGraphNodeGetDependencies(nullptr, nullptr, nullptr, &count) == cudaErrorInvalidValue);

  const unsigned long long priority = cudaGraphInstantiateFlagUseNodePriority;
  cudaGraphExec_t executable = nullptr;
  unsigned long long flags = 0;
  CHECK(cudaGraphInstantiateWithFlags(&executable, owner.graph, priority) == cudaSuccess);
  CHECK(cudaGraphExecGetFlags(executable, &flags) == cudaSuccess);
  CHECK(flags == priority);
  CHECK(cudaGraphExecGetFlags(executable, nullptr) == cudaErrorInvalidValue);
  CHECK(cudaGraphUpload(executable, nullptr) == cudaSuccess);
  CHECK(cudaGraphUpload(nullptr, nullptr) == cudaErrorInvalidValue);
  CHECK(cudaGraphUpload(executable, reinterpret_cast<cudaStream_t>(&flags)) ==
        cudaErrorInvalidResourceHandle);
  CHECK(cudaGraphExecDestroy(executable) == cudaSuccess);
  CHECK(cudaGraphInstantiateWithFlags(&executable, owner.graph, 1ull << 40) ==
        cudaErrorInvalidValue);

  cudaGraphInstantiateParams parameters = {};
  parameters.flags = priority;
  parameters.result_out = cudaGraphInstantiateError;
  CHECK(cudaGraphInstantiateWithParams(&executable, owner.graph, &parameters) == cudaSuccess);
  CHECK(parameters.result_out == cudaGraphInstantiateSuccess);
  CHECK(cudaGraphExecDestroy(executable) == cudaSuccess);
  CHECK(cudaGraphInstantiateWithParams(&executable, nullptr, &parameters) == cudaErrorInvalidValue);
  CHECK(parameters.result_out != cudaGraphInstantiateSuccess);
  CHECK(cudaGraphInstantiateWithParams(&executable, owner.graph, nullptr) == cudaErrorInvalidValue);
}
