#pragma once

// The path of every load and store, as templates over the space: an access that repeats the pattern
// of the last one and that is not watched is done with here; what is left goes through
// emulator/machine/access.h. A space says where its addresses are and what it remembers.

#include "emulator/isa/handlers/memory_lanes.h"

namespace warpsim::WARPSIM_SIMD {

template <AccessType kType, class E, class R>
[[nodiscard]] AccessRequest request_of(const Inst& in, ptx::Space space,
                                       const StoredValues& values) {
  return {.in = in,
          .space = space,
          .type = kType,
          .width = in.width,
          .values = kType == AccessType::store ? &values : nullptr};
}

/// Moves the lanes' elements one by one. Loads that may not happen give the poison.
template <AccessType kType, class E, class R>
const Inst* move_lanes(Warp& w, const Inst& in, const Located& at) {
  for (unsigned k = 0; k < in.aux; ++k) {
    R* r = w.reg<R>(element_slot(in, k));
    if constexpr (kType == AccessType::load) {
      if (at.lanes != w.active) {
        const u64 value = missing_value(*w.context);
        for_each_lane(w.active & ~at.lanes, [&](int i) { r[i] = static_cast<R>(value); });
      }
    }
    for_each_lane(at.lanes, [&](int i) {
      if constexpr (kType == AccessType::load) {
        r[i] = extend<R>(peek<E>(at.host[i] + k * sizeof(E)));
      } else {
        poke(at.host[i] + k * sizeof(E), static_cast<E>(r[i]));
      }
    });
  }
  if (at.fatal) return abort_launch(w, in, LaunchStatus::illegal_address);
  return &in + 1;
}

/// An access of which nothing is known.
template <class Space, AccessType kType, class E, class R>
const Inst* access_lanes(Warp& w, const Inst& in) {
  WarpContext& context = *w.context;
  if constexpr (kType == AccessType::load) {
    if (in.flags & kVolatile) context.spins = true;
  }
  Located at;
  Space::addresses(w, in, at.address);
  const StoredValues values = stored_values<E, R>(w, in);
  const AccessRequest request = request_of<kType, E, R>(in, Space::space(in), values);
  if (!begin_access(context, request, at.address)) [[unlikely]] {
    return abort_launch(w, in, LaunchStatus::misaligned);
  }
  settle_access(context, request, at);
  return move_lanes<kType, E, R>(w, in, at);
}

// -- spaces whose accesses are remembered ---------------------------------------------------------

/// An access that is aligned and counted, but not inside the array of the last time.
template <class Space, AccessType kType, class E, class R>
[[gnu::noinline]] const Inst* access_elsewhere(Warp& w, const Inst& in) {
  WarpContext& context = *w.context;
  Located at;
  Space::addresses(w, in, at.address);
  const StoredValues values = stored_values<E, R>(w, in);
  settle_access(context, request_of<kType, E, R>(in, Space::kSpace, values), at);
  memo_of(context, in).fit(in.width);
  return move_lanes<kType, E, R>(w, in, at);
}

/// Tells the observers of lanes that have a shape.
template <class Space, AccessType kType, class E, class R>
[[gnu::always_inline]] inline void tell_observers(Warp& w, const Inst& in, u64 first,
                                                  const LaneShape& shape) {
  WarpContext& context = *w.context;
  if constexpr (kType == AccessType::load) {
    for (Observer* const observer : context.block->launch->access_observers) {
      observer->load(context, in, Space::kSpace, first, shape);
    }
  } else {
    const StoredValues values = stored_values<E, R>(w, in);
    for (Observer* const observer : context.block->launch->access_observers) {
      observer->store(context, in, Space::kSpace, first, shape, values);
    }
  }
}

/// Looks for uninitialized bytes lane by lane.
template <class Space>
[[gnu::noinline]] void check_lanes(Warp& w, const Inst& in, std::byte* first) {
  WarpContext& context = *w.context;
  const LaneShape& shape = memo_of(context, in).pattern.shape;
  Located at;
  Space::addresses(w, in, at.address);
  at.lanes = w.active;
  for (int i = 0; i < kWarpSize; ++i) at.host[i] = first + static_cast<s32>(shape.relative[i]);
  check_written(context, in, in.width, at);
}

/// An access that is watched, or of another shape than the last one.
template <class Space, AccessType kType, class E, class R>
[[gnu::noinline]] const Inst* access_watched(Warp& w, const Inst& in) {
  WarpContext& context = *w.context;
  BlockContext& block = *context.block;
  if constexpr (kType == AccessType::load) {
    if (in.flags & kVolatile) context.spins = true;
  }
  InlineCache& memo = memo_of(context, in);
  const LaneShape& shape = memo.pattern.shape;
  const auto first = Space::first(w, in);
  if (Space::repeats(w, in, memo, first)) [[likely]] {
    if (block.watch & kCounts) Space::count_repeated(context, in, memo);
    if constexpr (Space::kCached) {
      if (block.watch & kCaches) count_known_lines(context, in, first);
    }
  } else {
    if (!Space::learn(w, in, memo)) return abort_launch(w, in, LaunchStatus::misaligned);
    if (!memo.fits(first)) return access_elsewhere<Space, kType, E, R>(w, in);
  }
  if (block.watch & kAccesses) tell_observers<Space, kType, E, R>(w, in, first, shape);
  std::byte* const place = Space::place(block, memo, first);
  std::uint8_t* const shadow = Space::template shadow<kType>(block, memo, first);
  if constexpr (kType == AccessType::load) {
    if (shadow != nullptr) {
      if (!shape_written(shadow, shape, in.width)) [[unlikely]] {
        check_lanes<Space>(w, in, place);
      } else {
        Space::is_initialized(block);
      }
    }
    return finish_good_load<E, R>(w, in, place, shape);
  } else {
    if (shadow != nullptr) mark_shape(shadow, shape, in.width);
    return finish_good_store<E, R>(w, in, place, shape);
  }
}

/// Calls nothing where all is as the last time and nothing watches, and so saves no registers.
template <class Space, AccessType kType, class E, class R>
const Inst* access(Warp& w, const Inst& in) {
  WarpContext& context = *w.context;
  const BlockContext& block = *context.block;
  if ((block.watch & Space::kWatch) != 0) return access_watched<Space, kType, E, R>(w, in);
  const InlineCache& memo = memo_of(context, in);
  const auto first = Space::first(w, in);
  if (!Space::repeats(w, in, memo, first) || Space::template has_shadow<kType>(block, memo))
      [[unlikely]] {
    return access_watched<Space, kType, E, R>(w, in);
  }
  if (block.watch & kCounts) Space::count_repeated(context, in, memo);
  std::byte* const place = Space::place(block, memo, first);
  if constexpr (kType == AccessType::load) {
    if (in.flags & kVolatile) context.spins = true;
    return finish_good_load<E, R>(w, in, place, memo.pattern.shape);
  } else {
    return finish_good_store<E, R>(w, in, place, memo.pattern.shape);
  }
}

/// What pick_handler takes.
template <class Space, AccessType kType>
struct Access {
  template <class E, class R>
  static constexpr Handler run = access<Space, kType, E, R>;
};
template <class Space, AccessType kType>
struct AccessLanes {
  template <class E, class R>
  static constexpr Handler run = access_lanes<Space, kType, E, R>;
};

}  // namespace warpsim::WARPSIM_SIMD
