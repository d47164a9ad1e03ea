#include <catch2/catch_test_macros.hpp>
#include <vector>

#include "emulator/cudart/tests/device_buffer.h"
#include "emulator/cudart/tests/kernels.h"

// Nodes whose bodies kernels choose and repeat.

namespace {

struct GraphOwner {
  cudaGraph_t graph = nullptr;
  GraphOwner() { REQUIRE(cudaGraphCreate(&graph, 0) == cudaSuccess); }
  ~GraphOwner() { (void)cudaGraphDestroy(graph); }
  GraphOwner(const GraphOwner&) = delete;
  GraphOwner& operator=(const GraphOwner&) = delete;
};

cudaGraphConditionalHandle make_handle(cudaGraph_t graph, unsigned value, bool at_launch) {
  cudaGraphConditionalHandle handle = 0;
  REQUIRE(cudaGraphConditionalHandleCreate(
              &handle, graph, value, at_launch ? cudaGraphCondAssignDefault : 0) == cudaSuccess);
  return handle;
}

cudaGraphNodeParams conditional(cudaGraphConditionalHandle handle,
                                cudaGraphConditionalNodeType type, unsigned size) {
  cudaGraphNodeParams parameters = {};
  parameters.type = cudaGraphNodeTypeConditional;
  parameters.conditional.handle = handle;
  parameters.conditional.type = type;
  parameters.conditional.size = size;
  return parameters;
}

/// The bodies of a new node behind `after`, if any.
cudaGraph_t* add_conditional(cudaGraph_t graph, const cudaGraphNode_t* after,
                             cudaGraphConditionalHandle handle, cudaGraphConditionalNodeType type,
                             unsigned size) {
  cudaGraphNode_t node = nullptr;
  cudaGraphNodeParams parameters = conditional(handle, type, size);
  REQUIRE(cudaGraphAddNode(&node, graph, after, nullptr, after == nullptr ? 0 : 1, &parameters) ==
          cudaSuccess);
  REQUIRE(parameters.conditional.phGraph_out != nullptr);
  return parameters.conditional.phGraph_out;
}

template <class First, class Second>
cudaGraphNode_t add_kernel_node(cudaGraph_t graph, const cudaGraphNode_t* after, const void* kernel,
                                First first, Second second) {
  cudaGraphNode_t node = nullptr;
  void* arguments[2] = {&first, &second};
  cudaKernelNodeParams parameters = {};
  parameters.func = const_cast<void*>(kernel);
  parameters.gridDim = {1, 1, 1};
  parameters.blockDim = {1, 1, 1};
  parameters.kernelParams = arguments;
  REQUIRE(cudaGraphAddKernelNode(&node, graph, after, after == nullptr ? 0 : 1, &parameters) ==
          cudaSuccess);
  return node;
}

void run(cudaGraph_t graph, int launches = 1) {
  cudaGraphExec_t executable = nullptr;
  REQUIRE(cudaGraphInstantiate(&executable, graph, 0) == cudaSuccess);
  for (int i = 0; i < launches; ++i) CHECK(cudaGraphLaunch(executable, nullptr) == cudaSuccess);
  CHECK(cudaDeviceSynchronize() == cudaSuccess);
  CHECK(cudaGraphExecDestroy(executable) == cudaSuccess);
}

/// What each body of one node adds: 100 for body 0, 101 for body 1, ...
int chosen(cudaGraphConditionalNodeType type, unsigned size, unsigned value, bool by_kernel) {
  GraphOwner owner;
  DeviceBuffer<int> out(std::vector<int>{0});
  const auto handle = make_handle(owner.graph, by_kernel ? 0 : value, true);
  cudaGraphNode_t setter = nullptr;
  if (by_kernel) {
    setter = add_kernel_node(owner.graph, nullptr, set_condition_kernel(), handle, value);
  }
  cudaGraph_t* const bodies =
      add_conditional(owner.graph, by_kernel ? &setter : nullptr, handle, type, size);
  for (unsigned i = 0; i < size; ++i) {
    add_kernel_node(bodies[i], nullptr, add_kernel(), out.get(), static_cast<int>(100 + i));
  }
  run(owner.graph);
  return out.read()[0];
}

}  // namespace

TEST_CASE("a while node runs its body until a kernel clears the condition", "[cudart][graph]") {
  GraphOwner owner;
  DeviceBuffer<int> counter(std::vector<int>{5});
  DeviceBuffer<int> rounds(std::vector<int>{0});
  const auto handle = make_handle(owner.graph, 1, true);
  cudaGraph_t* const body =
      add_conditional(owner.graph, nullptr, handle, cudaGraphCondTypeWhile, 1);
  const cudaGraphNode_t first =
      add_kernel_node(body[0], nullptr, count_down_kernel(), handle, counter.get());
  add_kernel_node(body[0], &first, add_kernel(), rounds.get(), 1);
  // The second launch starts with the default again: one round more, from 0 to -1.
  run(owner.graph, 2);
  CHECK(counter.read()[0] == -1);
  CHECK(rounds.read()[0] == 6);
}

TEST_CASE("an if node runs its body, or its second one, as the condition says", "[cudart][graph]") {
  for (const bool by_kernel : {false, true}) {
    CHECK(chosen(cudaGraphCondTypeIf, 1, 0, by_kernel) == 0);
    CHECK(chosen(cudaGraphCondTypeIf, 1, 7, by_kernel) == 100);
    CHECK(chosen(cudaGraphCondTypeIf, 2, 0, by_kernel) == 101);
    CHECK(chosen(cudaGraphCondTypeIf, 2, 1, by_kernel) == 100);
  }
}

TEST_CASE("a switch node runs the body of the condition's number, or none", "[cudart][graph]") {
  for (const bool by_kernel : {false, true}) {
    CHECK(chosen(cudaGraphCondTypeSwitch, 3, 0, by_kernel) == 100);
    CHECK(chosen(cudaGraphCondTypeSwitch, 3, 2, by_kernel) == 102);
    CHECK(chosen(cudaGraphCondTypeSwitch, 3, 3, by_kernel) == 0);
  }
}

TEST_CASE("conditions nest, and a body can be captured from a stream", "[cudart][graph]") {
  GraphOwner owner;
  DeviceBuffer<int> counter(std::vector<int>{3});
  DeviceBuffer<int> out(std::vector<int>(4, 0));
  const auto loop = make_handle(owner.graph, 1, true);
  cudaGraph_t* const body = add_conditional(owner.graph, nullptr, loop, cudaGraphCondTypeWhile, 1);
  const cudaGraphNode_t first =
      add_kernel_node(body[0], nullptr, count_down_kernel(), loop, counter.get());
  const auto inner = make_handle(body[0], 1, true);
  cudaGraph_t* const choice = add_conditional(body[0], &first, inner, cudaGraphCondTypeIf, 1);
  cudaStream_t stream = nullptr;
  REQUIRE(cudaStreamCreate(&stream) == cudaSuccess);
  REQUIRE(cudaStreamBeginCaptureToGraph(stream, choice[0], nullptr, nullptr, 0,
                                        cudaStreamCaptureModeGlobal) == cudaSuccess);
  launch_fill(1, 4, out.get(), 9, stream);
  cudaGraph_t captured = nullptr;
  REQUIRE(cudaStreamEndCapture(stream, &captured) == cudaSuccess);
  CHECK(captured == choice[0]);
  CHECK(cudaStreamDestroy(stream) == cudaSuccess);
  run(owner.graph);
  CHECK(counter.read()[0] == 0);
  CHECK(out.read() == std::vector<int>(4, 9));
}

TEST_CASE("a conditional node needs a handle of its graph that no other node has",
          "[cudart][graph]") {
  GraphOwner owner;
  GraphOwner other;
  cudaGraphNode_t node = nullptr;
  const auto add = [&](cudaGraphNodeParams parameters) {
    return cudaGraphAddNode(&node, owner.graph, nullptr, nullptr, 0, &parameters);
  };
  const auto foreign = make_handle(other.graph, 0, false);
  const auto handle = make_handle(owner.graph, 0, false);
  CHECK(add(conditional(foreign, cudaGraphCondTypeIf, 1)) == cudaErrorInvalidValue);
  CHECK(add(conditional(12345, cudaGraphCondTypeIf, 1)) == cudaErrorInvalidValue);
  CHECK(add(conditional(handle, cudaGraphCondTypeIf, 0)) == cudaErrorInvalidValue);
  CHECK(add(conditional(handle, cudaGraphCondTypeIf, 3)) == cudaErrorInvalidValue);
  CHECK(add(conditional(handle, cudaGraphCondTypeWhile, 2)) == cudaErrorInvalidValue);
  CHECK(add(conditional(handle, cudaGraphCondTypeSwitch, 0)) == cudaErrorInvalidValue);
  CHECK(add(conditional(handle, cudaGraphCondTypeSwitch, 4)) == cudaSuccess);
  cudaGraphNodeType type = cudaGraphNodeTypeEmpty;
  CHECK(cudaGraphNodeGetType(node, &type) == cudaSuccess);
  CHECK(type == cudaGraphNodeTypeConditional);
  CHECK(add(conditional(handle, cudaGraphCondTypeIf, 1)) == cudaErrorInvalidValue);
  cudaGraphConditionalHandle none = 0;
  CHECK(cudaGraphConditionalHandleCreate(nullptr, owner.graph, 0, 0) == cudaErrorInvalidValue);
  CHECK(cudaGraphConditionalHandleCreate(&none, owner.graph, 0, 8) == cudaErrorInvalidValue);
  CHECK(cudaGraphConditionalHandleCreate(&none, nullptr, 0, 0) == cudaErrorInvalidValue);
}

TEST_CASE("bodies belong to their node, and the graph is not cloned or instantiated twice",
          "[cudart][graph]") {
  GraphOwner owner;
  GraphOwner parent;
  const auto handle = make_handle(owner.graph, 0, true);
  cudaGraph_t* const bodies = add_conditional(owner.graph, nullptr, handle, cudaGraphCondTypeIf, 1);
  CHECK(cudaGraphDestroy(bodies[0]) == cudaErrorInvalidValue);
  cudaGraph_t clone = nullptr;
  cudaGraphNode_t child = nullptr;
  CHECK(cudaGraphClone(&clone, owner.graph) == cudaErrorNotSupported);
  CHECK(cudaGraphAddChildGraphNode(&child, parent.graph, nullptr, 0, owner.graph) ==
        cudaErrorNotSupported);
  cudaGraphExec_t first = nullptr;
  cudaGraphExec_t second = nullptr;
  CHECK(cudaGraphInstantiate(&first, owner.graph, 0) == cudaSuccess);
  CHECK(cudaGraphInstantiate(&second, owner.graph, 0) == cudaErrorNotSupported);
  CHECK(cudaGraphExecDestroy(first) == cudaSuccess);
}

TEST_CASE("a loop that never ends is given up", "[cudart][graph]") {
  GraphOwner owner;
  add_conditional(owner.graph, nullptr, make_handle(owner.graph, 1, true), cudaGraphCondTypeWhile,
                  1);
  cudaGraphExec_t executable = nullptr;
  REQUIRE(cudaGraphInstantiate(&executable, owner.graph, 0) == cudaSuccess);
  CHECK(cudaGraphLaunch(executable, nullptr) == cudaSuccess);
  CHECK(cudaDeviceSynchronize() == cudaErrorLaunchTimeout);
}

TEST_CASE("a body with a node that it cannot have is not instantiated", "[cudart][graph]") {
  GraphOwner owner;
  const auto handle = make_handle(owner.graph, 0, true);
  cudaGraph_t* const bodies = add_conditional(owner.graph, nullptr, handle, cudaGraphCondTypeIf, 1);
  const cudaHostNodeParams nothing = {[](void*) {}, nullptr};
  cudaGraphNode_t node = nullptr;
  REQUIRE(cudaGraphAddHostNode(&node, bodies[0], nullptr, 0, &nothing) == cudaSuccess);
  cudaGraphExec_t executable = nullptr;
  CHECK(cudaGraphInstantiate(&executable, owner.graph, 0) == cudaErrorInvalidValue);
}
