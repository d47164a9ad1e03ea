#pragma once

// Moving the bytes of a warp's lanes between memory and registers.

#include <bit>

#include "emulator/isa/handlers/bind.h"
#include "emulator/isa/handlers/lane_moves.h"
#include "emulator/machine/access.h"

namespace warpsim::WARPSIM_SIMD {

/// Slots of up to four vector elements, in Inst's fields (the address is in `a`).
[[gnu::always_inline]] inline std::int32_t element_slot(const Inst& in, unsigned i) {
  switch (i) {
    case 0:
      return in.d;
    case 1:
      return in.b;
    case 2:
      return in.c;
    default:
      return in.d2;
  }
}

template <class T>
[[gnu::always_inline]] inline T peek(const std::byte* from) {
  T value;
  __builtin_memcpy(&value, from, sizeof value);
  return value;
}

template <class T>
[[gnu::always_inline]] inline void poke(std::byte* to, T value) {
  __builtin_memcpy(to, &value, sizeof value);
}

/// A value as it stands in a register of type R: sign- or zero-extended.
template <class R, class T>
[[gnu::always_inline]] inline R extend(T value) {
  if constexpr (kIsSigned<T>) {
    return static_cast<R>(static_cast<Signed<R>>(value));
  } else {
    return static_cast<R>(value);
  }
}

/// Addresses of all lanes; inactive lanes get the first active lane's, so that they change no
/// minimum and no maximum.
[[gnu::always_inline]] inline void lane_addresses(const Warp& w, const Inst& in, u64* address) {
  const u64* a = w.reg<u64>(in.a);
  const u64 offset = static_cast<u64>(in.offset);
  if (w.active == kFullMask) [[likely]] {
    for (int i = 0; i < kWarpSize; ++i) address[i] = a[i] + offset;
    return;
  }
  const u64 first = a[std::countr_zero(w.active)] + offset;
  for (int i = 0; i < kWarpSize; ++i) {
    address[i] = (w.active >> i) & 1 ? a[i] + offset : first;
  }
}

/// The device range and place of the allocation that the instruction last touched.
[[gnu::always_inline]] inline InlineCache& memo_of(WarpContext& context, const Inst& in) {
  return context.tables->inline_caches[in.index];
}

/// The registers that a store of E from registers of type R writes, for the observers.
template <class E, class R>
[[nodiscard]] inline StoredValues stored_values(const Warp& w, const Inst& in) {
  StoredValues values;
  values.count = in.aux;
  values.register_bytes = sizeof(R);
  values.element_bytes = sizeof(E);
  for (unsigned k = 0; k < in.aux; ++k) {
    values.registers[k] = w.regs + element_slot(in, k);
  }
  return values;
}

/// Loads an element after the other, each from where the shape says.
template <class E, class R>
[[gnu::always_inline]] inline void load_shape(Warp& w, const Inst& in, const std::byte* first,
                                              const LaneShape& shape) {
  const bool row = shape.is_row(in.width);
  const unsigned stride = in.width;
  for (unsigned k = 0; k < in.aux; ++k) {
    R* d = w.reg<R>(element_slot(in, k));
    const std::byte* const from = first + k * sizeof(E);
    if (row && stride == sizeof(E)) {
      for (unsigned i = 0; i < kWarpSize; ++i) d[i] = extend<R>(peek<E>(from + i * sizeof(E)));
    } else if (row) {
      for (unsigned i = 0; i < kWarpSize; ++i) d[i] = extend<R>(peek<E>(from + i * stride));
    } else {
      for_each_lane(shape.mask, [&](int i) {
        d[i] = extend<R>(peek<E>(from + static_cast<s32>(shape.relative[i])));
      });
    }
  }
}

/// As load_shape. Where lanes meet, the highest one's value stays.
template <class E, class R>
[[gnu::always_inline]] inline void store_shape(Warp& w, const Inst& in, std::byte* first,
                                               const LaneShape& shape) {
  const bool row = shape.is_row(in.width);
  const unsigned stride = in.width;
  for (unsigned k = 0; k < in.aux; ++k) {
    const R* s = w.reg<R>(element_slot(in, k));
    std::byte* const to = first + k * sizeof(E);
    if (row && stride == sizeof(E)) {
      for (unsigned i = 0; i < kWarpSize; ++i) poke(to + i * sizeof(E), static_cast<E>(s[i]));
    } else if (row) {
      for (unsigned i = 0; i < kWarpSize; ++i) poke(to + i * stride, static_cast<E>(s[i]));
    } else {
      for_each_lane(shape.mask, [&](int i) {
        poke(to + static_cast<s32>(shape.relative[i]), static_cast<E>(s[i]));
      });
    }
  }
}

/// Whether an access moves one word per lane.
template <class E, class R>
[[gnu::always_inline]] inline bool moves_words(const Inst& in) {
  return sizeof(E) == 4 && sizeof(R) == 4 && in.aux == 1;
}

template <class E, class R>
[[gnu::noinline]] const Inst* load_no_row(Warp& w, const Inst& in, const std::byte* first,
                                          const LaneShape& shape) {
  if (moves_words<E, R>(in)) {
    load_halves(w.reg<u32>(in.d), first, shape);
  } else {
    load_shape<E, R>(w, in, first, shape);
  }
  return &in + 1;
}

template <class E, class R>
[[gnu::noinline]] const Inst* store_no_row(Warp& w, const Inst& in, std::byte* first,
                                           const LaneShape& shape) {
  if (moves_words<E, R>(in)) {
    store_halves(w.reg<u32>(in.d), first, shape);
  } else {
    store_shape<E, R>(w, in, first, shape);
  }
  return &in + 1;
}

/// Ends a load whose lanes are all good. Shapes other than a row of words are out of line, or
/// handlers would save registers that most accesses do not need.
template <class E, class R>
[[gnu::always_inline]] inline const Inst* finish_good_load(Warp& w, const Inst& in,
                                                           const std::byte* first,
                                                           const LaneShape& shape) {
  if (!moves_words<E, R>(in) || !shape.one_row) return load_no_row<E, R>(w, in, first, shape);
  load_row(w.reg<u32>(in.d), shape.mask, first + shape.origin[0]);
  return &in + 1;
}

template <class E, class R>
[[gnu::always_inline]] inline const Inst* finish_good_store(Warp& w, const Inst& in,
                                                            std::byte* first,
                                                            const LaneShape& shape) {
  if (!moves_words<E, R>(in) || !shape.one_row) return store_no_row<E, R>(w, in, first, shape);
  store_row(first + shape.origin[0], shape.mask, w.reg<u32>(in.d));
  return &in + 1;
}

}  // namespace warpsim::WARPSIM_SIMD
