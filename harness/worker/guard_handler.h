#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "harness/worker/host_buffer.h"

namespace warpgrade::worker {

struct GuardedBuffer {
  std::string name;
  const HostBuffer* buffer = nullptr;
};

/// During its lifetime, a fault in a guard of one of the buffers is recorded ("guard a after 4
/// read") before it ends the process. Other faults go to the previous handler.
class GuardHandler {
 public:
  /// @param buffers  must outlive this
  GuardHandler(std::span<const GuardedBuffer> buffers, int record_fd);
  ~GuardHandler();
  /// Of the handler's function, for the emulator.
  [[nodiscard]] static std::uint64_t address();
  GuardHandler(const GuardHandler&) = delete;
  GuardHandler& operator=(const GuardHandler&) = delete;
};

}  // namespace warpgrade::worker
