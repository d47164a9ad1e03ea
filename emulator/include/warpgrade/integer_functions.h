#pragma once

// Integer intrinsics (CUDA Math API, "Integer Intrinsics").

WARPGRADE_DEVICE int __popc(unsigned x) {
  return __builtin_popcount(x);
}
WARPGRADE_DEVICE int __popcll(unsigned long long x) {
  return __builtin_popcountll(x);
}
WARPGRADE_DEVICE int __clz(int x) {
  int zeros;
  asm("clz.b32 %0, %1;" : "=r"(zeros) : "r"(x));
  return zeros;
}
WARPGRADE_DEVICE int __clzll(long long x) {
  int zeros;
  asm("clz.b64 %0, %1;" : "=r"(zeros) : "l"(x));
  return zeros;
}
WARPGRADE_DEVICE unsigned __brev(unsigned x) {
  return __builtin_bitreverse32(x);
}
WARPGRADE_DEVICE unsigned long long __brevll(unsigned long long x) {
  return __builtin_bitreverse64(x);
}
// Unsigned: the least number has no negative.
WARPGRADE_DEVICE int __ffs(int x) {
  return 32 - __clz((int)((unsigned)x & (0 - (unsigned)x)));
}
WARPGRADE_DEVICE int __ffsll(long long x) {
  return 64 - __clzll((long long)((unsigned long long)x & (0 - (unsigned long long)x)));
}
/// The position of the n-th bit (from 1; upward) of `mask` at or after `base`, or ~0: with n = 0
/// that of bit `base` if it is set; downward for n < 0.
WARPGRADE_DEVICE unsigned __fns(unsigned mask, unsigned base, int n) {
  unsigned position;
  asm("fns.b32 %0, %1, %2, %3;" : "=r"(position) : "r"(mask), "r"(base), "r"(n));
  return position;
}
// The fourth bit of a selector would ask the instruction for the sign of its byte.
WARPGRADE_DEVICE unsigned __byte_perm(unsigned x, unsigned y, unsigned selector) {
  return __nvvm_prmt(x, y, selector & 0x7777);
}

#define WARPGRADE_FUNNEL(name, instruction)                                               \
  WARPGRADE_DEVICE unsigned name(unsigned low, unsigned high, unsigned shift) {           \
    unsigned result;                                                                      \
    asm(instruction " %0, %1, %2, %3;" : "=r"(result) : "r"(low), "r"(high), "r"(shift)); \
    return result;                                                                        \
  }
WARPGRADE_FUNNEL(__funnelshift_l, "shf.l.wrap.b32")
WARPGRADE_FUNNEL(__funnelshift_lc, "shf.l.clamp.b32")
WARPGRADE_FUNNEL(__funnelshift_r, "shf.r.wrap.b32")
WARPGRADE_FUNNEL(__funnelshift_rc, "shf.r.clamp.b32")
#undef WARPGRADE_FUNNEL

WARPGRADE_DEVICE int __mulhi(int x, int y) {
  return (int)(((long long)x * y) >> 32);
}
WARPGRADE_DEVICE unsigned __umulhi(unsigned x, unsigned y) {
  return (unsigned)(((unsigned long long)x * y) >> 32);
}
WARPGRADE_DEVICE long long __mul64hi(long long x, long long y) {
  return __nvvm_mulhi_ll(x, y);
}
WARPGRADE_DEVICE unsigned long long __umul64hi(unsigned long long x, unsigned long long y) {
  return __nvvm_mulhi_ull(x, y);
}
WARPGRADE_DEVICE int __mul24(int x, int y) {
  int result;
  asm("mul24.lo.s32 %0, %1, %2;" : "=r"(result) : "r"(x), "r"(y));
  return result;
}
WARPGRADE_DEVICE unsigned __umul24(unsigned x, unsigned y) {
  unsigned result;
  asm("mul24.lo.u32 %0, %1, %2;" : "=r"(result) : "r"(x), "r"(y));
  return result;
}
WARPGRADE_DEVICE unsigned __sad(int x, int y, unsigned z) {
  unsigned result;
  asm("sad.s32 %0, %1, %2, %3;" : "=r"(result) : "r"(x), "r"(y), "r"(z));
  return result;
}
WARPGRADE_DEVICE unsigned __usad(unsigned x, unsigned y, unsigned z) {
  unsigned result;
  asm("sad.u32 %0, %1, %2, %3;" : "=r"(result) : "r"(x), "r"(y), "r"(z));
  return result;
}
// Averages that do not overflow, rounded down and (r) up.
WARPGRADE_DEVICE int __hadd(int x, int y) {
  return (x & y) + ((x ^ y) >> 1);
}
WARPGRADE_DEVICE unsigned __uhadd(unsigned x, unsigned y) {
  return (x & y) + ((x ^ y) >> 1);
}
WARPGRADE_DEVICE int __rhadd(int x, int y) {
  return (x | y) - ((x ^ y) >> 1);
}
WARPGRADE_DEVICE unsigned __urhadd(unsigned x, unsigned y) {
  return (x | y) - ((x ^ y) >> 1);
}

// Dot products of bytes and of 16-bit by 8-bit numbers, added to the last argument.
#define WARPGRADE_DOT(name, instruction, result_type, a_type, b_type, to_a, to_b) \
  WARPGRADE_DEVICE result_type name(a_type a, b_type b, result_type c) {          \
    result_type d;                                                                \
    asm(instruction " %0, %1, %2, %3;" : "=r"(d) : "r"(to_a), "r"(to_b), "r"(c)); \
    return d;                                                                     \
  }
#define WARPGRADE_BITS(v) __builtin_bit_cast(unsigned, v)
WARPGRADE_DOT(__dp4a, "dp4a.s32.s32", int, int, int, a, b)
WARPGRADE_DOT(__dp4a, "dp4a.u32.u32", unsigned, unsigned, unsigned, a, b)
WARPGRADE_DOT(__dp4a, "dp4a.s32.s32", int, char4, char4, WARPGRADE_BITS(a), WARPGRADE_BITS(b))
WARPGRADE_DOT(__dp4a, "dp4a.u32.u32", unsigned, uchar4, uchar4, WARPGRADE_BITS(a),
              WARPGRADE_BITS(b))
WARPGRADE_DOT(__dp2a_lo, "dp2a.lo.s32.s32", int, int, int, a, b)
WARPGRADE_DOT(__dp2a_lo, "dp2a.lo.u32.u32", unsigned, unsigned, unsigned, a, b)
WARPGRADE_DOT(__dp2a_lo, "dp2a.lo.s32.s32", int, short2, char4, WARPGRADE_BITS(a),
              WARPGRADE_BITS(b))
WARPGRADE_DOT(__dp2a_lo, "dp2a.lo.u32.u32", unsigned, ushort2, uchar4, WARPGRADE_BITS(a),
              WARPGRADE_BITS(b))
WARPGRADE_DOT(__dp2a_hi, "dp2a.hi.s32.s32", int, int, int, a, b)
WARPGRADE_DOT(__dp2a_hi, "dp2a.hi.u32.u32", unsigned, unsigned, unsigned, a, b)
WARPGRADE_DOT(__dp2a_hi, "dp2a.hi.s32.s32", int, short2, char4, WARPGRADE_BITS(a),
              WARPGRADE_BITS(b))
WARPGRADE_DOT(__dp2a_hi, "dp2a.hi.u32.u32", unsigned, ushort2, uchar4, WARPGRADE_BITS(a),
              WARPGRADE_BITS(b))
#undef WARPGRADE_BITS
#undef WARPGRADE_DOT
