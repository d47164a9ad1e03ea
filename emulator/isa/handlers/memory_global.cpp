#include "emulator/isa/handlers/families.h"
#include "emulator/isa/handlers/memory_bind.h"
#include "emulator/isa/handlers/memory_path.h"

// ld and st of global, constant and generic addresses.

namespace warpsim::WARPSIM_SIMD {
namespace {

/// Global memory: the instruction remembers the allocation that it last used.
struct Global {
  static constexpr ptx::Space kSpace = ptx::Space::global;
  static constexpr u32 kWatch = kAccesses | kCaches;
  static constexpr bool kCached = true;
  static constexpr ptx::Space space(const Inst&) { return kSpace; }

  static void addresses(const Warp& w, const Inst& in, u64* address) {
    lane_addresses(w, in, address);
  }
  /// The first active lane's address.
  [[gnu::always_inline]] static u64 first(const Warp& w, const Inst& in) {
    return w.reg<u64>(in.a)[std::countr_zero(w.active) & 31] + static_cast<u64>(in.offset);
  }
  /// The access has the shape of the last time, and with its first lane at `first` all are aligned
  /// and in the allocation that the instruction last used. It costs what it did then, too.
  [[gnu::always_inline]] static bool repeats(const Warp& w, const Inst& in, const InlineCache& memo,
                                             u64 first) {
    if (!memo.fits(first) || !same_shape(w.reg<u64>(in.a), w.active, memo.pattern.shape)) {
      return false;
    }
    const BlockContext& block = *w.context->block;
    if ((block.watch & kCounts) == 0) return true;
    const bool known_lines = block.cache == nullptr || memo.pattern.lists_lines;
    return (first & 127) == memo.pattern.phase && known_lines;
  }
  /// Counts an access that repeats, but for what the caches do.
  [[gnu::always_inline]] static void count_repeated(const WarpContext& context, const Inst& in,
                                                    const InlineCache& memo) {
    Counts& counts = context.tables->counts[in.index];
    ++counts.requests;
    counts.bytes += memo.pattern.shape.bytes;
    counts.sectors += memo.pattern.passes;
    counts.ideal_sectors += memo.pattern.ideal;
    counts.lines += memo.pattern.lines;
  }
  /// Counts another shape than the last one, and remembers it.
  /// @returns false when lanes are not aligned, which is reported
  static bool learn(const Warp& w, const Inst& in, InlineCache& memo) {
    WarpContext& context = *w.context;
    alignas(64) u64 address[kWarpSize];
    lane_addresses(w, in, address);
    const AccessRequest request{.in = in, .space = kSpace, .width = in.width};
    if (!begin_access(context, request, address)) return false;
    if ((context.block->watch & kCounts) == 0) {
      learn_shape(address, w.active, in.width, memo.pattern);
    }
    memo.fit(in.width);
    return true;
  }
  [[gnu::always_inline]] static std::byte* place(const BlockContext&, const InlineCache& memo,
                                                 u64 first) {
    return reinterpret_cast<std::byte*>(first) + memo.to_host;
  }
  /// Some bytes of the allocation may be uninitialized, which matters to the access.
  template <AccessType kType>
  [[gnu::always_inline]] static bool has_shadow(const BlockContext& block,
                                                const InlineCache& memo) {
    if (kType == AccessType::load && (block.watch & kInitialization) == 0) return false;
    return !memo.allocation->all_written;
  }
  template <AccessType kType>
  [[gnu::always_inline]] static std::uint8_t* shadow(const BlockContext& block,
                                                     const InlineCache& memo, u64 first) {
    if (!has_shadow<kType>(block, memo)) return nullptr;
    return memo.allocation->written + (first - memo.base);
  }
  static void is_initialized(BlockContext&) {}
};

struct Generic {
  static constexpr ptx::Space space(const Inst&) { return ptx::Space::generic; }
  static void addresses(const Warp& w, const Inst& in, u64* address) {
    lane_addresses(w, in, address);
  }
};

}  // namespace

void bind_global_load(Binder& b, const MemoryForm& form) {
  // A read that a loop waits for is counted once (machine/polls.h), and so has no fast path.
  const bool polls = (b.inst.flags & kPolls) != 0;
  b.inst.run = polls ? pick_handler<AccessLanes<Global, AccessType::load>>(b, form)
                     : pick_handler<Access<Global, AccessType::load>>(b, form);
}
void bind_global_store(Binder& b, const MemoryForm& form) {
  b.inst.run = pick_handler<Access<Global, AccessType::store>>(b, form);
}
void bind_generic_load(Binder& b, const MemoryForm& form) {
  b.inst.run = pick_handler<AccessLanes<Generic, AccessType::load>>(b, form);
}
void bind_generic_store(Binder& b, const MemoryForm& form) {
  b.inst.run = pick_handler<AccessLanes<Generic, AccessType::store>>(b, form);
}

std::span<const NativeForm> memory_global_native() {
  static constexpr NativeForm kForms[] = {
      {&access<Global, AccessType::load, u32, u32>, NativeOp::load_global, NativeType::u32, 1},
      {&access<Global, AccessType::store, u32, u32>, NativeOp::store_global, NativeType::u32, 1},
      {&access<Global, AccessType::load, u64, u64>, NativeOp::load_global, NativeType::u64, 1},
      {&access<Global, AccessType::store, u64, u64>, NativeOp::store_global, NativeType::u64, 1},
      // A byte: what it loads has Inst::width.
      {&access<Global, AccessType::load, u8, u32>, NativeOp::load_global, NativeType::u32, 1},
  };
  return kForms;
}

}  // namespace warpsim::WARPSIM_SIMD
