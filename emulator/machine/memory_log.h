#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <unordered_map>
#include <vector>

#include "emulator/machine/context.h"
#include "emulator/machine/observer.h"

// What global memory held when a launch began, for running it again: pages are kept before the
// launch first changes them.

namespace warpsim {

class MemoryLog final : public Observer {
 public:
  /// Forgets what it kept: another launch begins.
  /// @param most_bytes  that it keeps; a launch that changes more memory cannot be undone
  void begin(const LaunchState& launch,
             std::size_t most_bytes = std::numeric_limits<std::size_t>::max());
  /// Whether restore() can undo the launch.
  [[nodiscard]] bool is_whole() const { return pages_left_ != 0; }
  /// Makes memory what it was at begin().
  void restore();

  void access(WarpContext& context, const MemoryAccess& access) override;
  void load(WarpContext&, const Inst&, ptx::Space, std::uint64_t, const LaneShape&) override {}
  void store(WarpContext& context, const Inst& in, ptx::Space space, std::uint64_t first,
             const LaneShape& shape, const StoredValues& values) override;
  void transfer(WarpContext& context, const Inst& in, std::uint64_t address, std::uint64_t bytes,
                AccessType type) override;

 private:
  static constexpr std::uint64_t kPage = 4096;
  struct Page {
    std::byte* to = nullptr;
    std::uint8_t* shadow = nullptr;  // null: nothing is tracked
    std::vector<std::byte> bytes;
    std::vector<std::uint8_t> written;
  };

  void keep(std::uint64_t address, std::uint64_t bytes);
  void keep_page(std::uint64_t page);

  const LaunchState* launch_ = nullptr;
  std::unordered_map<std::uint64_t, Page> pages_;  // by device address
  std::uint64_t last_ = ~std::uint64_t{0};  // the page kept last
  std::size_t pages_left_ = 0;  // that may be kept
};

}  // namespace warpsim
