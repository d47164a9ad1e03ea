#pragma once

#include <cuda_runtime_api.h>

#include "emulator/cudart/host_program.h"
#include "emulator/cudart/runtime.h"

// What every exported function goes through. An exported function is
//
//   cudaError_t CUDARTAPI cudaFree(void* pointer) {
//     return api(__func__, [&](Call& call) { ... return cudaSuccess; });
//   }
//
// and its body returns the error code; locking, sticky errors, the last error, exceptions and the
// place of the caller are dealt with here.

namespace warpsim::cudart {

/// One call of the API while it runs: holds the runtime's lock.
class Call {
 public:
  Call(const char* name, const void* return_address);
  ~Call() { runtime.watch.close(); }
  Call(const Call&) = delete;
  Call& operator=(const Call&) = delete;

  Runtime& runtime;
  const char* const name;
  /// Where the `<<<>>>` is whose result nobody looks at; null for an ordinary call.
  const void* chevrons = nullptr;

  [[nodiscard]] Frames frames() const { return HostProgram::get().frames(return_address_); }
  [[nodiscard]] CallSite site() const { return resolve(name, frames()); }
  /// What every call returns in a forked child of a process that used the device, or success.
  [[nodiscard]] cudaError_t refusal() const;
  /// Keeps the error as the thread's last one and returns it.
  cudaError_t finish(cudaError_t error);
  /// The error for the exception in flight, reported where it says something to a person.
  cudaError_t translate_exception();

 private:
  const void* return_address_;
  std::unique_lock<std::recursive_timed_mutex> lock_;
};

template <class Body>
cudaError_t run_guarded(Call& call, Body& body) {
  try {
    return call.finish(body(call));
  } catch (...) {
    return call.finish(call.translate_exception());
  }
}

/// A call that looks at the device: after a kernel's fault it returns that error instead.
template <class Body>
[[gnu::always_inline]] inline cudaError_t api(const char* name, Body&& body) {
  Call call(name, __builtin_return_address(0));
  if (const cudaError_t refusal = call.refusal()) return call.finish(refusal);
  if (const cudaError_t fault = call.runtime.errors.notice_fault()) return call.finish(fault);
  return run_guarded(call, body);
}

/// A call that only asks about the machine or the runtime, and works after a fault, too.
template <class Body>
[[gnu::always_inline]] inline cudaError_t query(const char* name, Body&& body) {
  Call call(name, __builtin_return_address(0));
  if (const cudaError_t refusal = call.refusal()) return call.finish(refusal);
  return run_guarded(call, body);
}

}  // namespace warpsim::cudart

/// Defines the twin that --default-stream per-thread selects. All work runs in call order, so the
/// per-thread default stream and the legacy one are the same thing here.
#define WARPSIM_TWIN(function, suffix) \
  extern "C" __typeof__(function) function##suffix __attribute__((alias(#function)));
