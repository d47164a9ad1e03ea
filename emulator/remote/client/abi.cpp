#include "emulator/cudart/abi_calls.h"
#include "emulator/remote/client/special_calls.h"

using warpsim::remote::ask_capture_info;
using warpsim::remote::ask_update_capture;

namespace warpsim::cudart {

extern "C" {

cudaError_t stream_get_capture_info(cudaStream_t stream, cudaStreamCaptureStatus* status,
                                    unsigned long long* id, cudaGraph_t* graph,
                                    const cudaGraphNode_t** dependencies,
                                    const cudaGraphEdgeData** data, size_t* count) {
  return ask_capture_info(stream, status, id, graph, dependencies, data, count,
                          __builtin_return_address(0));
}

cudaError_t stream_update_capture(cudaStream_t stream, cudaGraphNode_t* nodes,
                                  const cudaGraphEdgeData*, size_t count, unsigned flags) {
  return ask_update_capture(stream, nodes, count, flags, __builtin_return_address(0));
}

#if WARPSIM_CUDA_MAJOR == 12

cudaError_t stream_get_capture_info_v1(cudaStream_t stream, cudaStreamCaptureStatus* status,
                                       unsigned long long* id) {
  return ask_capture_info(stream, status, id, nullptr, nullptr, nullptr, nullptr,
                          __builtin_return_address(0));
}

cudaError_t stream_get_capture_info_v2(cudaStream_t stream, cudaStreamCaptureStatus* status,
                                       unsigned long long* id, cudaGraph_t* graph,
                                       const cudaGraphNode_t** dependencies, size_t* count) {
  return ask_capture_info(stream, status, id, graph, dependencies, nullptr, count,
                          __builtin_return_address(0));
}

cudaError_t older_stream_update_capture(cudaStream_t stream, cudaGraphNode_t* nodes, size_t count,
                                        unsigned flags) {
  return ask_update_capture(stream, nodes, count, flags, __builtin_return_address(0));
}

#else

cudaError_t stream_get_capture_info_ptsz(cudaStream_t stream, cudaStreamCaptureStatus* status,
                                         unsigned long long* id, cudaGraph_t* graph,
                                         const cudaGraphNode_t** dependencies,
                                         const cudaGraphEdgeData** data, size_t* count) {
  return ask_capture_info(stream, status, id, graph, dependencies, data, count,
                          __builtin_return_address(0));
}

cudaError_t stream_update_capture_ptsz(cudaStream_t stream, cudaGraphNode_t* nodes,
                                       const cudaGraphEdgeData*, size_t count, unsigned flags) {
  return ask_update_capture(stream, nodes, count, flags, __builtin_return_address(0));
}

#endif

}  // extern "C"
}  // namespace warpsim::cudart
