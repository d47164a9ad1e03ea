#include "emulator/isa/handlers/bind.h"
#include "emulator/isa/handlers/families.h"

// Bits within a word: prmt, bfe, bfi, bfind, brev, clz, popc, fns, bmsk and szext.

namespace warpsim::WARPSIM_SIMD {
namespace {

/// d's byte i is the byte of [b:a] that bits 0 to 2 of the selector's nibble i name; the nibble's
/// top bit asks for that byte's sign, eight times.
[[gnu::always_inline]] inline u32 permute_bytes(u32 a, u32 b, u32 selector) {
  const u64 bytes = static_cast<u64>(b) << 32 | a;
  u32 d = 0;
  for (u32 i = 0; i < 4; ++i) {
    const u32 nibble = selector >> (4 * i);
    const u32 byte = static_cast<u32>(bytes >> (8 * (nibble & 7))) & 0xff;
    const u32 sign = (byte >> 7) * 0xff;
    d |= (nibble & 8 ? sign : byte) << (8 * i);
  }
  return d;
}

struct Permute {
  static u32 apply(u32 a, u32 b, u32 selector) { return permute_bytes(a, b, selector); }
};

/// A mode's selectors for c & 3 = 0 to 3, lowest 16 bits first.
constexpr u64 kPermuteModes[] = {
    0x6543'5432'4321'3210,  // f4e: four bytes forward from c
    0x0123'7012'6701'5670,  // b4e: four bytes backward from c
    0x3333'2222'1111'0000,  // rc8: byte c, four times
    0x3333'3222'3211'3210,  // ecl: edge clamp left, max(i, c)
    0x3210'2210'1110'0000,  // ecr: edge clamp right, min(i, c)
    0x3232'1010'3232'1010,  // rc16: half c & 1, twice
};

const Inst* permute_mode(Warp& w, const Inst& in) {
  const u64 selectors = in.imm;
  return map3<u32, u32, u32, u32>(w, in, [selectors](u32 a, u32 b, u32 c) {
    return permute_bytes(a, b, static_cast<u32>(selectors >> (16 * (c & 3))) & 0xffff);
  });
}

/// A position or length above 255, which the manual leaves open: a card has a 32-bit instruction
/// that reads eight bits of it, and composes the 64-bit one of shifts that saturate.
template <class T>
[[gnu::always_inline]] inline u32 field_count(u32 n) {
  if constexpr (sizeof(T) == 8) {
    return n < 255 ? n : 255;
  } else {
    return n & 0xff;
  }
}

/// `length` bits of a from `position`; bits beyond the word are the sign for signed types and zero
/// otherwise.
struct ExtractField {
  template <class T>
  static T apply(T a, u32 position, u32 length) {
    constexpr u32 kWidth = kBits<T>;
    const u32 start = field_count<T>(position);
    const u32 count = field_count<T>(length);
    if (count == 0) return 0;
    // Shifting twice, left then right, both cuts the field out and extends its top bit.
    const u32 end = start + count;
    const u32 up = end < kWidth ? kWidth - end : 0;
    const u32 down = start + up < kWidth ? start + up : kWidth;
    const T raised = static_cast<T>(static_cast<Unsigned<T>>(a) << up);
    if constexpr (kIsSigned<T>) {
      return static_cast<T>(raised >> (down < kWidth ? down : kWidth - 1));
    } else {
      return down < kWidth ? static_cast<T>(raised >> down) : T{0};
    }
  }
};

template <class T>
const Inst* bfe(Warp& w, const Inst& in) {
  return map3<T, T, u32, u32>(w, in,
                              [](T a, u32 b, u32 c) { return ExtractField::apply(a, b, c); });
}

/// b with `length` bits from `position` replaced by the low bits of a.
template <class T>
[[gnu::always_inline]] inline T insert_field(T a, T b, u32 position, u32 length) {
  constexpr u32 kWidth = kBits<T>;
  const u32 start = field_count<T>(position);
  const u32 count = field_count<T>(length);
  const T ones = count < kWidth ? static_cast<T>((T{1} << (count & (kWidth - 1))) - 1) : ~T{0};
  const u32 shift = start & (kWidth - 1);
  const T field = start < kWidth ? static_cast<T>(ones << shift) : T{0};
  return static_cast<T>((b & ~field) | ((a << shift) & field));
}

/// Has four sources: imm is the length's slot.
template <class T>
const Inst* bfi(Warp& w, const Inst& in) {
  T* d = w.reg<T>(in.d);
  const T* a = w.reg<T>(in.a);
  const T* b = w.reg<T>(in.b);
  const u32* position = w.reg<u32>(in.c);
  const u32* length = w.reg<u32>(static_cast<s32>(in.imm));
  const u32 active = w.active;
#pragma GCC ivdep
  for (int i = 0; i < kWarpSize; ++i) {
    const T value = insert_field(a[i], b[i], position[i], length[i]);
    d[i] = (active >> i) & 1 ? value : d[i];
  }
  return &in + 1;
}

template <class T>
inline u32 leading_zeros(T a) {
  if (a == 0) return kBits<T>;
  if constexpr (sizeof(T) == 8) {
    return static_cast<u32>(__builtin_clzll(a));
  } else {
    return static_cast<u32>(__builtin_clz(a));
  }
}

template <class T>
inline u32 count_ones(T a) {
  if constexpr (sizeof(T) == 8) {
    return static_cast<u32>(__builtin_popcountll(a));
  } else {
    return static_cast<u32>(__builtin_popcount(a));
  }
}

/// Position of the most significant bit that differs from the sign (from 0 for unsigned types).
template <class T, bool kShiftAmount>
inline u32 find_top_bit(T a) {
  const auto bits = static_cast<Unsigned<T>>(kIsSigned<T> && a < 0 ? ~a : a);
  if (bits == 0) return 0xffffffffu;
  const u32 zeros = leading_zeros(bits);
  return kShiftAmount ? zeros : kBits<T> - 1 - zeros;
}

template <class T>
const Inst* clz(Warp& w, const Inst& in) {
  return map1<u32, T>(w, in, [](T a) { return leading_zeros(a); });
}

template <class T>
const Inst* popc(Warp& w, const Inst& in) {
  return map1<u32, T>(w, in, [](T a) { return count_ones(a); });
}

template <class T, bool kShiftAmount>
const Inst* bfind(Warp& w, const Inst& in) {
  return map1<u32, T>(w, in, [](T a) { return find_top_bit<T, kShiftAmount>(a); });
}

struct Reverse {
  static u32 apply(u32 a) {
    a = (a >> 1 & 0x55555555u) | (a & 0x55555555u) << 1;
    a = (a >> 2 & 0x33333333u) | (a & 0x33333333u) << 2;
    a = (a >> 4 & 0x0f0f0f0fu) | (a & 0x0f0f0f0fu) << 4;
    return __builtin_bswap32(a);
  }
  static u64 apply(u64 a) {
    return static_cast<u64>(apply(static_cast<u32>(a))) << 32 | apply(static_cast<u32>(a >> 32));
  }
};

/// Position of the |offset|-th set bit counted from `base`, upwards for a positive offset; an
/// offset of 0 tests the base bit alone.
struct FindNthSet {
  static u32 apply(u32 mask, u32 base, u32 offset) {
    const s32 n = static_cast<s32>(offset);
    base &= 31;
    u32 rest = mask & (n < 0 ? 0xffffffffu >> (31 - base) : 0xffffffffu << base);
    if (n == 0) rest &= 1u << base;
    const u32 skip = n == 0 ? 0 : (n < 0 ? 0u - offset : offset) - 1;
    if (skip >= count_ones(rest)) return 0xffffffffu;
    for (u32 i = 0; i < skip; ++i) {
      rest &= n < 0 ? ~(0x80000000u >> leading_zeros(rest)) : rest - 1;
    }
    return n < 0 ? 31 - leading_zeros(rest) : static_cast<u32>(__builtin_ctz(rest));
  }
};

/// Only active lanes: others may hold anything, and the search is a loop.
const Inst* fns(Warp& w, const Inst& in) {
  u32* d = w.reg<u32>(in.d);
  const u32* mask = w.reg<u32>(in.a);
  const u32* base = w.reg<u32>(in.b);
  const u32* offset = w.reg<u32>(in.c);
  for_each_lane(w.active, [=](int i) { d[i] = FindNthSet::apply(mask[i], base[i], offset[i]); });
  return &in + 1;
}

/// Ones from bit a, b of them. Clamping treats 32 and more as the end of the word, wrapping takes
/// a and b modulo 32.
template <bool kClamp>
struct BitMask {
  static u32 apply(u32 a, u32 b) {
    const u32 start = a & 31;
    const u32 width = b & 31;
    u32 ones = (1u << width) - 1;
    if (kClamp && b >= 32) ones = 0xffffffffu;
    return kClamp && a >= 32 ? 0 : ones << start;
  }
};

/// The low b bits of a, extended. Clamping leaves a alone when b is 32 or more, wrapping takes b
/// modulo 32; no bits give 0.
template <bool kClamp>
struct ExtendField {
  template <class T>
  static T apply(T a, u32 b) {
    const u32 count = b & 31;
    if (kClamp && b >= 32) return a;
    const u32 shift = (32 - count) & 31;
    const T extended = static_cast<T>(static_cast<T>(static_cast<u32>(a) << shift) >> shift);
    return count == 0 ? T{0} : extended;
  }
};

template <class T, bool kClamp>
const Inst* szext(Warp& w, const Inst& in) {
  return map2<T, T, u32>(w, in, [](T a, u32 b) { return ExtendField<kClamp>::apply(a, b); });
}

void bind_prmt(Binder& b) {
  const int mode = b.take_one_of({"f4e", "b4e", "rc8", "ecl", "ecr", "rc16"});
  const Type type = b.take_type();
  if (type != Type::b32) unsupported_type(b, type);
  bind_operands(b, type, type, type);
  if (mode < 0) {
    b.inst.run = &ternary<Permute, u32>;
  } else {
    b.inst.imm = kPermuteModes[mode];
    b.inst.run = &permute_mode;
  }
}

void bind_bfe(Binder& b) {
  const Type type = b.take_type();
  with_type<Type::u32, Type::s32, Type::u64, Type::s64>(b, type,
                                                        [&]<class T>() { b.inst.run = &bfe<T>; });
  bind_operands(b, type, Type::u32, Type::u32);
}

void bind_bfi(Binder& b) {
  const Type type = b.take_type();
  with_type<Type::b32, Type::b64>(b, type, [&]<class T>() { b.inst.run = &bfi<T>; });
  require_operands(b, 5);
  b.inst.d = b.dst(0);
  b.inst.a = b.src(1, type);
  b.inst.b = b.src(2, type);
  b.inst.c = b.src(3, Type::u32);
  b.inst.imm = static_cast<u64>(b.src(4, Type::u32));
}

void bind_bfind(Binder& b) {
  const bool shift_amount = b.take("shiftamt");
  const Type type = b.take_type();
  with_type<Type::u32, Type::s32, Type::u64, Type::s64>(
      b, type, [&]<class T>() { b.inst.run = shift_amount ? &bfind<T, true> : &bfind<T, false>; });
  bind_operands(b, type);
}

void bind_brev(Binder& b) {
  const Type type = b.take_type();
  with_type<Type::b32, Type::b64>(b, type, [&]<class T>() { b.inst.run = &unary<Reverse, T>; });
  bind_operands(b, type);
}

void bind_clz(Binder& b) {
  const Type type = b.take_type();
  with_type<Type::b32, Type::b64>(b, type, [&]<class T>() { b.inst.run = &clz<T>; });
  bind_operands(b, type);
}

void bind_popc(Binder& b) {
  const Type type = b.take_type();
  with_type<Type::b32, Type::b64>(b, type, [&]<class T>() { b.inst.run = &popc<T>; });
  bind_operands(b, type);
}

void bind_fns(Binder& b) {
  const Type type = b.take_type();
  if (type != Type::b32) unsupported_type(b, type);
  b.inst.run = &fns;
  bind_operands(b, type, Type::b32, Type::s32);
}

void bind_bmsk(Binder& b) {
  const int mode = b.take_one_of({"clamp", "wrap"});
  if (mode < 0) b.unsupported("neither .clamp nor .wrap");
  const Type type = b.take_type();
  if (type != Type::b32) unsupported_type(b, type);
  b.inst.run = mode == 0 ? &binary<BitMask<true>, u32> : &binary<BitMask<false>, u32>;
  bind_operands(b, type, type);
}

void bind_szext(Binder& b) {
  const int mode = b.take_one_of({"clamp", "wrap"});
  if (mode < 0) b.unsupported("neither .clamp nor .wrap");
  const Type type = b.take_type();
  with_type<Type::u32, Type::s32>(
      b, type, [&]<class T>() { b.inst.run = mode == 0 ? &szext<T, true> : &szext<T, false>; });
  bind_operands(b, type, Type::u32);
}

}  // namespace

Family bits_field_family() {
  static constexpr Row kRows[] = {
      {"prmt", "prmt.b32{.f4e,.b4e,.rc8,.ecl,.ecr,.rc16} d, a, b, c", &bind_prmt,
       semantics::kMoveBits},
      {"bfe", "bfe.{u32,u64,s32,s64} d, a, position, length", &bind_bfe, semantics::kMoveBits},
      {"bfi", "bfi.{b32,b64} d, a, b, position, length", &bind_bfi, semantics::kMoveBits},
      {"bfind", "bfind{.shiftamt}.{u32,u64,s32,s64} d, a", &bind_bfind, semantics::kCompute},
      {"brev", "brev.{b32,b64} d, a", &bind_brev, semantics::kMoveBits},
      {"clz", "clz.{b32,b64} d, a", &bind_clz, semantics::kCompute},
      {"popc", "popc.{b32,b64} d, a", &bind_popc, semantics::kCompute},
      {"fns", "fns.b32 d, mask, base, offset", &bind_fns, semantics::kCompute},
      {"bmsk", "bmsk.{clamp,wrap}.b32 d, position, width", &bind_bmsk, semantics::kCompute},
      {"szext", "szext.{clamp,wrap}.{u32,s32} d, a, width", &bind_szext, semantics::kCompute},
  };
  return kRows;
}

}  // namespace warpsim::WARPSIM_SIMD
