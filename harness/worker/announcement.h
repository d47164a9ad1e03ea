#pragma once

#include <deque>

namespace warpgrade::worker {

class BoundArgument;

/// Tells the emulator which arrays the call has and when it is over. Another CUDA runtime is told
/// nothing.
class Announcement {
 public:
  /// The call comes next.
  /// @throws std::runtime_error  when the emulator does not take it
  explicit Announcement(const std::deque<BoundArgument>& arguments);

  void returned() const;
};

}  // namespace warpgrade::worker
