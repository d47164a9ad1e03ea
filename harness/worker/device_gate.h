#pragma once

#include <cuda.h>

namespace warpgrade::worker {

/// Keeps a GPU from starting anything for a while, so that a call's first kernels are queued behind
/// the start event before it comes up.
///
/// Without it the time between two events begins with the way from the host to an idle device: 3 to
/// 15 us that belong to the machine, and to where a process happens to have its queues in memory
/// (docs/performance.md, "Timing on a GPU").
///
/// It is a kernel that fills every thread slot of the device and looks at the clock. Work on other
/// streams finds no room beside it: what a submission launches early does not run early.
class DeviceGate {
 public:
  /// For the current device, with the driver that the runtime has loaded.
  /// @throws std::runtime_error
  DeviceGate();

  /// Closes it for some hundred microseconds, on the default stream, and returns at once.
  /// @throws std::runtime_error
  void close() const;

 private:
  CUfunction kernel_ = nullptr;
  decltype(&cuLaunchKernel) launch_ = nullptr;
  unsigned blocks_ = 0;
  unsigned threads_ = 0;  // of a block
};

}  // namespace warpgrade::worker
