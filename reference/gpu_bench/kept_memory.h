#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <map>
#include <unordered_map>

/// cudaMalloc and cudaFree of a solution that allocates in each call: what it frees is kept for its
/// next call, as the grader's worker keeps it when it measures times (docs/performance.md, "Each
/// call"), and as the libraries keep their scratch memory.
namespace against::kept_memory {

inline std::multimap<std::size_t, void*> free_blocks;
inline std::unordered_map<void*, std::size_t> used_blocks;

template <class T>
cudaError_t cudaMalloc(T** pointer, std::size_t bytes) {
  if (const auto found = free_blocks.find(bytes); found != free_blocks.end()) {
    *pointer = static_cast<T*>(found->second);
    free_blocks.erase(found);
  } else if (const cudaError_t status = ::cudaMalloc(pointer, bytes); status != cudaSuccess) {
    return status;
  }
  used_blocks[*pointer] = bytes;
  return cudaSuccess;
}

inline cudaError_t cudaFree(void* pointer) {
  if (pointer == nullptr) return cudaSuccess;
  const auto found = used_blocks.find(pointer);
  if (found == used_blocks.end()) return cudaErrorInvalidValue;
  free_blocks.emplace(found->second, pointer);
  used_blocks.erase(found);
  return cudaSuccess;
}

}  // namespace against::kept_memory
