#include "emulator/isa/handlers/families.h"
#include "emulator/isa/handlers/memory_bind.h"
#include "emulator/isa/handlers/memory_path.h"

// ld and st of shared memory: addresses are offsets in the block's shared memory.

namespace warpsim::WARPSIM_SIMD {
namespace {

/// Offsets of all lanes; inactive lanes get the first active lane's.
template <class A, class T>
[[gnu::always_inline]] inline void lane_offsets(const Warp& w, const Inst& in, T* offset) {
  const A* a = w.reg<A>(in.a);
  const u32 constant = static_cast<u32>(in.offset);
  if (w.active == kFullMask) [[likely]] {
    for (int i = 0; i < kWarpSize; ++i) offset[i] = static_cast<u32>(a[i]) + constant;
    return;
  }
  const u32 first = static_cast<u32>(a[std::countr_zero(w.active)]) + constant;
  for (int i = 0; i < kWarpSize; ++i) {
    offset[i] = (w.active >> i) & 1 ? static_cast<u32>(a[i]) + constant : first;
  }
}

/// Shared memory: the instruction remembers the array that it last used.
/// @tparam A  type of the registers with addresses, of which 32 bits count
template <class A>
struct Shared {
  static constexpr ptx::Space kSpace = ptx::Space::shared;
  static constexpr u32 kWatch = kAccesses | kSharedInitialization;
  static constexpr bool kCached = false;

  static void addresses(const Warp& w, const Inst& in, u64* address) {
    lane_offsets<A>(w, in, address);
  }
  /// The first active lane's offset.
  [[gnu::always_inline]] static u32 first(const Warp& w, const Inst& in) {
    const u32 lane = static_cast<u32>(std::countr_zero(w.active)) & 31;
    return static_cast<u32>(w.reg<A>(in.a)[lane]) + static_cast<u32>(in.offset);
  }
  [[gnu::noinline]] static bool same_narrow_shape(const Warp& w, const Inst& in,
                                                  const LaneShape& shape) {
    alignas(64) u32 offset[kWarpSize];
    lane_offsets<u64>(w, in, offset);
    return same_shape(offset, w.active, shape);
  }
  /// The access has the shape of the last time, and with its first lane at `first` all are good.
  [[gnu::always_inline]] static bool repeats(const Warp& w, const Inst& in, const InlineCache& memo,
                                             u32 first) {
    if (!memo.fits(first)) return false;
    if constexpr (sizeof(A) == 4) {
      return same_shape(w.reg<A>(in.a), w.active, memo.pattern.shape);
    } else {
      return same_narrow_shape(w, in, memo.pattern.shape);
    }
  }
  [[gnu::always_inline]] static void count_repeated(const WarpContext& context, const Inst& in,
                                                    const InlineCache& memo) {
    Counts& counts = context.tables->counts[in.index];
    ++counts.requests;
    counts.bytes += memo.pattern.shape.bytes;
    counts.wavefronts += memo.pattern.passes;
    counts.ideal_wavefronts += memo.pattern.ideal;
  }
  /// Counts another shape than the last one, and remembers it.
  /// @returns false when lanes are not aligned, which is reported
  [[gnu::noinline]] static bool learn(const Warp& w, const Inst& in, InlineCache& memo) {
    WarpContext& context = *w.context;
    alignas(64) u64 address[kWarpSize];
    lane_offsets<A>(w, in, address);
    const AccessRequest request{.in = in, .space = kSpace, .width = in.width};
    if (!begin_access(context, request, address)) return false;
    if ((context.block->watch & kCounts) == 0) {
      alignas(64) u32 offset[kWarpSize];
      lane_offsets<A>(w, in, offset);
      learn_shape(offset, w.active, in.width, memo.pattern);
    }
    memo.fit(in.width);
    return true;
  }
  [[gnu::always_inline]] static std::byte* place(const BlockContext& block, const InlineCache&,
                                                 u32 first) {
    return block.shared.data() + first;
  }
  template <AccessType>
  [[gnu::always_inline]] static bool has_shadow(const BlockContext&, const InlineCache&) {
    return false;  // kWatch says so
  }
  template <AccessType>
  [[gnu::always_inline]] static std::uint8_t* shadow(BlockContext& block, const InlineCache&,
                                                     u32 first) {
    if ((block.watch & kSharedInitialization) == 0) return nullptr;
    return block.shared_written.bytes() + first;
  }
  /// After so many loads of initialized bytes, all of it may be.
  [[gnu::always_inline]] static void is_initialized(BlockContext& block) {
    if (--block.until_scan == 0) scan_shared(block);
  }
};

}  // namespace

void bind_shared_load(Binder& b, const MemoryForm& form, bool wide_address) {
  b.inst.run = wide_address ? pick_handler<Access<Shared<u64>, AccessType::load>>(b, form)
                            : pick_handler<Access<Shared<u32>, AccessType::load>>(b, form);
}
void bind_shared_store(Binder& b, const MemoryForm& form, bool wide_address) {
  b.inst.run = wide_address ? pick_handler<Access<Shared<u64>, AccessType::store>>(b, form)
                            : pick_handler<Access<Shared<u32>, AccessType::store>>(b, form);
}

std::span<const NativeForm> memory_shared_native() {
  static constexpr NativeForm kForms[] = {
      {&access<Shared<u32>, AccessType::load, u32, u32>, NativeOp::load_shared, NativeType::u32, 0},
      {&access<Shared<u32>, AccessType::store, u32, u32>, NativeOp::store_shared, NativeType::u32,
       0},
      {&access<Shared<u64>, AccessType::load, u32, u32>, NativeOp::load_shared, NativeType::u32, 1},
      {&access<Shared<u64>, AccessType::store, u32, u32>, NativeOp::store_shared, NativeType::u32,
       1},
      {&access<Shared<u32>, AccessType::load, u64, u64>, NativeOp::load_shared, NativeType::u64, 0},
      {&access<Shared<u32>, AccessType::store, u64, u64>, NativeOp::store_shared, NativeType::u64,
       0},
      {&access<Shared<u64>, AccessType::load, u64, u64>, NativeOp::load_shared, NativeType::u64, 1},
      {&access<Shared<u64>, AccessType::store, u64, u64>, NativeOp::store_shared, NativeType::u64,
       1},
  };
  return kForms;
}

}  // namespace warpsim::WARPSIM_SIMD
