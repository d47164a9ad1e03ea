#pragma once

#include <cstdint>

// The default stream of a host thread. Programs compiled with --default-stream per-thread call
// other forms of the functions that work in a stream (cudaMemcpyAsync_ptsz, cudaMemcpy_ptds).

namespace warpsim::cudart {

/// A call of such a form: in the next call that this thread begins, the handle of the default
/// stream stands for the thread's own.
class PerThreadCall {
 public:
  /// @param return_address  of the form; null: that of the function that does the work counts
  explicit PerThreadCall(const void* return_address);
  ~PerThreadCall();
  PerThreadCall(const PerThreadCall&) = delete;
  PerThreadCall& operator=(const PerThreadCall&) = delete;
};

/// What the default stream's handle stands for during a call.
class DefaultStreamOfCall {
 public:
  /// Takes what a PerThreadCall has left. @param return_address  replaced by that of the form
  explicit DefaultStreamOfCall(const void*& return_address);
  ~DefaultStreamOfCall();
  DefaultStreamOfCall(const DefaultStreamOfCall&) = delete;
  DefaultStreamOfCall& operator=(const DefaultStreamOfCall&) = delete;

  /// In the current call of this thread: its own stream, or the legacy one.
  [[nodiscard]] static bool is_per_thread();

 private:
  bool outer_;  // calls nest
};

/// A number for the calling host thread.
[[nodiscard]] std::uint64_t thread_number();

/// The form of a function.
template <class F>
struct PerThreadForm;
template <class R, class... P>
struct PerThreadForm<R(P...)> {
  using Type = R(P...);
  template <Type* kFunction>
  static R call(P... arguments) {
    const PerThreadCall here(__builtin_return_address(0));
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"
    return kFunction(arguments...);
#pragma GCC diagnostic pop
  }
};

}  // namespace warpsim::cudart
