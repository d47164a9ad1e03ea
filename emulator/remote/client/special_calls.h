#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>

// Implementations of functions that differ between the CUDA versions in form only.

namespace warpsim::remote {

/// @param data  edge data, which does not exist here: set to null
cudaError_t ask_capture_info(cudaStream_t stream, cudaStreamCaptureStatus* status,
                             unsigned long long* id, cudaGraph_t* graph,
                             const cudaGraphNode_t** dependencies, const cudaGraphEdgeData** data,
                             size_t* count, const void* return_address);
cudaError_t ask_update_capture(cudaStream_t stream, const cudaGraphNode_t* nodes, size_t count,
                               unsigned flags, const void* return_address);

}  // namespace warpsim::remote
