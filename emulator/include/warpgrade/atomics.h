#pragma once

// Atomic functions (Programming Guide, "Atomic Functions"): device scope, and with the suffixes
// _block and _system. They are relaxed: they order no other access.

#define WARPGRADE_RMW(name, builtin, scope, type, suffix, as)                          \
  WARPGRADE_DEVICE type name(type* address, type value) {                              \
    return (type)__nvvm_atom_##scope##builtin##_gen_##suffix((as*)address, (as)value); \
  }
/// All forms of one function for one scope: `scope` is the builtins' cta_, sys_ or nothing.
#define WARPGRADE_SCOPE(suffix, scope)                                                            \
  WARPGRADE_RMW(atomicAdd##suffix, add, scope, int, i, int)                                       \
  WARPGRADE_RMW(atomicAdd##suffix, add, scope, unsigned, i, int)                                  \
  WARPGRADE_RMW(atomicAdd##suffix, add, scope, unsigned long, l, long)                            \
  WARPGRADE_RMW(atomicAdd##suffix, add, scope, unsigned long long, ll, long long)                 \
  WARPGRADE_RMW(atomicAdd##suffix, add, scope, float, f, float)                                   \
  WARPGRADE_RMW(atomicAdd##suffix, add, scope, double, d, double)                                 \
  WARPGRADE_RMW(atomicExch##suffix, xchg, scope, int, i, int)                                     \
  WARPGRADE_RMW(atomicExch##suffix, xchg, scope, unsigned, i, int)                                \
  WARPGRADE_RMW(atomicExch##suffix, xchg, scope, unsigned long, l, long)                          \
  WARPGRADE_RMW(atomicExch##suffix, xchg, scope, unsigned long long, ll, long long)               \
  WARPGRADE_RMW(atomicInc##suffix, inc, scope, unsigned, ui, unsigned)                            \
  WARPGRADE_RMW(atomicDec##suffix, dec, scope, unsigned, ui, unsigned)                            \
  WARPGRADE_RMW(atomicAnd##suffix, and, scope, int, i, int)                                       \
  WARPGRADE_RMW(atomicAnd##suffix, and, scope, unsigned, i, int)                                  \
  WARPGRADE_RMW(atomicAnd##suffix, and, scope, unsigned long long, ll, long long)                 \
  WARPGRADE_RMW(atomicOr##suffix, or, scope, int, i, int)                                         \
  WARPGRADE_RMW(atomicOr##suffix, or, scope, unsigned, i, int)                                    \
  WARPGRADE_RMW(atomicOr##suffix, or, scope, unsigned long long, ll, long long)                   \
  WARPGRADE_RMW(atomicXor##suffix, xor, scope, int, i, int)                                       \
  WARPGRADE_RMW(atomicXor##suffix, xor, scope, unsigned, i, int)                                  \
  WARPGRADE_RMW(atomicXor##suffix, xor, scope, unsigned long long, ll, long long)                 \
  WARPGRADE_DEVICE float atomicExch##suffix(float* address, float value) {                        \
    return __builtin_bit_cast(float,                                                              \
                              atomicExch##suffix((int*)address, __builtin_bit_cast(int, value))); \
  }                                                                                               \
  WARPGRADE_DEVICE int atomicSub##suffix(int* address, int value) {                               \
    return atomicAdd##suffix(address, (int)-(unsigned)value);                                     \
  }                                                                                               \
  WARPGRADE_DEVICE unsigned atomicSub##suffix(unsigned* address, unsigned value) {                \
    return atomicAdd##suffix(address, -value);                                                    \
  }                                                                                               \
  WARPGRADE_DEVICE int atomicCAS##suffix(int* address, int compare, int value) {                  \
    return __nvvm_atom_##scope##cas_gen_i(address, compare, value);                               \
  }                                                                                               \
  WARPGRADE_DEVICE unsigned atomicCAS##suffix(unsigned* address, unsigned compare,                \
                                              unsigned value) {                                   \
    return (unsigned)__nvvm_atom_##scope##cas_gen_i((int*)address, (int)compare, (int)value);     \
  }                                                                                               \
  WARPGRADE_DEVICE unsigned long long atomicCAS##suffix(                                          \
      unsigned long long* address, unsigned long long compare, unsigned long long value) {        \
    return (unsigned long long)__nvvm_atom_##scope##cas_gen_ll(                                   \
        (long long*)address, (long long)compare, (long long)value);                               \
  }
WARPGRADE_SCOPE(, )
WARPGRADE_SCOPE(_block, cta_)
WARPGRADE_SCOPE(_system, sys_)
#undef WARPGRADE_SCOPE

#define WARPGRADE_MIN_MAX(name, builtin)                   \
  WARPGRADE_RMW(name, builtin, , int, i, int)              \
  WARPGRADE_RMW(name, builtin, , unsigned, ui, unsigned)   \
  WARPGRADE_RMW(name, builtin, , long long, ll, long long) \
  WARPGRADE_RMW(name, builtin, , unsigned long long, ull, unsigned long long)
WARPGRADE_MIN_MAX(atomicMin, min)
WARPGRADE_MIN_MAX(atomicMax, max)
#undef WARPGRADE_MIN_MAX
#undef WARPGRADE_RMW
// Those with a scope by assembly: clang 14's built-in functions compare unsigned numbers as signed.
#define WARPGRADE_SCOPED(name, type, instruction, letter) \
  WARPGRADE_DEVICE type name(type* address, type value) { \
    type old;                                             \
    asm volatile("atom." instruction " %0, [%1], %2;"     \
                 : "=" letter(old)                        \
                 : "l"(address), letter(value)            \
                 : "memory");                             \
    return old;                                           \
  }
#define WARPGRADE_MIN_MAX(name, scope, operation)                    \
  WARPGRADE_SCOPED(name, int, scope "." operation ".s32", "r")       \
  WARPGRADE_SCOPED(name, unsigned, scope "." operation ".u32", "r")  \
  WARPGRADE_SCOPED(name, long long, scope "." operation ".s64", "l") \
  WARPGRADE_SCOPED(name, unsigned long long, scope "." operation ".u64", "l")
WARPGRADE_MIN_MAX(atomicMin_block, "cta", "min")
WARPGRADE_MIN_MAX(atomicMax_block, "cta", "max")
WARPGRADE_MIN_MAX(atomicMin_system, "sys", "min")
WARPGRADE_MIN_MAX(atomicMax_system, "sys", "max")
#undef WARPGRADE_MIN_MAX
#undef WARPGRADE_SCOPED

WARPGRADE_DEVICE unsigned short atomicCAS(unsigned short* address, unsigned short compare,
                                          unsigned short value) {
  unsigned short old;
  asm volatile("atom.cas.b16 %0, [%1], %2, %3;"
               : "=h"(old)
               : "l"(address), "h"(compare), "h"(value)
               : "memory");
  return old;
}
