#include <mutex>
#include <set>

#include "emulator/libraries/cublas/status.h"
#include "emulator/libraries/cublasLt/descriptors.h"
#include "emulator/libraries/version_part.h"

// Handles, which hold nothing, the version, and the log, which has no messages here.

namespace warpsim::cublas_lt {
namespace {

/// A byte, so that each handle has an address of its own.
struct LightHandle {
  char unused = 0;
};

struct Destroyed {
  std::mutex mutex;
  std::set<const void*> handles;
};

Destroyed& destroyed() {
  static auto& instance = *new Destroyed;
  return instance;
}

}  // namespace

void check_handle(Request& request, const void* handle) {
  bool was_destroyed = false;
  {
    const std::lock_guard lock(destroyed().mutex);
    was_destroyed = destroyed().handles.contains(handle);
  }
  if (handle != nullptr && !was_destroyed) return;
  request.refuse(handle == nullptr ? "the handle is null" : "the handle was destroyed",
                 "a handle of cublasLtCreate, before cublasLtDestroy", Status::not_initialized);
}

}  // namespace warpsim::cublas_lt

using warpsim::cublas::Status;
using warpsim::cublas_lt::destroyed;
using warpsim::cublas_lt::LightHandle;

extern "C" {

Status cublasLtCreate(LightHandle** handle) {
  if (handle == nullptr) return Status::invalid_value;
  if (warpsim::libraries::runtime() == nullptr) return Status::not_initialized;
  *handle = warpsim::libraries::registry<LightHandle>().add({});
  const std::lock_guard lock(destroyed().mutex);
  destroyed().handles.erase(*handle);
  return Status::success;
}

Status cublasLtDestroy(LightHandle* handle) {
  const std::lock_guard lock(destroyed().mutex);
  if (!warpsim::libraries::registry<LightHandle>().remove(handle)) return Status::not_initialized;
  destroyed().handles.insert(handle);
  return Status::success;
}

const char* cublasLtGetStatusName(Status status) {
  return warpsim::cublas::name_of(status);
}
const char* cublasLtGetStatusString(Status status) {
  return warpsim::cublas::text_of(status);
}

std::size_t cublasLtGetVersion() {
  return warpsim::cublas::kVersion;
}
std::size_t cublasLtGetCudartVersion() {
  return CUDART_VERSION;
}
Status cublasLtGetProperty(int part, int* value) {
  return warpsim::libraries::version_part(warpsim::cublas::kVersion, 10000, part, value)
             ? Status::success
             : Status::invalid_value;
}

/// There is no search, so nothing is cached.
Status cublasLtHeuristicsCacheGetCapacity(std::size_t* capacity) {
  if (capacity == nullptr) return Status::invalid_value;
  *capacity = 0;
  return Status::success;
}
Status cublasLtHeuristicsCacheSetCapacity(std::size_t /*capacity*/) {
  return Status::success;
}

Status cublasLtLoggerSetCallback(void (* /*callback*/)(int, const char*, const char*)) {
  return Status::success;
}
Status cublasLtLoggerSetFile(void* /*file*/) {
  return Status::success;
}
Status cublasLtLoggerOpenFile(const char* /*file*/) {
  return Status::success;
}
Status cublasLtLoggerSetLevel(int /*level*/) {
  return Status::success;
}
Status cublasLtLoggerSetMask(int /*mask*/) {
  return Status::success;
}
Status cublasLtLoggerForceDisable() {
  return Status::success;
}

}  // extern "C"
