#include "emulator/isa/handlers/families.h"
#include "emulator/isa/handlers/memory_bind.h"
#include "emulator/isa/handlers/memory_lanes.h"

// ld and st of global, constant and generic addresses.

namespace warpsim::WARPSIM_SIMD {
namespace {

/// Ends a load that may not happen.
template <class R>
void poison(Warp& w, const Inst& in, u32 lanes) {
  const u64 value = missing_value(*w.context);
  for (unsigned k = 0; k < in.aux; ++k) {
    R* d = w.reg<R>(element_slot(in, k));
    for_each_lane(lanes, [&](int i) { d[i] = static_cast<R>(value); });
  }
}

template <class E, class R>
const Inst* finish_load(Warp& w, const Inst& in, const Located& at) {
  if (at.lanes != w.active) {
    poison<R>(w, in, w.active & ~at.lanes);
    if (at.fatal) return abort_launch(w, in, LaunchStatus::illegal_address);
  }
  for (unsigned k = 0; k < in.aux; ++k) {
    R* d = w.reg<R>(element_slot(in, k));
    for_each_lane(at.lanes, [&](int i) { d[i] = extend<R>(peek<E>(at.host[i] + k * sizeof(E))); });
  }
  return &in + 1;
}

template <class E, class R>
const Inst* finish_store(Warp& w, const Inst& in, const Located& at) {
  for (unsigned k = 0; k < in.aux; ++k) {
    const R* s = w.reg<R>(element_slot(in, k));
    for_each_lane(at.lanes, [&](int i) { poke(at.host[i] + k * sizeof(E), static_cast<E>(s[i])); });
  }
  if (at.fatal) return abort_launch(w, in, LaunchStatus::illegal_address);
  return &in + 1;
}

/// The first active lane's address.
[[gnu::always_inline]] inline u64 first_address(const Warp& w, const Inst& in) {
  return w.reg<u64>(in.a)[std::countr_zero(w.active) & 31] + static_cast<u64>(in.offset);
}

/// The access has the shape of the last time, and with its first lane at `first` all are aligned
/// and in the allocation that the instruction last used. It costs what it did then, too.
[[gnu::always_inline]] inline bool repeats(const Warp& w, const Inst& in, const InlineCache& memo,
                                           u64 first) {
  if (!memo.fits(first) || !same_shape(w.reg<u64>(in.a), w.active, memo.pattern.shape)) {
    return false;
  }
  const BlockContext& block = *w.context->block;
  if (!block.launch->options.checks.counters) return true;
  const bool known_lines = block.cache == nullptr || memo.pattern.lines <= PatternMemo::kLines;
  return (first & 127) == memo.pattern.phase && known_lines;
}

/// Counts an access that repeats, but for what the caches do.
[[gnu::always_inline]] inline void count_repeated(const WarpContext& context, const Inst& in,
                                                  const InlineCache& memo) {
  if (!context.block->launch->options.checks.counters) return;
  Counts& counts = context.tables->counts[in.index];
  ++counts.requests;
  counts.bytes += memo.pattern.shape.bytes;
  counts.sectors += memo.pattern.passes;
  counts.ideal_sectors += memo.pattern.ideal;
}

/// Nobody but the counters looks at good accesses to global memory, uninitialized bytes aside.
[[gnu::always_inline]] inline bool unwatched(const BlockContext& block) {
  return block.races == nullptr && block.cache == nullptr;
}

/// Checks, counts and finds the lanes' bytes one by one. @returns null, or where to go on instead
template <class E, class R>
[[gnu::noinline]] const Inst* find_slowly(Warp& w, const Inst& in, AccessType type, Located& at) {
  WarpContext& context = *w.context;
  const u32 width = in.width;
  lane_addresses(w, in, at.address);
  if (any_has_bits(at.address, width - 1)) [[unlikely]] {
    if (check_alignment(context, in, at.address, width, "global")) {
      return abort_launch(w, in, LaunchStatus::misaligned);
    }
  }
  const LaunchState& launch = *context.block->launch;
  InlineCache& memo = memo_of(context, in);
  if (launch.options.checks.counters) {
    count_global(context, in, at.address, w.active, width);
  } else {
    learn_shape(at.address, w.active, width, memo.pattern);
  }
  if (all_inside(at.address, memo.base, memo.end, width)) [[likely]] {
    at.lanes = w.active;
    for (int i = 0; i < kWarpSize; ++i) {
      at.host[i] = reinterpret_cast<std::byte*>(at.address[i]) + memo.to_host;
    }
  } else {
    locate_global(context, in, width, type, at);
  }
  memo.fit(width);
  if (launch.races) {
    const StoredValues values = stored_values<E, R>(w, in);
    race_global(context, in, at.address, at.lanes, width, type,
                type == AccessType::store ? &values : nullptr);
  }
  return nullptr;
}

template <class E, class R>
[[gnu::noinline]] const Inst* load_global_slowly(Warp& w, const Inst& in) {
  Located at;
  if (const Inst* stop = find_slowly<E, R>(w, in, AccessType::load, at)) return stop;
  if (w.context->block->launch->options.checks.unwritten) {
    check_written(*w.context, in, in.width, at);
  }
  return finish_load<E, R>(w, in, at);
}

/// Tells the race checker of a good access that is no weak load.
template <class E, class R>
[[gnu::noinline]] void race_good(Warp& w, const Inst& in, AccessType type, u64 first) {
  WarpContext& context = *w.context;
  alignas(64) u64 address[kWarpSize];
  lane_addresses(w, in, address);
  const StoredValues stored = stored_values<E, R>(w, in);
  const StoredValues* const values = type == AccessType::store ? &stored : nullptr;
  if (in.flags & kVolatile) {
    race_global(context, in, address, w.active, in.width, type, values);
  } else {
    race_global(context, in, first, memo_of(context, in).pattern.shape, in.width, address, values);
  }
}

/// Looks for uninitialized bytes one by one.
[[gnu::noinline]] void check_lanes(Warp& w, const Inst& in) {
  WarpContext& context = *w.context;
  Located at;
  lane_addresses(w, in, at.address);
  at.lanes = w.active;
  for (int i = 0; i < kWarpSize; ++i) {
    at.host[i] = reinterpret_cast<std::byte*>(at.address[i]) + memo_of(context, in).to_host;
  }
  check_written(context, in, in.width, at);
}

template <class E, class R>
[[gnu::noinline]] const Inst* load_global_watched(Warp& w, const Inst& in) {
  WarpContext& context = *w.context;
  if (in.flags & kVolatile) context.spins = true;
  InlineCache& memo = memo_of(context, in);
  const LaneShape& shape = memo.pattern.shape;
  const u64 first = first_address(w, in);
  if (!repeats(w, in, memo, first)) [[unlikely]]
    return load_global_slowly<E, R>(w, in);
  count_repeated(context, in, memo);
  if (context.block->cache) count_known_lines(context, in, first);
  const LaunchState& launch = *context.block->launch;
  if (launch.races) {
    if (in.flags & kVolatile) [[unlikely]] {
      race_good<E, R>(w, in, AccessType::load, first);
    } else {
      race_global(context, in, first, shape, in.width, nullptr, nullptr);
    }
  }
  if (launch.options.checks.unwritten && !memo.allocation->all_written) {
    const std::uint8_t* const shadow = memo.allocation->written + (first - memo.base);
    if (!shape_written(shadow, shape, in.width)) [[unlikely]]
      check_lanes(w, in);
  }
  const auto* const from = reinterpret_cast<const std::byte*>(first) + memo.to_host;
  return finish_good_load<E, R>(w, in, from, shape);
}

/// Calls nothing where all is as the last time, and so has no registers to save.
template <class E, class R>
const Inst* load_global(Warp& w, const Inst& in) {
  WarpContext& context = *w.context;
  const BlockContext& block = *context.block;
  const InlineCache& memo = memo_of(context, in);
  const u64 first = first_address(w, in);
  const bool checks = block.launch->options.checks.unwritten;
  if (!unwatched(block) || !repeats(w, in, memo, first) ||
      (checks && !memo.allocation->all_written)) [[unlikely]] {
    return load_global_watched<E, R>(w, in);
  }
  count_repeated(context, in, memo);
  if (in.flags & kVolatile) context.spins = true;
  const auto* const from = reinterpret_cast<const std::byte*>(first) + memo.to_host;
  return finish_good_load<E, R>(w, in, from, memo.pattern.shape);
}

/// Counts the first look only (machine/polls.h).
template <class E, class R>
const Inst* poll_global(Warp& w, const Inst& in) {
  w.context->spins = true;
  return load_global_slowly<E, R>(w, in);
}

template <class E, class R>
[[gnu::noinline]] const Inst* store_global_slowly(Warp& w, const Inst& in) {
  Located at;
  if (const Inst* stop = find_slowly<E, R>(w, in, AccessType::store, at)) return stop;
  mark_written(*w.context, in.width, at);
  return finish_store<E, R>(w, in, at);
}

template <class E, class R>
[[gnu::noinline]] const Inst* store_global_watched(Warp& w, const Inst& in) {
  WarpContext& context = *w.context;
  InlineCache& memo = memo_of(context, in);
  const LaneShape& shape = memo.pattern.shape;
  const u64 first = first_address(w, in);
  if (!repeats(w, in, memo, first)) [[unlikely]]
    return store_global_slowly<E, R>(w, in);
  count_repeated(context, in, memo);
  if (context.block->cache) count_known_lines(context, in, first);
  if (context.block->launch->races) race_good<E, R>(w, in, AccessType::store, first);
  if (!memo.allocation->all_written) {
    mark_shape(memo.allocation->written + (first - memo.base), shape, in.width);
  }
  auto* const to = reinterpret_cast<std::byte*>(first) + memo.to_host;
  return finish_good_store<E, R>(w, in, to, shape);
}

/// As load_global.
template <class E, class R>
const Inst* store_global(Warp& w, const Inst& in) {
  const WarpContext& context = *w.context;
  const InlineCache& memo = memo_of(*w.context, in);
  const u64 first = first_address(w, in);
  if (!unwatched(*context.block) || !repeats(w, in, memo, first) || !memo.allocation->all_written)
      [[unlikely]] {
    return store_global_watched<E, R>(w, in);
  }
  count_repeated(context, in, memo);
  auto* const to = reinterpret_cast<std::byte*>(first) + memo.to_host;
  return finish_good_store<E, R>(w, in, to, memo.pattern.shape);
}

template <class E, class R>
const Inst* load_generic(Warp& w, const Inst& in) {
  WarpContext& context = *w.context;
  Located at;
  lane_addresses(w, in, at.address);
  if (any_has_bits(at.address, in.width - 1u)) {
    if (check_alignment(context, in, at.address, in.width, "generic")) {
      return abort_launch(w, in, LaunchStatus::misaligned);
    }
  }
  if (in.flags & kVolatile) context.spins = true;
  locate_generic(context, in, in.width, AccessType::load, at);
  if (context.block->races) {
    race_generic(context, in, at.address, at.lanes, in.width, AccessType::load, nullptr);
  }
  return finish_load<E, R>(w, in, at);
}

template <class E, class R>
const Inst* store_generic(Warp& w, const Inst& in) {
  WarpContext& context = *w.context;
  Located at;
  lane_addresses(w, in, at.address);
  if (any_has_bits(at.address, in.width - 1u)) {
    if (check_alignment(context, in, at.address, in.width, "generic")) {
      return abort_launch(w, in, LaunchStatus::misaligned);
    }
  }
  locate_generic(context, in, in.width, AccessType::store, at);
  if (context.block->races) {
    const StoredValues values = stored_values<E, R>(w, in);
    race_generic(context, in, at.address, at.lanes, in.width, AccessType::store, &values);
  }
  return finish_store<E, R>(w, in, at);
}

struct LoadGlobal {
  template <class E, class R>
  static constexpr Handler run = load_global<E, R>;
};
struct PollGlobal {
  template <class E, class R>
  static constexpr Handler run = poll_global<E, R>;
};
struct StoreGlobal {
  template <class E, class R>
  static constexpr Handler run = store_global<E, R>;
};
struct LoadGeneric {
  template <class E, class R>
  static constexpr Handler run = load_generic<E, R>;
};
struct StoreGeneric {
  template <class E, class R>
  static constexpr Handler run = store_generic<E, R>;
};

}  // namespace

void bind_global_load(Binder& b, const MemoryForm& form) {
  const bool polls = (b.inst.flags & kPolls) != 0;
  b.inst.run = polls ? pick_handler<PollGlobal>(b, form) : pick_handler<LoadGlobal>(b, form);
}
void bind_global_store(Binder& b, const MemoryForm& form) {
  b.inst.run = pick_handler<StoreGlobal>(b, form);
}
void bind_generic_load(Binder& b, const MemoryForm& form) {
  b.inst.run = pick_handler<LoadGeneric>(b, form);
}
void bind_generic_store(Binder& b, const MemoryForm& form) {
  b.inst.run = pick_handler<StoreGeneric>(b, form);
}

}  // namespace warpsim::WARPSIM_SIMD
