#pragma once

#include "harness/worker/driver_kernel.h"

namespace warpgrade::worker {

/// Keeps a GPU from starting anything for a while, so that a call's first kernels are queued behind
/// the start event before it comes up.
///
/// Without it the time between two events includes the latency of a launch on an idle device: 3 to
/// 15 us that depend on the machine and on the addresses of a process's queues
/// (docs/performance.md, "Timing on a GPU").
///
/// It is a kernel that fills every thread slot of the device and polls the clock. Work on other
/// streams finds no free slots, so kernels that a submission launches early do not run early.
class DeviceGate {
 public:
  /// For the current device, with the driver loaded by the runtime.
  /// @throws std::runtime_error
  DeviceGate();

  /// Closes it for a few hundred microseconds, on the default stream, and returns at once.
  /// @throws std::runtime_error
  void close() const;

 private:
  DriverKernel kernel_;
  unsigned blocks_ = 0;
  unsigned threads_ = 0;  // per block
};

}  // namespace warpgrade::worker
