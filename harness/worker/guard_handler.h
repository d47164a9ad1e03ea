#pragma once

#include <span>
#include <string>

#include "harness/worker/host_buffer.h"

namespace warpgrade::worker {

struct GuardedBuffer {
  std::string name;
  const HostBuffer* buffer = nullptr;
};

/// While it lives, a fault in one of the buffers' guards is noted in the record ("guard a after 4
/// read") before the process dies of it. Other faults go to whoever handled them before.
class GuardHandler {
 public:
  /// @param buffers  must outlive this
  GuardHandler(std::span<const GuardedBuffer> buffers, int record_fd);
  ~GuardHandler();
  GuardHandler(const GuardHandler&) = delete;
  GuardHandler& operator=(const GuardHandler&) = delete;
};

}  // namespace warpgrade::worker
