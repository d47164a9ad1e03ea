#include "emulator/libraries/cusparse/descriptors.h"
#include "emulator/libraries/cusparse/status.h"
#include "emulator/libraries/registry.h"
#include "emulator/libraries/runtime_entry.h"
#include "emulator/libraries/version_part.h"

// Handles and their modes, and the log, which has no messages here.

namespace warpsim::cusparse {
namespace {

/// Sets or gets a mode of a live handle. @param change  of the handle
template <class Change>
Status with_handle(Handle* handle, bool is_valid, Change change) {
  if (!libraries::registry<Handle>().has(handle) || !is_valid) return Status::invalid_value;
  change(*handle);
  return Status::success;
}

}  // namespace
}  // namespace warpsim::cusparse

using warpsim::cusparse::Handle;
using warpsim::cusparse::PointerMode;
using warpsim::cusparse::Status;
using warpsim::cusparse::with_handle;

extern "C" {

Status cusparseCreate(Handle** handle) {
  if (handle == nullptr) return Status::invalid_value;
  if (warpsim::libraries::runtime() == nullptr) return Status::not_initialized;
  *handle = warpsim::libraries::registry<Handle>().add({});
  return Status::success;
}

Status cusparseDestroy(Handle* handle) {
  const bool was_live = warpsim::libraries::registry<Handle>().remove(handle);
  return was_live ? Status::success : Status::invalid_value;
}

Status cusparseSetStream(Handle* handle, cudaStream_t stream) {
  return with_handle(handle, true, [&](Handle& h) { h.stream = stream; });
}
Status cusparseGetStream(Handle* handle, cudaStream_t* stream) {
  return with_handle(handle, stream != nullptr, [&](Handle& h) { *stream = h.stream; });
}

Status cusparseSetPointerMode(Handle* handle, PointerMode mode) {
  const bool known = mode == PointerMode::host || mode == PointerMode::device;
  return with_handle(handle, known, [&](Handle& h) { h.pointer_mode = mode; });
}
Status cusparseGetPointerMode(Handle* handle, PointerMode* mode) {
  return with_handle(handle, mode != nullptr, [&](Handle& h) { *mode = h.pointer_mode; });
}

Status cusparseGetVersion(Handle* handle, int* version) {
  return with_handle(handle, version != nullptr,
                     [&](Handle&) { *version = warpsim::cusparse::kVersion; });
}

Status cusparseGetProperty(int part, int* value) {
  return warpsim::libraries::version_part(warpsim::cusparse::kVersion, 1000, part, value)
             ? Status::success
             : Status::invalid_value;
}

Status cusparseLoggerSetCallback(void (* /*callback*/)(int, const char*, const char*)) {
  return Status::success;
}
Status cusparseLoggerSetFile(void* /*file*/) {
  return Status::success;
}
Status cusparseLoggerOpenFile(const char* /*file*/) {
  return Status::success;
}
Status cusparseLoggerSetLevel(int /*level*/) {
  return Status::success;
}
Status cusparseLoggerSetMask(int /*mask*/) {
  return Status::success;
}
Status cusparseLoggerForceDisable() {
  return Status::success;
}

}  // extern "C"
