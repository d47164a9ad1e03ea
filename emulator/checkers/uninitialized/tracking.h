#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <unordered_map>
#include <utility>
#include <vector>

#include "emulator/checkers/list.h"
#include "emulator/isa/inst.h"
#include "emulator/machine/context.h"
#include "emulator/machine/observer.h"
#include "emulator/ptx/type.h"

// Values that were read from uninitialized memory, or that a shuffle took from a lane that was
// not there. Reading such bytes is not a mistake: padding
// is copied along with a structure, and loads past the end of the data are often thrown away. It
// becomes one when the value matters: as an address, in a branch, or in a result.
//
// A load of uninitialized bytes puts its warp into tracking mode, a second and slower run loop
// that follows the bits of these values from register to register and through shared and local
// memory (tracking.cpp, tracking_memory.cpp), until none is left. Normal runs pay nothing for it.

namespace warpsim {

struct Flow;

/// The load that brought uninitialized bytes into registers; or two others, when a value depends on
/// several loads.
struct Origin {
  const Inst* inst = nullptr;  // null: `first` and `second` say where it comes from
  const Program* program = nullptr;
  std::uint32_t warp = 0;  // within the block
  std::uint32_t lanes = 0;  // that read uninitialized bytes
  std::uint32_t whole = 0;  // of these, lanes for which no byte was written
  std::uint32_t width = 0;  // bytes per lane
  ptx::Space space = ptx::Space::global;  // reg: a shuffle; `address` is the lane it reads
  std::uint64_t executed = 0;  // instructions of the warp when it happened
  std::array<std::uint64_t, kWarpSize> address{};  // device address or offset
  std::uint32_t first = 0, second = 0;
};

/// A byte of shared or local memory that was stored, but with a tainted value.
struct Relay {
  std::uint32_t origin = 0;
  bool computed = false;
};

/// A register with bits that depend on uninitialized memory.
struct TaintedSlot {
  std::uint8_t bytes = 0;  // of a lane; 0: a predicate
  std::uint32_t lanes = 0;  // that have such bits
  std::uint32_t computed = 0;  // lanes whose value went through more than moves and masks
  std::array<std::uint32_t, kWarpSize> origin{};  // indices of BlockTracking::origins
  alignas(8) std::array<std::byte, std::size_t{16} * kWarpSize> bits{};  // laid out as the register
};

/// What a warp knows of tainted values.
struct Tracking {
  std::unordered_map<std::size_t, TaintedSlot> slots;  // by offset in the warp's register memory
  std::unordered_map<std::uint64_t, Relay> local;  // by lane << 32 | offset
  std::uint32_t shuffled = 0;  // lanes that the last shuffle gave nothing
  bool parameters = false;  // parameters of calls are tainted, which only tracking mode notices
};

/// What the warps of a block share of it.
struct BlockTracking {
  std::vector<Origin> origins = std::vector<Origin>(1);  // 0 is none
  std::unordered_map<std::uint64_t, std::uint32_t> merged;  // two origins -> their union
  std::unordered_map<const Inst*, std::uint32_t> latest;  // the last origin of a load
  std::unordered_map<std::uint32_t, Relay> shared;  // by offset
};

/// What the checker keeps with a warp that it follows, and with its block.
inline Tracking& tracking_of(const WarpContext& context) {
  return *context.slots.get<Tracking>(kUninitializedSlot);
}
inline BlockTracking& tracking_of(const BlockContext& block) {
  return *block.slots.get<BlockTracking>(kUninitializedSlot);
}

class UninitializedChecker final : public Observer {
 public:
  Follows begin_launch(LaunchState&) override { return Follows::events; }
  void start_block(BlockContext& block) override { block.slots.clear(kUninitializedSlot); }

  // tracking_memory.cpp
  /// Makes the destination of a load tainted where it read uninitialized bytes, and starts
  /// tracking.
  /// @returns false when the instruction is not a load into registers: it uses the bytes at once
  [[nodiscard]] bool load_uninitialized(WarpContext& context, const Inst& in, const Located& at,
                                        std::uint32_t lanes, ptx::Space space) override;
  /// Makes the destination of a shuffle tainted in these lanes, and starts tracking.
  void shuffle_undefined(WarpContext& context, const Inst& in, std::uint32_t lanes,
                         const std::uint32_t* source) override;
  void copy_local(WarpContext& context, std::uint32_t lanes, std::uint32_t to, std::uint32_t from,
                  std::uint32_t bytes) override;
  void set_result(WarpContext& context, int lane, std::uint32_t offset,
                  std::uint32_t bytes) override;
  /// Where bytes of the argument depend on uninitialized memory, all bytes of the result do.
  void compute_result(WarpContext& context, int lane, const ParameterPlace& result,
                      const ParameterPlace& argument) override;
  void use_argument(WarpContext& context, const Inst& in, int lane, std::uint64_t address,
                    std::size_t bytes) override;
  // tracking.cpp
  [[nodiscard]] const Inst* run(WarpContext& context, const Inst* pc) override;
  /// May end the tracking.
  [[nodiscard]] const Inst* execute(WarpContext& context, const Inst& in) override;
  void enter_frame(WarpContext& context, const Frame& frame, std::uint32_t lanes) override;

 private:
  void follow(WarpContext& context);
};

[[nodiscard]] std::unique_ptr<Observer> make_uninitialized_checker();

// -- between the parts of tracking ----------------------------------------------------------------

[[nodiscard]] const Flow& flow_at(WarpContext& context, const Inst& in);

enum class Use : std::uint8_t { address, decision, store, atomic, barrier, function, other };

/// Reports that the values of `lanes` matter for instruction `in`.
void report_use(const WarpContext& context, const Inst& in, const TaintedSlot& slot,
                std::uint32_t lanes, Use use);
/// The same for one origin.
void report_use(const WarpContext& context, const Inst& in, std::uint32_t origin,
                std::uint32_t lanes, Use use);
/// The union of two origins (0: none).
[[nodiscard]] std::uint32_t merge_origins(BlockTracking& block, std::uint32_t a, std::uint32_t b);
/// Marks what a store has written as uninitialized where the values are, or reports them.
/// @param addresses  of each lane, as the instruction has them
void track_store(WarpContext& context, const Inst& in, const Flow& flow, std::uint32_t lanes,
                 const std::array<std::uint64_t, kWarpSize>& addresses);
/// Taints the destination of an ld.param from the relays of local memory.
void track_parameter_load(WarpContext& context, const Flow& flow, std::uint32_t lanes,
                          const std::array<std::uint64_t, kWarpSize>& offsets);

}  // namespace warpsim
