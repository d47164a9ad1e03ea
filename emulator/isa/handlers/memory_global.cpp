#include "emulator/isa/handlers/families.h"
#include "emulator/isa/handlers/memory_bind.h"
#include "emulator/isa/handlers/memory_lanes.h"

// ld and st of global, constant and generic addresses.

namespace warpsim::WARPSIM_SIMD {
namespace {

template <class E, class R>
void load_contiguous(Warp& w, const Inst& in, const std::byte* from) {
  const unsigned count = in.aux;
  for (unsigned k = 0; k < count; ++k) {
    R* d = w.reg<R>(element_slot(in, k));
    const std::byte* at = from + k * sizeof(E);
    if (count == 1) {
      for (unsigned i = 0; i < kWarpSize; ++i) d[i] = extend<R>(peek<E>(at + i * sizeof(E)));
    } else {
      const unsigned stride = in.width;
      for (unsigned i = 0; i < kWarpSize; ++i) d[i] = extend<R>(peek<E>(at + i * stride));
    }
  }
}

template <class E, class R>
void store_contiguous(Warp& w, const Inst& in, std::byte* to) {
  const unsigned count = in.aux;
  for (unsigned k = 0; k < count; ++k) {
    const R* s = w.reg<R>(element_slot(in, k));
    std::byte* at = to + k * sizeof(E);
    if (count == 1) {
      for (unsigned i = 0; i < kWarpSize; ++i) poke(at + i * sizeof(E), static_cast<E>(s[i]));
    } else {
      const unsigned stride = in.width;
      for (unsigned i = 0; i < kWarpSize; ++i) poke(at + i * stride, static_cast<E>(s[i]));
    }
  }
}

/// What a load that may not happen gives: recognisable, and the same in every run.
template <class R>
void poison(Warp& w, const Inst& in, u32 lanes) {
  for (unsigned k = 0; k < in.aux; ++k) {
    R* d = w.reg<R>(element_slot(in, k));
    for_each_lane(lanes, [&](int i) { d[i] = static_cast<R>(0xCBCBCBCBCBCBCBCBu); });
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

template <class E, class R>
const Inst* load_global(Warp& w, const Inst& in) {
  WarpContext& context = *w.context;
  Located at;
  lane_addresses(w, in, at.address);
  const u32 width = in.width;
  if (any_has_bits(at.address, width - 1)) [[unlikely]] {
    if (check_alignment(context, in, at.address, width, "global")) {
      return abort_launch(w, in, LaunchStatus::misaligned);
    }
  }
  if (in.flags & kVolatile) context.spins = true;
  const LaunchState& launch = *context.block->launch;
  if (launch.options.checks.counters) count_global(context, in, at.address, w.active, width);
  const InstMemo& memo = memo_of(context, in);
  if (all_inside(at.address, memo.base, memo.end, width)) [[likely]] {
    if (launch.races) {
      race_global(context, in, at.address, w.active, width, AccessType::load, nullptr);
    }
    const bool check = launch.options.checks.unwritten && !memo.allocation->all_written;
    if (w.active == kFullMask && is_contiguous(at.address, width)) {
      const std::byte* from = reinterpret_cast<const std::byte*>(at.address[0]) + memo.to_host;
      const u64 place = at.address[0] - memo.base;
      if (!check || range_written(memo.allocation->written + place, width * kWarpSize)) [[likely]] {
        load_contiguous<E, R>(w, in, from);
        return &in + 1;
      }
    }
    at.lanes = w.active;
    for (int i = 0; i < kWarpSize; ++i) {
      at.host[i] = reinterpret_cast<std::byte*>(at.address[i]) + memo.to_host;
    }
  } else {
    locate_global(context, in, width, AccessType::load, at);
    if (launch.races)
      race_global(context, in, at.address, at.lanes, width, AccessType::load, nullptr);
  }
  if (launch.options.checks.unwritten) check_written(context, in, width, at);
  return finish_load<E, R>(w, in, at);
}

template <class E, class R>
const Inst* store_global(Warp& w, const Inst& in) {
  WarpContext& context = *w.context;
  Located at;
  lane_addresses(w, in, at.address);
  const u32 width = in.width;
  if (any_has_bits(at.address, width - 1)) [[unlikely]] {
    if (check_alignment(context, in, at.address, width, "global")) {
      return abort_launch(w, in, LaunchStatus::misaligned);
    }
  }
  const LaunchState& launch = *context.block->launch;
  if (launch.options.checks.counters) count_global(context, in, at.address, w.active, width);
  const InstMemo& memo = memo_of(context, in);
  if (all_inside(at.address, memo.base, memo.end, width)) [[likely]] {
    if (launch.races) {
      const StoredValues values = stored_values<E, R>(w, in);
      race_global(context, in, at.address, w.active, width, AccessType::store, &values);
    }
    if (w.active == kFullMask && is_contiguous(at.address, width)) {
      std::byte* to = reinterpret_cast<std::byte*>(at.address[0]) + memo.to_host;
      store_contiguous<E, R>(w, in, to);
      if (!memo.allocation->all_written) {
        __builtin_memset(memo.allocation->written + (at.address[0] - memo.base), 1,
                         width * kWarpSize);
      }
      return &in + 1;
    }
    at.lanes = w.active;
    for (int i = 0; i < kWarpSize; ++i) {
      at.host[i] = reinterpret_cast<std::byte*>(at.address[i]) + memo.to_host;
    }
  } else {
    locate_global(context, in, width, AccessType::store, at);
    if (launch.races) {
      const StoredValues values = stored_values<E, R>(w, in);
      race_global(context, in, at.address, at.lanes, width, AccessType::store, &values);
    }
  }
  mark_written(context, width, at);
  return finish_store<E, R>(w, in, at);
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
  b.inst.run = pick_handler<LoadGlobal>(b, form);
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
