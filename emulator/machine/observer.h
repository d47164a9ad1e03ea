#pragma once

#include <cstddef>
#include <cstdint>

#include "emulator/isa/inst.h"
#include "emulator/isa/lane_shape.h"
#include "emulator/ptx/type.h"

// What the machine tells the observers of a launch. Which these are is decided once per launch
// (LaunchState::observers); handlers of instructions do not know.

namespace warpsim {

struct WarpContext;

enum class AccessType : std::uint8_t { load, store, atomic };

/// What the lanes of a warp store, as registers: up to four elements of equal size per lane.
struct StoredValues {
  const std::byte* registers[4] = {};  // 32 lanes of `register_bytes` each
  std::uint32_t count = 0;  // elements
  std::uint32_t register_bytes = 0;
  std::uint32_t element_bytes = 0;

  /// One byte of what a lane stores.
  [[nodiscard]] std::byte byte(std::size_t lane, std::size_t index) const {
    return registers[index / element_bytes][lane * register_bytes + index % element_bytes];
  }
};

/// Lanes of a warp are about to access memory of one space: alignment and bounds are checked, and
/// the bytes still hold what was there.
struct MemoryAccess {
  const Inst& in;
  ptx::Space space = ptx::Space::global;  // global or shared
  AccessType type = AccessType::load;
  std::uint32_t width = 0;  // bytes per lane
  std::uint32_t lanes = 0;  // not none
  /// 32 of them, of which those of `lanes` count: device addresses; in shared memory offsets, which
  /// may name a block of the cluster (kClusterStride). Null where the lanes have a shape.
  const std::uint64_t* addresses = nullptr;
  const LaneShape* shape = nullptr;
  std::uint64_t first = 0;  // of lanes that have a shape: the first one's address
  const StoredValues* values = nullptr;  // of a store, where they are known

  /// Fills in 32 addresses. @tparam Address  wide enough for those of the space
  template <class Address>
  void spread(Address* to) const {
    for (std::size_t i = 0; i < kWarpSize; ++i) {
      to[i] = addresses != nullptr
                  ? static_cast<Address>(addresses[i])
                  : static_cast<Address>(first) +
                        static_cast<Address>(static_cast<std::int32_t>(shape->relative[i]));
    }
  }
};

class AccessObserver {
 public:
  AccessObserver() = default;
  AccessObserver(const AccessObserver&) = delete;
  AccessObserver& operator=(const AccessObserver&) = delete;

  virtual void access(WarpContext& context, const MemoryAccess& access) = 0;
  /// A load, and a store of known values, of lanes that have a shape. Most accesses are such, and
  /// come as arguments, without a MemoryAccess; by default these make one.
  /// @param space, first  as in MemoryAccess
  virtual void load(WarpContext& context, const Inst& in, ptx::Space space, std::uint64_t first,
                    const LaneShape& shape);
  virtual void store(WarpContext& context, const Inst& in, ptx::Space space, std::uint64_t first,
                     const LaneShape& shape, const StoredValues& values);
  /// Bytes that copy engines or functions of the system read or write for the warp.
  /// @param address  generic
  virtual void transfer(WarpContext& context, const Inst& in, std::uint64_t address,
                        std::uint64_t bytes, AccessType type);
  /// The active lanes execute membar or fence.
  virtual void fence(WarpContext& context, const Inst& in);

 protected:
  ~AccessObserver() = default;
};

}  // namespace warpsim
