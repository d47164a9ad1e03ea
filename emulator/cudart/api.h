#pragma once

#include <cuda_runtime_api.h>

#include "emulator/cudart/host_program.h"
#include "emulator/cudart/per_thread.h"
#include "emulator/cudart/runtime.h"

// The wrapper of every exported function. An exported function is
//
//   cudaError_t CUDARTAPI cudaFree(void* pointer) {
//     return api(__func__, [&](Call& call) { ... return cudaSuccess; });
//   }
//
// and its body returns the error code; the wrapper handles locking, sticky errors, the last error,
// exceptions and the caller's location.

namespace warpsim::cudart {

/// One API call in progress: holds the runtime's lock.
class Call {
 public:
  Call(const char* name, const void* return_address);
  ~Call() {
    runtime.watch.close();
    runtime.call_in_progress = outer_;
  }
  Call(const Call&) = delete;
  Call& operator=(const Call&) = delete;

  Runtime& runtime;
  const char* const name;
  /// Location of the `<<<>>>`, which has no result to check; null for an ordinary call.
  const void* chevrons = nullptr;

  [[nodiscard]] Frames frames() const { return HostProgram::get().frames(return_address_); }
  [[nodiscard]] CallSite site() const { return resolve(name, frames()); }
  /// The same, but of the `<<<>>>` where there is one.
  [[nodiscard]] CallSite launch_site() const {
    return chevrons == nullptr ? site() : resolve(name, Frames{{chevrons}});
  }
  /// No other call of the runtime is in progress.
  [[nodiscard]] bool is_outermost() const { return outer_ == nullptr; }
  /// The call has found that it must wait for a kernel that waits (StreamTable::ask_to_wait), and
  /// has done so: a kernel has ended. @returns false if it need not or cannot
  [[nodiscard]] bool has_waited();
  /// The error of every call in a forked child of a process that used the device, or success.
  [[nodiscard]] cudaError_t refusal() const;
  /// Keeps the error as the thread's last one and returns it.
  cudaError_t finish(cudaError_t error);
  /// The error for the current exception, which is reported if it is useful to the user.
  cudaError_t translate_exception();

 private:
  const void* return_address_;
  const DefaultStreamOfCall default_stream_;
  void wait_for_kernels();

  std::unique_lock<std::recursive_timed_mutex> lock_;
  const Call* const outer_;  // a host function or a kernel that waits may let the program call
};

template <class Body>
cudaError_t run_guarded(Call& call, Body& body) {
  try {
    cudaError_t result = body(call);
    while (call.has_waited()) {
      const cudaError_t fault = call.runtime.errors.notice_fault();
      result = fault != cudaSuccess ? fault : body(call);
    }
    return call.finish(result);
  } catch (...) {
    return call.finish(call.translate_exception());
  }
}

/// A call that synchronises with the device: after a kernel's fault it returns that error instead.
template <class Body>
[[gnu::always_inline]] inline cudaError_t api(const char* name, Body&& body) {
  Call call(name, __builtin_return_address(0));
  if (const cudaError_t refusal = call.refusal()) return call.finish(refusal);
  if (const cudaError_t fault = call.runtime.errors.notice_fault()) return call.finish(fault);
  return run_guarded(call, body);
}

/// A call that only queries the machine or the runtime, and works after a fault, too.
template <class Body>
[[gnu::always_inline]] inline cudaError_t query(const char* name, Body&& body) {
  Call call(name, __builtin_return_address(0));
  if (const cudaError_t refusal = call.refusal()) return call.finish(refusal);
  return run_guarded(call, body);
}

}  // namespace warpsim::cudart

/// Defines the form of a function that --default-stream per-thread selects. Its type does not name
/// the parameters, so a resolver gives the loader its address. Some of the functions are
/// deprecated.
#define WARPSIM_TWIN(function, suffix)                                             \
  _Pragma("GCC diagnostic push")                                                   \
      _Pragma("GCC diagnostic ignored \"-Wdeprecated-declarations\"") extern "C" { \
    static auto form_of_##function##suffix()                                       \
        ->warpsim::cudart::PerThreadForm<decltype(function)>::Type* {              \
      return &warpsim::cudart::PerThreadForm<decltype(function)>::call<&function>; \
    }                                                                              \
    warpsim::cudart::PerThreadForm<decltype(function)>::Type function##suffix      \
        __attribute__((ifunc("form_of_" #function #suffix)));                      \
  }                                                                                \
  _Pragma("GCC diagnostic pop")
