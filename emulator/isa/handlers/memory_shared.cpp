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

/// Sixteen lanes of 4-byte words.
[[gnu::always_inline]] inline void gather_half(u32* d, const std::byte* base, const u32* offset) {
  switch (half_pattern(offset)) {
    case HalfPattern::same: {
      const u32 word = peek<u32>(base + offset[0]);
      for (int i = 0; i < 16; ++i) d[i] = word;
      return;
    }
    case HalfPattern::consecutive:
      __builtin_memcpy(d, base + offset[0], 64);
      return;
    case HalfPattern::scattered:
#if defined(__AVX512F__)
      _mm512_store_si512(d, _mm512_i32gather_epi32(_mm512_load_si512(offset), base, 1));
#else
      for (int i = 0; i < 16; ++i) d[i] = peek<u32>(base + offset[i]);
#endif
      return;
  }
}

template <class E, class R>
[[gnu::always_inline]] inline void gather(R* d, const std::byte* base, const u32* offset,
                                          u32 active) {
  if (active == kFullMask) [[likely]] {
    if constexpr (sizeof(E) == 4 && sizeof(R) == 4) {
      gather_half(d, base, offset);
      gather_half(d + 16, base, offset + 16);
    } else {
      for (int i = 0; i < kWarpSize; ++i) d[i] = extend<R>(peek<E>(base + offset[i]));
    }
  } else {
    for_each_lane(active, [&](int i) { d[i] = extend<R>(peek<E>(base + offset[i])); });
  }
}

/// Where lanes meet, the highest one's value stays.
template <class E, class R>
[[gnu::always_inline]] inline void scatter(const R* s, std::byte* base, const u32* offset,
                                           u32 lanes) {
  if constexpr (sizeof(E) == 4 && sizeof(R) == 4) {
    if (lanes == kFullMask && half_pattern(offset) == HalfPattern::consecutive &&
        half_pattern(offset + 16) == HalfPattern::consecutive) {
      __builtin_memcpy(base + offset[0], s, 64);
      __builtin_memcpy(base + offset[16], s + 16, 64);
      return;
    }
  }
  for_each_lane(lanes, [&](int i) { poke(base + offset[i], static_cast<E>(s[i])); });
}

bool all_written(const std::uint8_t* shadow, const u32* offset, u32 active, u32 width) {
  bool written = true;
  for_each_lane(active, [&](int i) {
    for (u32 k = 0; k < width; ++k) written = written && (shadow[offset[i] + k] & 1) != 0;
  });
  return written;
}

/// Four-byte accesses are the common case and can test a word at a time.
[[gnu::always_inline]] inline bool words_written(const std::uint8_t* shadow, const u32* offset) {
  u32 all = ~u32{0};
#if defined(__AVX512F__)
  __m512i both = _mm512_set1_epi32(-1);
  for (int half = 0; half < 2; ++half) {
    const __m512i index = _mm512_loadu_si512(offset + 16 * half);
    both = _mm512_and_si512(both, _mm512_i32gather_epi32(index, shadow, 1));
  }
  all = static_cast<u32>(_mm512_reduce_and_epi32(both));
#else
  for (int i = 0; i < kWarpSize; ++i) {
    u32 four;
    __builtin_memcpy(&four, shadow + offset[i], 4);
    all &= four;
  }
#endif
  return (all & 0x01010101u) == 0x01010101u;
}

template <class A, class E, class R>
const Inst* load_shared(Warp& w, const Inst& in) {
  WarpContext& context = *w.context;
  BlockContext& block = *context.block;
  const LaunchState& launch = *block.launch;
  alignas(64) u32 offset[kWarpSize];
  lane_offsets<A>(w, in, offset);
  if (in.flags & kVolatile) context.spins = true;
  const InstMemo& memo = memo_of(context, in);
  const u32 width = in.width;
  if (launch.options.checks.counters) count_shared(context, in, offset, w.active, width);
  if (!all_good(offset, static_cast<u32>(memo.base), static_cast<u32>(memo.end), width))
      [[unlikely]] {
    Located at;
    if (const Inst* stop = locate(w, in, AccessType::load, offset, at)) return stop;
    if (launch.options.checks.unwritten) check_written(context, in, width, at);
    if (block.races) race_shared(context, in, offset, at.lanes, width, AccessType::load, nullptr);
    poison<R>(w, in, w.active & ~at.lanes);
    for (unsigned k = 0; k < in.aux; ++k) {
      R* d = w.reg<R>(element_slot(in, k));
      for_each_lane(at.lanes,
                    [&](int i) { d[i] = extend<R>(peek<E>(at.host[i] + k * sizeof(E))); });
    }
    if (at.fatal) return abort_launch(w, in, LaunchStatus::illegal_address);
    return &in + 1;
  }
  if (block.races) race_shared(context, in, offset, w.active, width, AccessType::load, nullptr);
  if (launch.options.checks.unwritten) {
    const std::uint8_t* shadow = block.shared_written.bytes();
    const bool written = width == 4 && w.active == kFullMask
                             ? words_written(shadow, offset)
                             : all_written(shadow, offset, w.active, width);
    if (!written) [[unlikely]] {
      Located at;
      if (const Inst* stop = locate(w, in, AccessType::load, offset, at)) return stop;
      check_written(context, in, width, at);
    }
  }
  for (unsigned k = 0; k < in.aux; ++k) {
    gather<E, R>(w.reg<R>(element_slot(in, k)), block.shared.data() + k * sizeof(E), offset,
                 w.active);
  }
  return &in + 1;
}

template <class A, class E, class R>
const Inst* store_shared(Warp& w, const Inst& in) {
  WarpContext& context = *w.context;
  BlockContext& block = *context.block;
  const LaunchState& launch = *block.launch;
  alignas(64) u32 offset[kWarpSize];
  lane_offsets<A>(w, in, offset);
  const InstMemo& memo = memo_of(context, in);
  const u32 width = in.width;
  if (launch.options.checks.counters) count_shared(context, in, offset, w.active, width);
  Located at;
  u32 lanes = w.active;
  if (!all_good(offset, static_cast<u32>(memo.base), static_cast<u32>(memo.end), width))
      [[unlikely]] {
    if (const Inst* stop = locate(w, in, AccessType::store, offset, at)) return stop;
    lanes = at.lanes;
  }
  if (block.races) {
    const StoredValues values = stored_values<E, R>(w, in);
    race_shared(context, in, offset, lanes, width, AccessType::store, &values);
  }
  std::byte* base = block.shared.data();
  for (unsigned k = 0; k < in.aux; ++k) {
    scatter<E, R>(w.reg<R>(element_slot(in, k)), base + k * sizeof(E), offset, lanes);
  }
  if (launch.options.checks.unwritten) {
    std::uint8_t* shadow = block.shared_written.bytes();
    for_each_lane(lanes, [&](int i) { __builtin_memset(shadow + offset[i], 1, width); });
  }
  if (at.fatal) return abort_launch(w, in, LaunchStatus::illegal_address);
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
