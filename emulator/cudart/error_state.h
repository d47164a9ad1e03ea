#pragma once

#include <cuda_runtime_api.h>

#include <optional>
#include <set>
#include <string>

#include "emulator/cudart/call_site.h"

namespace warpsim::cudart {

/// Errors, as the real runtime handles them. Measured on an H200 with CUDA 13.0:
///
/// - An ordinary error is kept for the calling thread until cudaGetLastError takes it.
/// - A kernel's fault is not seen by the launch, by a later launch, or by cudaGetLastError: the
///   next call that synchronises with the device returns it, and so does every such call after it.
/// - cudaDeviceReset then succeeds, but the process cannot use the device again: error 46.
/// - With several devices, the others return the kernel's fault, too (measured on two H100), until
///   they are reset.
class ErrorState {
 public:
  /// Keeps `error` as the calling thread's last one; success keeps what is there.
  void record(cudaError_t error);
  [[nodiscard]] cudaError_t peek() const;
  cudaError_t take();

  /// A kernel faulted. The first fault stays.
  void set_fault(cudaError_t fault);
  [[nodiscard]] bool faulted() const { return fault_ != cudaSuccess; }
  /// The error that a synchronising call must return instead of doing its work, or success.
  [[nodiscard]] cudaError_t notice_fault() {
    noticed_ = faulted();
    return noticed_fault();
  }
  /// The fault if a call has returned it already: a launch before that is silently dropped.
  [[nodiscard]] cudaError_t noticed_fault() const;
  /// cudaDeviceReset of the current device.
  void reset();

  /// A failed call after which the program has not queried an error. Whether the program checked a
  /// returned value is unknown, so a failed call alone proves nothing. But a `<<<>>>` returns no
  /// value, and a program that later fails because it uses a resource that a failed call did not
  /// create did not check that call's error either.
  struct Failure {
    cudaError_t error = cudaSuccess;
    std::string api;
    Frames frames;
    bool by_launch = false;  // a `<<<>>>`
    bool makes = false;  // it should have created a resource for later calls, like cudaMalloc
    /// It cannot be captured, so that the capture has failed: what the program goes on to add to it
    /// fails, too.
    bool spoils_capture = false;
    /// cudaStreamEndCapture, which fails after that whether the program checked or not: a capture
    /// has to be ended.
    bool ends_capture = false;
    /// A kernel faulted because of the missing resource: later checks do not count.
    bool certain = false;
  };
  /// Records a failed call, except one that returns a kernel's fault again.
  void note_failure(Failure failure);
  /// The program queried the last error, or an error's name or text.
  void looked();
  /// The failure that the program certainly never checked, or nothing.
  [[nodiscard]] const std::optional<Failure>& unchecked() const { return unchecked_; }

 private:
  void blame_maker();

  cudaError_t fault_ = cudaSuccess;
  bool noticed_ = false;
  std::set<int> unavailable_;  // devices that were reset after the fault
  /// The first failed call that should have created a resource, or spoiled a capture.
  std::optional<Failure> maker_;
  std::optional<Failure> unchecked_;
};

}  // namespace warpsim::cudart
