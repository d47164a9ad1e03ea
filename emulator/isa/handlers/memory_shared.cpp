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
  memo_of(context, in).fit(in.width);
  return nullptr;
}

template <class R>
void poison(Warp& w, const Inst& in, u32 lanes) {
  const u64 value = missing_value(*w.context);
  for (unsigned k = 0; k < in.aux; ++k) {
    R* d = w.reg<R>(element_slot(in, k));
    for_each_lane(lanes, [&](int i) { d[i] = static_cast<R>(value); });
  }
}

/// Where the lanes access shared memory.
struct SharedAccess {
  u32 first = 0;  // the first active lane's offset
  bool good = false;  // all lanes are aligned and inside the array that the instruction last used
};

/// Counts lanes that have another shape than the last time, and remembers it.
template <class A>
[[gnu::noinline]] void learn_shared(Warp& w, const Inst& in, InlineCache& memo) {
  alignas(64) u32 offset[kWarpSize];
  lane_offsets<A>(w, in, offset);
  if (w.context->block->launch->options.checks.counters) {
    count_shared(*w.context, in, offset, w.active, in.width);
  } else {
    learn_shape(offset, w.active, in.width, memo.pattern);
  }
  memo.fit(in.width);
}

/// same_shape of 64-bit registers of which 32 bits count.
[[gnu::noinline]] bool same_narrow_shape(const Warp& w, const Inst& in, const LaneShape& shape) {
  alignas(64) u32 offset[kWarpSize];
  lane_offsets<u64>(w, in, offset);
  return same_shape(offset, w.active, shape);
}

/// The first active lane's offset.
template <class A>
[[gnu::always_inline]] inline u32 first_offset(const Warp& w, const Inst& in) {
  const u32 lane = static_cast<u32>(std::countr_zero(w.active)) & 31;
  return static_cast<u32>(w.reg<A>(in.a)[lane]) + static_cast<u32>(in.offset);
}

/// The access has the shape of the last time, and with its first lane at `first` all are good.
template <class A>
[[gnu::always_inline]] inline bool repeats(const Warp& w, const Inst& in, const InlineCache& memo,
                                           u32 first) {
  if (!memo.fits(first)) return false;
  if constexpr (sizeof(A) == 4) {
    return same_shape(w.reg<A>(in.a), w.active, memo.pattern.shape);
  } else {
    return same_narrow_shape(w, in, memo.pattern.shape);
  }
}

/// Counts an access that repeats.
[[gnu::always_inline]] inline void count_repeated(const WarpContext& context, const Inst& in,
                                                  const InlineCache& memo) {
  if (!context.block->launch->options.checks.counters) return;
  Counts& counts = context.tables->counts[in.index];
  ++counts.requests;
  counts.bytes += memo.pattern.shape.bytes;
  counts.wavefronts += memo.pattern.passes;
  counts.ideal_wavefronts += memo.pattern.ideal;
}

/// Finds and counts the lanes' places. The instruction's memo has their shape then.
template <class A>
[[gnu::always_inline]] inline SharedAccess find_shared(Warp& w, const Inst& in, InlineCache& memo) {
  SharedAccess access{first_offset<A>(w, in), true};
  if (repeats<A>(w, in, memo, access.first)) [[likely]] {
    count_repeated(*w.context, in, memo);
  } else {
    learn_shared<A>(w, in, memo);
    access.good = memo.fits(access.first);
  }
  return access;
}

/// Nobody but the counters looks at good accesses to shared memory.
[[gnu::always_inline]] inline bool unwatched(const BlockContext& block) {
  return block.races == nullptr && !block.unwritten_shared;
}

/// Reports what a load reads of uninitialized bytes.
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

/// Tells the race checker of a good strong load.
template <class A>
[[gnu::noinline]] void race_strong_load(Warp& w, const Inst& in) {
  alignas(64) u32 offset[kWarpSize];
  lane_offsets<A>(w, in, offset);
  race_shared(*w.context, in, offset, w.active, in.width, AccessType::load, nullptr);
}

template <class A, class E, class R>
[[gnu::noinline]] const Inst* load_shared_watched(Warp& w, const Inst& in) {
  WarpContext& context = *w.context;
  BlockContext& block = *context.block;
  const bool strong = (in.flags & kVolatile) != 0;
  if (strong) context.spins = true;
  InlineCache& memo = memo_of(context, in);
  const LaneShape& shape = memo.pattern.shape;
  const SharedAccess access = find_shared<A>(w, in, memo);
  if (!access.good) [[unlikely]]
    return load_shared_slowly<A, E, R>(w, in);
  if (block.races) {
    if (strong) {
      race_strong_load<A>(w, in);
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
  return finish_good_load<E, R>(w, in, block.shared.data() + access.first, shape);
}

/// Calls nothing where all is as the last time, and so has no registers to save.
template <class A, class E, class R>
const Inst* load_shared(Warp& w, const Inst& in) {
  WarpContext& context = *w.context;
  const BlockContext& block = *context.block;
  if (!unwatched(block)) return load_shared_watched<A, E, R>(w, in);
  const InlineCache& memo = memo_of(context, in);
  const u32 first = first_offset<A>(w, in);
  if (!repeats<A>(w, in, memo, first)) [[unlikely]]
    return load_shared_watched<A, E, R>(w, in);
  count_repeated(context, in, memo);
  if (in.flags & kVolatile) context.spins = true;
  return finish_good_load<E, R>(w, in, block.shared.data() + first, memo.pattern.shape);
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
[[gnu::noinline]] const Inst* store_shared_watched(Warp& w, const Inst& in) {
  WarpContext& context = *w.context;
  BlockContext& block = *context.block;
  InlineCache& memo = memo_of(context, in);
  const LaneShape& shape = memo.pattern.shape;
  const SharedAccess access = find_shared<A>(w, in, memo);
  if (!access.good) [[unlikely]]
    return store_shared_slowly<A, E, R>(w, in);
  if (block.races) {
    race_shared_store(context, in, access.first, shape, in.width, stored_values<E, R>(w, in));
  }
  if (block.unwritten_shared) {
    mark_shape(block.shared_written.bytes() + access.first, shape, in.width);
  }
  return finish_good_store<E, R>(w, in, block.shared.data() + access.first, shape);
}

/// As load_shared.
template <class A, class E, class R>
const Inst* store_shared(Warp& w, const Inst& in) {
  const WarpContext& context = *w.context;
  const BlockContext& block = *context.block;
  if (!unwatched(block)) return store_shared_watched<A, E, R>(w, in);
  const InlineCache& memo = memo_of(*w.context, in);
  const u32 first = first_offset<A>(w, in);
  if (!repeats<A>(w, in, memo, first)) [[unlikely]]
    return store_shared_watched<A, E, R>(w, in);
  count_repeated(context, in, memo);
  return finish_good_store<E, R>(w, in, block.shared.data() + first, memo.pattern.shape);
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
