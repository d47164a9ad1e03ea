#pragma once

#include <cuda.h>

#include <type_traits>

// The default stream of a host thread. Programs compiled with CUDA_API_PER_THREAD_DEFAULT_STREAM
// call other forms of the functions that work in a stream (cuMemcpyAsync_ptsz, cuMemcpy_ptds).

namespace warpsim::driver {

/// A call of such a form of a function that has no parameter for its stream, or has it in a
/// structure.
class PerThreadCall {
 public:
  PerThreadCall();
  ~PerThreadCall();
  PerThreadCall(const PerThreadCall&) = delete;
  PerThreadCall& operator=(const PerThreadCall&) = delete;
};

/// Whether the function that this thread calls was called in such a form. A second question is
/// answered with no: host functions that run during the call may make calls of their own.
[[nodiscard]] bool take_per_thread();

/// The stream that the default stream's handle stands for in such a form; all else as it is.
template <class T>
T in_per_thread_form(T argument) {
  if constexpr (std::is_same_v<T, CUstream>) {
    return argument == nullptr ? CU_STREAM_PER_THREAD : argument;
  } else {
    return argument;
  }
}

/// The form of a function.
template <class F>
struct PerThreadForm;
template <class... P>
struct PerThreadForm<CUresult(P...)> {
  using Type = CUresult(P...);
  template <Type* kFunction>
  static CUresult call(P... arguments) {
    const PerThreadCall here;
    return kFunction(in_per_thread_form(arguments)...);
  }
};

}  // namespace warpsim::driver
