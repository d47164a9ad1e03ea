#include "emulator/libraries/cublas/handle.h"

#include "emulator/libraries/registry.h"
#include "emulator/libraries/runtime_entry.h"
#include "emulator/libraries/version_part.h"

// Handles and their modes.

namespace warpsim::cublas {
namespace {

/// Sets or gets a mode of a live handle. @param change  of the handle
template <class Change>
Status with(Handle* handle, bool has_result, Change change) {
  if (!is_live(handle)) return Status::not_initialized;
  if (!has_result) return Status::invalid_value;
  change(*handle);
  return Status::success;
}

}  // namespace

}  // namespace warpsim::cublas

using warpsim::cublas::Handle;
using warpsim::cublas::PointerMode;
using warpsim::cublas::Status;
using warpsim::cublas::with;

extern "C" {

Status cublasCreate_v2(Handle** handle) {
  if (handle == nullptr) return Status::invalid_value;
  if (warpsim::libraries::runtime() == nullptr) return Status::not_initialized;
  *handle = warpsim::libraries::registry<Handle>().add({});
  return Status::success;
}

Status cublasDestroy_v2(Handle* handle) {
  const bool was_live = warpsim::libraries::registry<Handle>().remove(handle);
  return was_live ? Status::success : Status::not_initialized;
}

Status cublasSetStream_v2(Handle* handle, cudaStream_t stream) {
  return with(handle, true, [&](Handle& h) { h.stream = stream; });
}
Status cublasGetStream_v2(Handle* handle, cudaStream_t* stream) {
  return with(handle, stream != nullptr, [&](Handle& h) { *stream = h.stream; });
}

Status cublasSetPointerMode_v2(Handle* handle, PointerMode mode) {
  const bool known = mode == PointerMode::host || mode == PointerMode::device;
  return with(handle, known, [&](Handle& h) { h.pointer_mode = mode; });
}
Status cublasGetPointerMode_v2(Handle* handle, PointerMode* mode) {
  return with(handle, mode != nullptr, [&](Handle& h) { *mode = h.pointer_mode; });
}

Status cublasSetMathMode(Handle* handle, int mode) {
  return with(handle, true, [&](Handle& h) { h.math_mode = mode; });
}
Status cublasGetMathMode(Handle* handle, int* mode) {
  return with(handle, mode != nullptr, [&](Handle& h) { *mode = h.math_mode; });
}

Status cublasSetAtomicsMode(Handle* handle, int mode) {
  return with(handle, mode == 0 || mode == 1, [&](Handle& h) { h.atomics_mode = mode; });
}
Status cublasGetAtomicsMode(Handle* handle, int* mode) {
  return with(handle, mode != nullptr, [&](Handle& h) { *mode = h.atomics_mode; });
}

Status cublasSetSmCountTarget(Handle* handle, int multiprocessors) {
  return with(handle, multiprocessors >= 0,
              [&](Handle& h) { h.multiprocessors = multiprocessors; });
}
Status cublasGetSmCountTarget(Handle* handle, int* multiprocessors) {
  return with(handle, multiprocessors != nullptr,
              [&](Handle& h) { *multiprocessors = h.multiprocessors; });
}

/// The library needs no memory of the device of its own.
Status cublasSetWorkspace_v2(Handle* handle, void* /*memory*/, std::size_t /*bytes*/) {
  return with(handle, true, [](Handle&) {});
}

Status cublasGetVersion_v2(Handle* /*handle*/, int* version) {
  if (version == nullptr) return Status::invalid_value;
  *version = warpsim::cublas::kVersion;
  return Status::success;
}

std::size_t cublasGetCudartVersion() {
  return CUDART_VERSION;
}

Status cublasGetProperty(int part, int* value) {
  return warpsim::libraries::version_part(warpsim::cublas::kVersion, 10000, part, value)
             ? Status::success
             : Status::invalid_value;
}

}  // extern "C"
