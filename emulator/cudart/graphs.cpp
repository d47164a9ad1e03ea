#include "emulator/cudart/graphs.h"

#include "emulator/cudart/api.h"

namespace warpsim::cudart {

cudaGraph_t GraphTable::add(Graph graph) {
  auto owned = std::make_unique<Graph>(std::move(graph));
  auto* handle = reinterpret_cast<cudaGraph_t>(owned.get());
  graphs_[handle] = std::move(owned);
  return handle;
}

const Graph* GraphTable::find(cudaGraph_t handle) const {
  const auto found = graphs_.find(handle);
  return found == graphs_.end() ? nullptr : found->second.get();
}

cudaGraphExec_t GraphTable::instantiate(const Graph& graph) {
  auto owned = std::make_unique<Graph>(graph);
  auto* handle = reinterpret_cast<cudaGraphExec_t>(owned.get());
  executables_[handle] = std::move(owned);
  return handle;
}

const Graph* GraphTable::find(cudaGraphExec_t handle) const {
  const auto found = executables_.find(handle);
  return found == executables_.end() ? nullptr : found->second.get();
}

namespace {

bool is_default(cudaStream_t stream) {
  return stream == nullptr || stream == cudaStreamLegacy || stream == cudaStreamPerThread;
}

cudaError_t begin_capture(Call& call, cudaStream_t handle, cudaStreamCaptureMode mode) {
  Stream* stream = call.runtime.streams.find(handle);
  if (stream == nullptr) return cudaErrorInvalidResourceHandle;
  if (is_default(handle)) return cudaErrorStreamCaptureUnsupported;
  if (stream->capture) return cudaErrorIllegalState;
  call.runtime.streams.begin_capture(*stream, handle, mode);
  return cudaSuccess;
}

cudaError_t end_capture(Call& call, cudaStream_t handle, cudaGraph_t* graph) {
  Stream* stream = call.runtime.streams.find(handle);
  if (stream == nullptr) return cudaErrorInvalidResourceHandle;
  if (graph == nullptr) return cudaErrorInvalidValue;
  *graph = nullptr;
  if (!stream->capture) return cudaErrorIllegalState;
  const std::shared_ptr<Capture> capture = stream->capture;
  if (capture->origin != handle) return cudaErrorStreamCaptureUnmatched;
  call.runtime.streams.end_capture(*capture);
  if (capture->invalidated) return cudaErrorStreamCaptureInvalidated;
  *graph = call.runtime.graphs.add({std::move(capture->operations)});
  return cudaSuccess;
}

cudaError_t instantiate(Call& call, cudaGraphExec_t* executable, cudaGraph_t handle) {
  const Graph* graph = call.runtime.graphs.find(handle);
  if (executable == nullptr || graph == nullptr) return cudaErrorInvalidValue;
  *executable = call.runtime.graphs.instantiate(*graph);
  return cudaSuccess;
}

cudaError_t launch_graph(Call& call, cudaGraphExec_t executable, cudaStream_t stream) {
  const Graph* graph = call.runtime.graphs.find(executable);
  if (graph == nullptr) return cudaErrorInvalidValue;
  // Owned by the operation: a graph launched into a capture becomes part of the other graph.
  return call.runtime.streams.submit(stream, [operations = graph->operations] {
    for (const Operation& operation : operations) {
      if (const cudaError_t error = operation()) return error;
    }
    return cudaSuccess;
  });
}

cudaError_t capture_status(Call& call, cudaStream_t handle, cudaStreamCaptureStatus* status) {
  const Stream* stream = call.runtime.streams.find(handle);
  if (stream == nullptr) return cudaErrorInvalidResourceHandle;
  if (status == nullptr) return cudaErrorInvalidValue;
  *status = !stream->capture               ? cudaStreamCaptureStatusNone
            : stream->capture->invalidated ? cudaStreamCaptureStatusInvalidated
                                           : cudaStreamCaptureStatusActive;
  return cudaSuccess;
}

thread_local cudaStreamCaptureMode thread_capture_mode = cudaStreamCaptureModeGlobal;

}  // namespace
}  // namespace warpsim::cudart

using namespace warpsim::cudart;

extern "C" {

cudaError_t cudaStreamBeginCapture(cudaStream_t stream, cudaStreamCaptureMode mode) {
  return api(__func__, [&](Call& call) { return begin_capture(call, stream, mode); });
}

cudaError_t cudaStreamEndCapture(cudaStream_t stream, cudaGraph_t* graph) {
  return api(__func__, [&](Call& call) { return end_capture(call, stream, graph); });
}

cudaError_t cudaStreamIsCapturing(cudaStream_t stream, cudaStreamCaptureStatus* status) {
  return api(__func__, [&](Call& call) { return capture_status(call, stream, status); });
}

cudaError_t cudaThreadExchangeStreamCaptureMode(cudaStreamCaptureMode* mode) {
  return api(__func__, [&](Call&) {
    if (mode == nullptr) return cudaErrorInvalidValue;
    std::swap(*mode, thread_capture_mode);
    return cudaSuccess;
  });
}

cudaError_t cudaGraphCreate(cudaGraph_t* graph, unsigned flags) {
  return api(__func__, [&](Call& call) {
    if (graph == nullptr || flags != 0) return cudaErrorInvalidValue;
    *graph = call.runtime.graphs.add({});
    return cudaSuccess;
  });
}

cudaError_t cudaGraphDestroy(cudaGraph_t graph) {
  return api(__func__, [&](Call& call) {
    return call.runtime.graphs.destroy(graph) ? cudaSuccess : cudaErrorInvalidValue;
  });
}

cudaError_t cudaGraphInstantiate(cudaGraphExec_t* executable, cudaGraph_t graph,
                                 unsigned long long) {
  return api(__func__, [&](Call& call) { return instantiate(call, executable, graph); });
}

cudaError_t cudaGraphInstantiateWithFlags(cudaGraphExec_t* executable, cudaGraph_t graph,
                                          unsigned long long) {
  return api(__func__, [&](Call& call) { return instantiate(call, executable, graph); });
}

cudaError_t cudaGraphExecDestroy(cudaGraphExec_t executable) {
  return api(__func__, [&](Call& call) {
    return call.runtime.graphs.destroy(executable) ? cudaSuccess : cudaErrorInvalidValue;
  });
}

cudaError_t cudaGraphUpload(cudaGraphExec_t executable, cudaStream_t stream) {
  return api(__func__, [&](Call& call) {
    if (call.runtime.streams.find(stream) == nullptr) return cudaErrorInvalidResourceHandle;
    return call.runtime.graphs.find(executable) == nullptr ? cudaErrorInvalidValue : cudaSuccess;
  });
}

cudaError_t cudaGraphLaunch(cudaGraphExec_t executable, cudaStream_t stream) {
  return api(__func__, [&](Call& call) { return launch_graph(call, executable, stream); });
}

}  // extern "C"

WARPSIM_TWIN(cudaStreamBeginCapture, _ptsz)
WARPSIM_TWIN(cudaStreamEndCapture, _ptsz)
WARPSIM_TWIN(cudaStreamIsCapturing, _ptsz)
WARPSIM_TWIN(cudaGraphUpload, _ptsz)
WARPSIM_TWIN(cudaGraphLaunch, _ptsz)
