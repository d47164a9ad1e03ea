#include <catch2/catch_test_macros.hpp>
#include <vector>

#include "emulator/cudart/tests/device_buffer.h"
#include "emulator/cudart/tests/kernels.h"

namespace {

struct StreamPair {
  cudaStream_t first = nullptr;
  cudaStream_t second = nullptr;
  StreamPair() {
    REQUIRE(cudaStreamCreate(&first) == cudaSuccess);
    REQUIRE(cudaStreamCreate(&second) == cudaSuccess);
  }
  ~StreamPair() {
    (void)cudaStreamDestroy(first);
    (void)cudaStreamDestroy(second);
  }
};

}  // namespace

TEST_CASE("a captured graph runs when launched, with the arguments of the capture",
          "[cudart][graph]") {
  StreamPair streams;
  DeviceBuffer<int> device(std::vector<int>(32, 0));
  std::vector<int> host(32);
  REQUIRE(cudaStreamBeginCapture(streams.first, cudaStreamCaptureModeGlobal) == cudaSuccess);
  int value = 4;
  launch_fill(1, 32, device.get(), value, streams.first);
  value = 99;
  CHECK(cudaMemcpyAsync(host.data(), device.get(), 128, cudaMemcpyDeviceToHost, streams.first) ==
        cudaSuccess);
  cudaGraph_t graph = nullptr;
  REQUIRE(cudaStreamEndCapture(streams.first, &graph) == cudaSuccess);
  CHECK(host == std::vector<int>(32, 0));

  cudaGraphExec_t executable = nullptr;
  REQUIRE(cudaGraphInstantiate(&executable, graph, 0) == cudaSuccess);
  CHECK(cudaGraphDestroy(graph) == cudaSuccess);
  CHECK(cudaGraphLaunch(executable, streams.first) == cudaSuccess);
  CHECK(host == std::vector<int>(32, 4));
  CHECK(cudaMemset(device.get(), 0, 128) == cudaSuccess);
  CHECK(cudaGraphLaunch(executable, streams.second) == cudaSuccess);
  CHECK(device.read() == std::vector<int>(32, 4));
  CHECK(cudaGraphExecDestroy(executable) == cudaSuccess);
  CHECK(cudaGraphLaunch(executable, streams.first) == cudaErrorInvalidValue);
}

TEST_CASE("a second stream joins a capture through an event", "[cudart][graph]") {
  StreamPair streams;
  DeviceBuffer<int> device(std::vector<int>(64, 0));
  cudaEvent_t fork = nullptr;
  cudaEvent_t join = nullptr;
  REQUIRE(cudaEventCreate(&fork) == cudaSuccess);
  REQUIRE(cudaEventCreate(&join) == cudaSuccess);
  REQUIRE(cudaStreamBeginCapture(streams.first, cudaStreamCaptureModeGlobal) == cudaSuccess);
  CHECK(cudaEventRecord(fork, streams.first) == cudaSuccess);
  CHECK(cudaStreamWaitEvent(streams.second, fork, 0) == cudaSuccess);
  launch_fill(1, 32, device.get(), 1, streams.first);
  launch_fill(1, 32, device.get() + 32, 2, streams.second);
  CHECK(cudaEventRecord(join, streams.second) == cudaSuccess);
  CHECK(cudaStreamWaitEvent(streams.first, join, 0) == cudaSuccess);
  CHECK(cudaEventQuery(join) == cudaErrorCapturedEvent);
  cudaGraph_t graph = nullptr;
  REQUIRE(cudaStreamEndCapture(streams.first, &graph) == cudaSuccess);
  CHECK(device.read() == std::vector<int>(64, 0));
  cudaGraphExec_t executable = nullptr;
  REQUIRE(cudaGraphInstantiate(&executable, graph, 0) == cudaSuccess);
  CHECK(cudaGraphLaunch(executable, nullptr) == cudaSuccess);
  CHECK(device.read()[31] == 1);
  CHECK(device.read()[63] == 2);
  CHECK(cudaGraphExecDestroy(executable) == cudaSuccess);
  CHECK(cudaGraphDestroy(graph) == cudaSuccess);
  CHECK(cudaEventDestroy(fork) == cudaSuccess);
  CHECK(cudaEventDestroy(join) == cudaSuccess);
}

TEST_CASE("waiting for a capturing stream spoils the capture", "[cudart][graph]") {
  StreamPair streams;
  REQUIRE(cudaStreamBeginCapture(streams.first, cudaStreamCaptureModeGlobal) == cudaSuccess);
  cudaStreamCaptureStatus status = cudaStreamCaptureStatusNone;
  CHECK(cudaStreamIsCapturing(streams.first, &status) == cudaSuccess);
  CHECK(status == cudaStreamCaptureStatusActive);
  CHECK(cudaStreamSynchronize(streams.first) == cudaErrorStreamCaptureUnsupported);
  cudaGraph_t graph = nullptr;
  CHECK(cudaStreamEndCapture(streams.first, &graph) == cudaErrorStreamCaptureInvalidated);
  CHECK(graph == nullptr);
  CHECK(cudaStreamIsCapturing(streams.first, &status) == cudaSuccess);
  CHECK(status == cudaStreamCaptureStatusNone);
}

TEST_CASE("a capture begins once, on a created stream, and ends where it began",
          "[cudart][graph]") {
  StreamPair streams;
  cudaGraph_t graph = nullptr;
  CHECK(cudaStreamBeginCapture(nullptr, cudaStreamCaptureModeGlobal) ==
        cudaErrorStreamCaptureUnsupported);
  CHECK(cudaStreamEndCapture(streams.first, &graph) == cudaErrorIllegalState);
  CHECK(cudaStreamBeginCapture(streams.first, cudaStreamCaptureModeRelaxed) == cudaSuccess);
  CHECK(cudaStreamBeginCapture(streams.first, cudaStreamCaptureModeRelaxed) ==
        cudaErrorIllegalState);
  CHECK(cudaStreamEndCapture(streams.first, &graph) == cudaSuccess);
  CHECK(cudaGraphDestroy(graph) == cudaSuccess);
}

TEST_CASE("a capture may end without its graph being wanted", "[cudart][graph]") {
  StreamPair streams;
  CHECK(cudaStreamEndCapture(streams.first, nullptr) == cudaErrorIllegalState);
  REQUIRE(cudaStreamBeginCapture(streams.first, cudaStreamCaptureModeGlobal) == cudaSuccess);
  CHECK(cudaStreamEndCapture(streams.first, nullptr) == cudaSuccess);
  CHECK(cudaStreamSynchronize(streams.first) == cudaSuccess);
  REQUIRE(cudaStreamBeginCapture(streams.first, cudaStreamCaptureModeGlobal) == cudaSuccess);
  CHECK(cudaStreamSynchronize(streams.first) == cudaErrorStreamCaptureUnsupported);
  CHECK(cudaStreamEndCapture(streams.first, nullptr) == cudaErrorStreamCaptureInvalidated);
}
