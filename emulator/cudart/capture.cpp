#include <algorithm>
#include <set>

#include "emulator/cudart/api.h"
#include "emulator/cudart/capture.h"
#include "emulator/cudart/graphs.h"

// Stream capture: work submitted to a stream becomes nodes of a graph instead of running.

namespace warpsim::cudart {
namespace {

bool is_default(cudaStream_t stream) {
  return stream == nullptr || stream == cudaStreamLegacy || stream == cudaStreamPerThread;
}

thread_local cudaStreamCaptureMode thread_capture_mode = cudaStreamCaptureModeGlobal;

/// The nodes of the handles; nothing if one is not in the graph.
std::optional<std::vector<GraphNode*>> nodes_of(const Call& call, const Graph& graph,
                                                const cudaGraphNode_t* handles, size_t count) {
  std::vector<GraphNode*> nodes;
  for (std::size_t i = 0; i < count; ++i) {
    GraphNode* node = handles == nullptr ? nullptr : call.runtime.graphs.find(handles[i]);
    if (node == nullptr || node->graph != &graph) return std::nullopt;
    nodes.push_back(node);
  }
  return nodes;
}

/// @param into  the graph to add to, or null for a new one
cudaError_t begin_capture(Call& call, cudaStream_t handle, cudaStreamCaptureMode mode, Graph* into,
                          std::vector<GraphNode*> after) {
  Stream* stream = call.runtime.streams.find(handle);
  if (stream == nullptr) return cudaErrorInvalidResourceHandle;
  if (is_default(handle)) return cudaErrorStreamCaptureUnsupported;
  if (mode < cudaStreamCaptureModeGlobal || mode > cudaStreamCaptureModeRelaxed) {
    return cudaErrorInvalidValue;
  }
  if (stream->capture) return cudaErrorIllegalState;
  const bool own = into == nullptr;
  Graph& graph = own ? call.runtime.graphs.add() : *into;
  call.runtime.streams.begin_capture(*stream, handle, mode, graph, own);
  stream->frontier = std::move(after);
  return cudaSuccess;
}

/// Everything that the nodes depend on, themselves included.
std::set<const GraphNode*> with_ancestors(const std::vector<GraphNode*>& nodes) {
  std::set<const GraphNode*> seen;
  std::vector<const GraphNode*> open(nodes.begin(), nodes.end());
  while (!open.empty()) {
    const GraphNode* node = open.back();
    open.pop_back();
    if (!seen.insert(node).second) continue;
    open.insert(open.end(), node->needs.begin(), node->needs.end());
  }
  return seen;
}

/// @param graph  may be null: the capture ends, and its graph is not wanted
cudaError_t end_capture(Call& call, cudaStream_t handle, cudaGraph_t* graph) {
  Stream* stream = call.runtime.streams.find(handle);
  if (stream == nullptr) return cudaErrorInvalidResourceHandle;
  if (graph != nullptr) *graph = nullptr;
  if (!stream->capture) return cudaErrorIllegalState;
  const std::shared_ptr<Capture> capture = stream->capture;
  if (capture->origin != handle) return cudaErrorStreamCaptureUnmatched;
  const auto joined = with_ancestors(stream->frontier);
  const bool all_joined = call.runtime.streams.every_in_capture(*capture, [&](const Stream& other) {
    return std::all_of(other.frontier.begin(), other.frontier.end(),
                       [&](const GraphNode* node) { return joined.contains(node); });
  });
  call.runtime.streams.end_capture(*capture);
  cudaGraph_t made = capture->graph->handle();
  const bool complete = !capture->invalidated && all_joined;
  if (complete && graph != nullptr) {
    *graph = made;
    return cudaSuccess;
  }
  if (capture->owns_graph) call.runtime.graphs.destroy(made);
  if (complete) return cudaSuccess;
  return capture->invalidated ? cudaErrorStreamCaptureInvalidated : cudaErrorStreamCaptureUnjoined;
}

cudaStreamCaptureStatus status_of(const Stream& stream) {
  return !stream.capture               ? cudaStreamCaptureStatusNone
         : stream.capture->invalidated ? cudaStreamCaptureStatusInvalidated
                                       : cudaStreamCaptureStatusActive;
}

}  // namespace

cudaError_t refuse_while_capturing(Call& call) {
  if (thread_capture_mode == cudaStreamCaptureModeRelaxed) return cudaSuccess;
  return call.runtime.streams.refuse_while_capturing();
}

cudaError_t capture_info(Call& call, cudaStream_t handle, const CaptureInfo& info) {
  Stream* stream = call.runtime.streams.find(handle);
  if (stream == nullptr) return cudaErrorInvalidResourceHandle;
  if (info.status == nullptr) return cudaErrorInvalidValue;
  *info.status = status_of(*stream);
  if (*info.status != cudaStreamCaptureStatusActive) return cudaSuccess;
  stream->frontier_handles.clear();
  for (GraphNode* node : stream->frontier) stream->frontier_handles.push_back(node->handle());
  if (info.id != nullptr) *info.id = stream->capture->id;
  if (info.graph != nullptr) *info.graph = stream->capture->graph->handle();
  if (info.dependencies != nullptr) *info.dependencies = stream->frontier_handles.data();
  if (info.count != nullptr) *info.count = stream->frontier_handles.size();
  return cudaSuccess;
}

cudaError_t update_capture_dependencies(Call& call, cudaStream_t handle, cudaGraphNode_t* handles,
                                        size_t count, unsigned flags) {
  Stream* stream = call.runtime.streams.find(handle);
  if (stream == nullptr) return cudaErrorInvalidResourceHandle;
  if (!stream->capture) return cudaErrorIllegalState;
  if (flags > cudaStreamSetCaptureDependencies) return cudaErrorInvalidValue;
  const auto nodes = nodes_of(call, *stream->capture->graph, handles, count);
  if (!nodes) return cudaErrorInvalidValue;
  if (flags == cudaStreamSetCaptureDependencies) stream->frontier.clear();
  stream->frontier.insert(stream->frontier.end(), nodes->begin(), nodes->end());
  return cudaSuccess;
}

}  // namespace warpsim::cudart

using namespace warpsim::cudart;

extern "C" {

cudaError_t cudaStreamBeginCapture(cudaStream_t stream, cudaStreamCaptureMode mode) {
  return api(__func__, [&](Call& call) { return begin_capture(call, stream, mode, nullptr, {}); });
}

cudaError_t cudaStreamBeginCaptureToGraph(cudaStream_t stream, cudaGraph_t handle,
                                          const cudaGraphNode_t* dependencies,
                                          const cudaGraphEdgeData*, size_t count,
                                          cudaStreamCaptureMode mode) {
  return api(__func__, [&](Call& call) {
    Graph* graph = call.runtime.graphs.find(handle);
    if (graph == nullptr) return cudaErrorInvalidValue;
    auto after = nodes_of(call, *graph, dependencies, count);
    if (!after) return cudaErrorInvalidValue;
    return begin_capture(call, stream, mode, graph, std::move(*after));
  });
}

cudaError_t cudaStreamEndCapture(cudaStream_t stream, cudaGraph_t* graph) {
  return api(__func__, [&](Call& call) { return end_capture(call, stream, graph); });
}

cudaError_t cudaStreamIsCapturing(cudaStream_t stream, cudaStreamCaptureStatus* status) {
  return api(__func__, [&](Call& call) { return capture_info(call, stream, {.status = status}); });
}

cudaError_t cudaThreadExchangeStreamCaptureMode(cudaStreamCaptureMode* mode) {
  return api(__func__, [&](Call&) {
    if (mode == nullptr) return cudaErrorInvalidValue;
    std::swap(*mode, thread_capture_mode);
    return cudaSuccess;
  });
}

}  // extern "C"

WARPSIM_TWIN(cudaStreamBeginCapture, _ptsz)
WARPSIM_TWIN(cudaStreamBeginCaptureToGraph, _ptsz)
WARPSIM_TWIN(cudaStreamEndCapture, _ptsz)
WARPSIM_TWIN(cudaStreamIsCapturing, _ptsz)
