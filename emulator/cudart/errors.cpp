#include "emulator/cudart/api.h"
#include "emulator/cudart/error_table.h"

using namespace warpsim::cudart;

extern "C" {

cudaError_t cudaGetLastError() {
  // A kernel's fault is not visible here until a synchronising call has returned it.
  Runtime& runtime = Runtime::get();
  const std::lock_guard lock(runtime.mutex);
  runtime.errors.looked();
  return runtime.errors.take();
}

cudaError_t cudaPeekAtLastError() {
  Runtime& runtime = Runtime::get();
  const std::lock_guard lock(runtime.mutex);
  runtime.errors.looked();
  return runtime.errors.peek();
}

const char* cudaGetErrorName(cudaError_t error) {
  if (Runtime* runtime = Runtime::existing(); runtime != nullptr && error != cudaSuccess) {
    const std::lock_guard lock(runtime->mutex);
    runtime->errors.looked();
  }
  return error_name(error);
}

const char* cudaGetErrorString(cudaError_t error) {
  if (Runtime* runtime = Runtime::existing(); runtime != nullptr && error != cudaSuccess) {
    const std::lock_guard lock(runtime->mutex);
    runtime->errors.looked();
  }
  return error_text(error);
}

}  // extern "C"
