#include "emulator/isa/handlers/memory_bind.h"
#include "emulator/isa/handlers/memory_lanes.h"

// ld and st of shared memory: addresses are offsets in the block's shared memory.

namespace warpsim::WARPSIM_SIMD {
namespace {

/// Offsets of all lanes; inactive lanes get the first active lane's.
template <class A>
[[gnu::always_inline]] inline void lane_offsets(const Warp& w, const Inst& in, u32* offset) {
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

/// The lanes' bytes when the fast check did not settle it.
const Inst* locate(Warp& w, const Inst& in, AccessType type, const u32* offset, Located& at) {
  WarpContext& context = *w.context;
  for (int i = 0; i < kWarpSize; ++i) at.address[i] = offset[i];
  if (check_alignment(context, in, at.address, in.width, "shared")) {
    return abort_launch(w, in, LaunchStatus::misaligned);
  }
  locate_shared(context, in, in.width, type, at);
  return nullptr;
}

template <class R>
void poison(Warp& w, const Inst& in, u32 lanes) {
  for (unsigned k = 0; k < in.aux; ++k) {
    R* d = w.reg<R>(element_slot(in, k));
    for_each_lane(lanes, [&](int i) { d[i] = static_cast<R>(0xCBCBCBCBCBCBCBCBu); });
  }
}

/// Where the lanes access shared memory.
struct SharedAccess {
  u32 first = 0;  // the first active lane's offset
  bool good = false;  // all lanes are aligned and inside the array that the instruction last used
};

/// Counts lanes that have another shape than the last time, and remembers it.
template <class A>
[[gnu::noinline]] void learn_shared(Warp& w, const Inst& in, InstMemo& memo) {
  alignas(64) u32 offset[kWarpSize];
  lane_offsets<A>(w, in, offset);
  if (w.context->block->launch->options.checks.counters) {
    count_shared(*w.context, in, offset, w.active, in.width);
  } else {
    learn_shape(offset, w.active, in.width, memo.pattern);
  }
}

/// same_shape of 64-bit registers of which 32 bits count.
[[gnu::noinline]] bool same_narrow_shape(const Warp& w, const Inst& in, const LaneShape& shape) {
  alignas(64) u32 offset[kWarpSize];
  lane_offsets<u64>(w, in, offset);
  return same_shape(offset, w.active, shape);
}

/// Finds and counts the lanes' places. The instruction's memo has their shape then.
template <class A>
[[gnu::always_inline]] inline SharedAccess find_shared(Warp& w, const Inst& in, InstMemo& memo) {
  WarpContext& context = *w.context;
  const bool counting = context.block->launch->options.checks.counters;
  const LaneShape& shape = memo.pattern.shape;
  const u32 width = in.width;
  const A* const a = w.reg<A>(in.a);
  const u32 first = static_cast<u32>(a[std::countr_zero(w.active)]) + static_cast<u32>(in.offset);
  bool known = false;
  // Which word an offset is in changes with what is below the words; banks only turn.
  if (((first ^ memo.pattern.phase) & 3) == 0) {
    if constexpr (sizeof(A) == 4) {
      known = same_shape(a, w.active, shape);
    } else {
      known = same_narrow_shape(w, in, shape);
    }
  }
  if (!known) [[unlikely]] {
    learn_shared<A>(w, in, memo);
  } else if (counting) {
    Counts& counts = context.tables->counts[in.index];
    ++counts.requests;
    counts.bytes += shape.bytes;
    counts.wavefronts += memo.pattern.passes;
    counts.ideal_wavefronts += memo.pattern.ideal;
  }
  SharedAccess access;
  access.first = first;
  const u32 low = first + static_cast<u32>(shape.low) - static_cast<u32>(memo.base);
  const u32 span = static_cast<u32>(shape.high) - static_cast<u32>(shape.low);
  const u32 size = static_cast<u32>(memo.end - memo.base);
  // What wraps around 32 bits is outside.
  access.good = ((first | shape.bits) & (width - 1)) == 0 && size >= width && low <= size - width &&
                span <= size - width - low;
  return access;
}

/// Reports what a load reads of bytes that nobody wrote.
template <class A>
[[gnu::noinline]] const Inst* report_not_written(Warp& w, const Inst& in) {
  alignas(64) u32 offset[kWarpSize];
  lane_offsets<A>(w, in, offset);
  Located at;
  if (const Inst* stop = locate(w, in, AccessType::load, offset, at)) return stop;
  check_written(*w.context, in, in.width, at);
  return nullptr;
}

/// A load that is not known to be good.
template <class A, class E, class R>
[[gnu::noinline]] const Inst* load_shared_slowly(Warp& w, const Inst& in) {
  WarpContext& context = *w.context;
  const BlockContext& block = *context.block;
  alignas(64) u32 offset[kWarpSize];
  lane_offsets<A>(w, in, offset);
  Located at;
  if (const Inst* stop = locate(w, in, AccessType::load, offset, at)) return stop;
  if (block.launch->options.checks.unwritten) check_written(context, in, in.width, at);
  if (block.races) {
    race_shared_window(context, in, at.address, at.lanes, in.width, AccessType::load, nullptr);
  }
  poison<R>(w, in, w.active & ~at.lanes);
  for (unsigned k = 0; k < in.aux; ++k) {
    R* d = w.reg<R>(element_slot(in, k));
    for_each_lane(at.lanes, [&](int i) { d[i] = extend<R>(peek<E>(at.host[i] + k * sizeof(E))); });
  }
  if (at.fatal) return abort_launch(w, in, LaunchStatus::illegal_address);
  return &in + 1;
}

/// Tells the race checker of a good access that is no weak load.
template <class A, class E, class R>
[[gnu::noinline]] void race_good(Warp& w, const Inst& in, AccessType type) {
  alignas(64) u32 offset[kWarpSize];
  lane_offsets<A>(w, in, offset);
  const StoredValues values = stored_values<E, R>(w, in);
  race_shared(*w.context, in, offset, w.active, in.width, type,
              type == AccessType::store ? &values : nullptr);
}

template <class A, class E, class R>
const Inst* load_shared(Warp& w, const Inst& in) {
  WarpContext& context = *w.context;
  BlockContext& block = *context.block;
  const bool strong = (in.flags & kVolatile) != 0;
  if (strong) context.spins = true;
  InstMemo& memo = memo_of(context, in);
  const LaneShape& shape = memo.pattern.shape;
  const SharedAccess access = find_shared<A>(w, in, memo);
  if (!access.good) [[unlikely]]
    return load_shared_slowly<A, E, R>(w, in);
  if (block.races) {
    if (strong) {
      race_good<A, E, R>(w, in, AccessType::load);
    } else {
      race_shared_load(context, in, access.first, shape, in.width);
    }
  }
  if (block.unwritten_shared) {
    const std::uint8_t* const shadow = block.shared_written.bytes() + access.first;
    if (!shape_written(shadow, shape, in.width)) [[unlikely]] {
      if (const Inst* stop = report_not_written<A>(w, in)) return stop;
    } else if (--block.until_scan == 0) {
      scan_shared(block);
    }
  }
  const std::byte* const first = block.shared.data() + access.first;
  if constexpr (sizeof(E) == 4 && sizeof(R) == 4) {
    if (in.aux == 1) [[likely]] {
      load_words(w.reg<u32>(in.d), first, shape);
      return &in + 1;
    }
  }
  load_shape<E, R>(w, in, first, shape);
  return &in + 1;
}

/// A store that is not known to be good.
template <class A, class E, class R>
[[gnu::noinline]] const Inst* store_shared_slowly(Warp& w, const Inst& in) {
  WarpContext& context = *w.context;
  BlockContext& block = *context.block;
  alignas(64) u32 offset[kWarpSize];
  lane_offsets<A>(w, in, offset);
  Located at;
  if (const Inst* stop = locate(w, in, AccessType::store, offset, at)) return stop;
  if (block.races) {
    const StoredValues values = stored_values<E, R>(w, in);
    race_shared_window(context, in, at.address, at.lanes, in.width, AccessType::store, &values);
  }
  for (unsigned k = 0; k < in.aux; ++k) {
    const R* s = w.reg<R>(element_slot(in, k));
    for_each_lane(at.lanes, [&](int i) { poke(at.host[i] + k * sizeof(E), static_cast<E>(s[i])); });
  }
  if (block.unwritten_shared) mark_written(context, in.width, at);
  if (at.fatal) return abort_launch(w, in, LaunchStatus::illegal_address);
  return &in + 1;
}

template <class A, class E, class R>
const Inst* store_shared(Warp& w, const Inst& in) {
  WarpContext& context = *w.context;
  BlockContext& block = *context.block;
  InstMemo& memo = memo_of(context, in);
  const LaneShape& shape = memo.pattern.shape;
  const SharedAccess access = find_shared<A>(w, in, memo);
  if (!access.good) [[unlikely]]
    return store_shared_slowly<A, E, R>(w, in);
  if (block.races) race_good<A, E, R>(w, in, AccessType::store);
  std::byte* const first = block.shared.data() + access.first;
  if (sizeof(E) == 4 && sizeof(R) == 4 && in.aux == 1) {
    store_words(w.reg<u32>(in.d), first, shape);
  } else {
    store_shape<E, R>(w, in, first, shape);
  }
  if (block.unwritten_shared) {
    mark_shape(block.shared_written.bytes() + access.first, shape, in.width);
  }
  return &in + 1;
}

template <class A>
struct Load {
  template <class E, class R>
  static constexpr Handler run = load_shared<A, E, R>;
};
template <class A>
struct Store {
  template <class E, class R>
  static constexpr Handler run = store_shared<A, E, R>;
};

}  // namespace

void bind_shared_load(Binder& b, const MemoryForm& form, bool wide_address) {
  b.inst.run = wide_address ? pick_handler<Load<u64>>(b, form) : pick_handler<Load<u32>>(b, form);
}
void bind_shared_store(Binder& b, const MemoryForm& form, bool wide_address) {
  b.inst.run = wide_address ? pick_handler<Store<u64>>(b, form) : pick_handler<Store<u32>>(b, form);
}

}  // namespace warpsim::WARPSIM_SIMD
