#pragma once

#include <cuda_runtime_api.h>

#include <stdexcept>
#include <string>

#include "harness/worker/record_writer.h"

namespace warpgrade::worker {

/// @throws std::runtime_error  with CUDA's message, if `status` is an error
inline void check(cudaError_t status, const char* what) {
  if (status == cudaSuccess) return;
  throw std::runtime_error(std::string(what) + ": " + cudaGetErrorName(status) + ", " +
                           cudaGetErrorString(status));
}

/// Records an error, with its number, name and text; nothing if `status` is a success.
inline void record_error(RecordWriter& record, const char* key, cudaError_t status) {
  if (status == cudaSuccess) return;
  record.line(key, std::to_string(static_cast<int>(status)) + " " + cudaGetErrorName(status) + " " +
                       cudaGetErrorString(status));
}

}  // namespace warpgrade::worker
