#pragma once

#include <deque>

namespace warpgrade::worker {

class BoundArgument;

/// Tells the emulator the call's arrays and its end. No effect with another CUDA runtime.
class Announcement {
 public:
  /// Whether the CUDA runtime takes announcements, and its device process delivers the outputs.
  [[nodiscard]] static bool is_possible();

  /// Announces that the call comes next.
  /// @throws std::runtime_error  if the emulator rejects it
  explicit Announcement(const std::deque<BoundArgument>& arguments);

  void returned() const;
};

}  // namespace warpgrade::worker
