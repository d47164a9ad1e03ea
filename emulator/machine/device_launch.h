#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string_view>
#include <vector>

#include "emulator/machine/launch.h"

// Dynamic parallelism: what kernels ask of the device runtime. Its functions come without PTX, so a
// call of one is a call of a builtin.

namespace warpsim {

struct CallOperands;
struct Inst;
struct Warp;

/// Work that a kernel put into a stream of the device. It runs after the kernel: CUDA does not
/// promise that it begins earlier, and a kernel cannot wait for it.
struct DeviceWork {
  enum class Kind : std::uint8_t { kernel, copy, fill };
  Kind kind = Kind::kernel;
  bool tail_launch = false;  // after all other work of the kernel and what that launched
  const Kernel* kernel = nullptr;
  Dim3 grid = {}, block = {};
  std::uint32_t shared_bytes = 0;
  std::vector<std::byte> parameters = {};
  std::uint64_t to = 0, from = 0, bytes = 0;  // of a copy or fill
  int value = 0;  // of a fill
};

/// What the launch that runs has asked for. Such kernels run on one host thread.
class DeviceWorkQueue {
 public:
  /// CUDA's limit: a kernel from the host has depth 0.
  static constexpr int kDeepest = 24;
  /// cudaLimitDevRuntimePendingLaunchCount, by default.
  static constexpr std::size_t kMostPending = 2048;

  int depth = 0;  // of the kernel that runs
  std::vector<DeviceWork> pending;
  std::map<std::uint64_t, DeviceWork> buffers;  // parameters that are being filled, by address
  std::map<std::uint64_t, int> last_errors;  // cudaError_t by thread, where there is one
  std::uint64_t next_handle = 0x1000;  // of streams and events, which need no state
};

/// Runs a call of the device runtime.
/// @param name  "__cudaCDP2LaunchDeviceV2"; compilers other than nvcc: "cudaLaunchDeviceV2"
/// @param next  set to the instruction that follows
/// @returns false if this is not a function of the device runtime that the emulator has
[[nodiscard]] bool call_device_runtime(Warp& warp, const Inst& in, std::string_view name,
                                       const CallOperands& site, const Inst*& next);

}  // namespace warpsim
