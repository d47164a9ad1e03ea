#pragma once

#include <type_traits>

#include "../cuda_runtime.h"
#include "memory_order.h"

// PTX's atomic instructions with their order and scope. A sequentially consistent access is a
// fence.sc and an acquiring access, as PTX's memory model maps that of C++. On the host the
// compiler's atomic operations.

namespace warpgrade_cuda {

template <unsigned Bytes>
struct WordOf;
template <>
struct WordOf<1> {
  using type = unsigned char;
};
template <>
struct WordOf<2> {
  using type = unsigned short;
};
template <>
struct WordOf<4> {
  using type = unsigned;
};
template <>
struct WordOf<8> {
  using type = unsigned long long;
};
/// The unsigned integer of T's size.
template <class T>
using Word = typename WordOf<sizeof(T)>::type;

/// Instructions of one scope.
template <cuda::thread_scope Scope>
struct AtomicInstructions;

#define WARPGRADE_ATOMIC_LOAD(scope, type, ptx, letter, as)                             \
  static WARPGRADE_MEMBER type load(const type* p, int order) {                         \
    as value;                                                                           \
    if (order == cuda::memory_order_relaxed) {                                          \
      asm volatile("ld.relaxed." scope "." ptx " %0, [%1];"                             \
                   : "=" letter(value)                                                  \
                   : "l"(p)                                                             \
                   : "memory");                                                         \
    } else {                                                                            \
      if (order == cuda::memory_order_seq_cst) fence(order);                            \
      asm volatile("ld.acquire." scope "." ptx " %0, [%1];"                             \
                   : "=" letter(value)                                                  \
                   : "l"(p)                                                             \
                   : "memory");                                                         \
    }                                                                                   \
    return (type)value;                                                                 \
  }                                                                                     \
  static WARPGRADE_MEMBER void store(type* p, type value, int order) {                  \
    if (order == cuda::memory_order_release) {                                          \
      asm volatile("st.release." scope "." ptx " [%0], %1;" ::"l"(p), letter((as)value) \
                   : "memory");                                                         \
    } else {                                                                            \
      if (order == cuda::memory_order_seq_cst) fence(order);                            \
      asm volatile("st.relaxed." scope "." ptx " [%0], %1;" ::"l"(p), letter((as)value) \
                   : "memory");                                                         \
    }                                                                                   \
  }
#define WARPGRADE_ATOM(order, scope, ptx, letter)               \
  asm volatile("atom." order "." scope "." ptx " %0, [%1], %2;" \
               : "=" letter(old)                                \
               : "l"(p), letter(value)                          \
               : "memory")
#define WARPGRADE_CAS(order, scope, ptx, letter)                    \
  asm volatile("atom." order "." scope "." ptx " %0, [%1], %2, %3;" \
               : "=" letter(old)                                    \
               : "l"(p), letter(expected), letter(value)            \
               : "memory")
#define WARPGRADE_BY_ORDER(instruction, scope, ptx, letter) \
  switch (order) {                                          \
    case cuda::memory_order_relaxed:                        \
      instruction("relaxed", scope, ptx, letter);           \
      break;                                                \
    case cuda::memory_order_release:                        \
      instruction("release", scope, ptx, letter);           \
      break;                                                \
    case cuda::memory_order_acq_rel:                        \
      instruction("acq_rel", scope, ptx, letter);           \
      break;                                                \
    case cuda::memory_order_seq_cst:                        \
      fence(order);                                         \
      [[fallthrough]];                                      \
    default:                                                \
      instruction("acquire", scope, ptx, letter);           \
  }
#define WARPGRADE_RMW(name, scope, type, ptx, letter)                 \
  static WARPGRADE_MEMBER type name(type* p, type value, int order) { \
    type old;                                                         \
    WARPGRADE_BY_ORDER(WARPGRADE_ATOM, scope, ptx, letter)            \
    return old;                                                       \
  }
#define WARPGRADE_RMW_BITS(name, scope, ptx)            \
  WARPGRADE_RMW(name, scope, unsigned, ptx ".b32", "r") \
  WARPGRADE_RMW(name, scope, unsigned long long, ptx ".b64", "l")
#define WARPGRADE_RMW_ORDERED(name, scope, ptx)          \
  WARPGRADE_RMW(name, scope, int, ptx ".s32", "r")       \
  WARPGRADE_RMW(name, scope, unsigned, ptx ".u32", "r")  \
  WARPGRADE_RMW(name, scope, long long, ptx ".s64", "l") \
  WARPGRADE_RMW(name, scope, unsigned long long, ptx ".u64", "l")
#define WARPGRADE_ATOMIC_CAS(scope, type, ptx, letter)                                           \
  static WARPGRADE_MEMBER type compare_and_swap(type* p, type expected, type value, int order) { \
    type old;                                                                                    \
    WARPGRADE_BY_ORDER(WARPGRADE_CAS, scope, ptx, letter)                                        \
    return old;                                                                                  \
  }
#define WARPGRADE_ATOMIC_SCOPE(which, scope)                                         \
  template <>                                                                        \
  struct AtomicInstructions<which> {                                                 \
    static WARPGRADE_MEMBER void fence(int order) {                                  \
      if (order == cuda::memory_order_seq_cst) {                                     \
        asm volatile("fence.sc." scope ";" ::: "memory");                            \
      } else if (order != cuda::memory_order_relaxed) {                              \
        asm volatile("fence.acq_rel." scope ";" ::: "memory");                       \
      }                                                                              \
    }                                                                                \
    WARPGRADE_ATOMIC_LOAD(scope, unsigned char, "u8", "h", unsigned short)           \
    WARPGRADE_ATOMIC_LOAD(scope, unsigned short, "u16", "h", unsigned short)         \
    WARPGRADE_ATOMIC_LOAD(scope, unsigned, "u32", "r", unsigned)                     \
    WARPGRADE_ATOMIC_LOAD(scope, unsigned long long, "u64", "l", unsigned long long) \
    WARPGRADE_RMW(add, scope, unsigned, "add.u32", "r")                              \
    WARPGRADE_RMW(add, scope, unsigned long long, "add.u64", "l")                    \
    WARPGRADE_RMW(add, scope, float, "add.f32", "f")                                 \
    WARPGRADE_RMW(add, scope, double, "add.f64", "d")                                \
    WARPGRADE_RMW_BITS(exchange, scope, "exch")                                      \
    WARPGRADE_RMW_BITS(bit_and, scope, "and")                                        \
    WARPGRADE_RMW_BITS(bit_or, scope, "or")                                          \
    WARPGRADE_RMW_BITS(bit_xor, scope, "xor")                                        \
    WARPGRADE_RMW_ORDERED(least, scope, "min")                                       \
    WARPGRADE_RMW_ORDERED(largest, scope, "max")                                     \
    WARPGRADE_ATOMIC_CAS(scope, unsigned, "cas.b32", "r")                            \
    WARPGRADE_ATOMIC_CAS(scope, unsigned long long, "cas.b64", "l")                  \
  };
WARPGRADE_ATOMIC_SCOPE(cuda::thread_scope_system, "sys")
WARPGRADE_ATOMIC_SCOPE(cuda::thread_scope_device, "gpu")
WARPGRADE_ATOMIC_SCOPE(cuda::thread_scope_block, "cta")
#undef WARPGRADE_ATOMIC_SCOPE
#undef WARPGRADE_ATOMIC_CAS
#undef WARPGRADE_RMW_ORDERED
#undef WARPGRADE_RMW_BITS
#undef WARPGRADE_RMW
#undef WARPGRADE_BY_ORDER
#undef WARPGRADE_CAS
#undef WARPGRADE_ATOM
#undef WARPGRADE_ATOMIC_LOAD
// There is no narrower scope in PTX.
template <>
struct AtomicInstructions<cuda::thread_scope_thread>
    : AtomicInstructions<cuda::thread_scope_block> {};

/// Atomic accesses to a T of 1, 2, 4 or 8 bytes, on the device and on the host.
template <class T, cuda::thread_scope Scope>
struct AtomicAccess {
  static_assert(sizeof(T) == 1 || sizeof(T) == 2 || sizeof(T) == 4 || sizeof(T) == 8,
                "atomics of this size need nvcc; with clang 1, 2, 4 or 8 bytes");
  static_assert(std::is_trivially_copyable_v<T>, "atomics are of trivially copyable types");
  using Bits = Word<T>;
  using Device = AtomicInstructions<Scope>;

  static WARPGRADE_HD_MEMBER Bits* bits(const T* p) { return (Bits*)p; }
  static WARPGRADE_HD_MEMBER T value(Bits bits) { return __builtin_bit_cast(T, bits); }

  static WARPGRADE_HD_MEMBER T load(const T* p, int order) {
#if defined(__CUDA_ARCH__)
    return value(Device::load(bits(p), order));
#else
    return value(__atomic_load_n(bits(p), order));
#endif
  }
  static WARPGRADE_HD_MEMBER void store(T* p, T x, int order) {
#if defined(__CUDA_ARCH__)
    Device::store(bits(p), __builtin_bit_cast(Bits, x), order);
#else
    __atomic_store_n(bits(p), __builtin_bit_cast(Bits, x), order);
#endif
  }
  /// @returns whether *p was `expected`, which becomes what *p was if not
  static WARPGRADE_HD_MEMBER bool compare_and_swap(T* p, T& expected, T desired, int order) {
    const Bits want = __builtin_bit_cast(Bits, expected);
    const Bits next = __builtin_bit_cast(Bits, desired);
#if !defined(__CUDA_ARCH__)
    Bits old = want;
    const bool done = __atomic_compare_exchange_n(
        bits(p), &old, next, false, order,
        order == __ATOMIC_RELEASE || order == __ATOMIC_RELAXED ? __ATOMIC_RELAXED
                                                               : __ATOMIC_ACQUIRE);
    if (!done) expected = value(old);
    return done;
#else
    Bits old;
    if constexpr (sizeof(T) >= 4) {
      old = Device::compare_and_swap(bits(p), want, next, order);
    } else {
      // Within the aligned word that contains it; retries if its neighbours change.
      const size_t address = (size_t)p;
      unsigned* const word = (unsigned*)(address / 4 * 4);
      const unsigned shift = (unsigned)(address % 4) * 8;
      const unsigned mask = (unsigned)(Bits) ~(Bits)0 << shift;
      unsigned seen = Device::load(word, cuda::memory_order_relaxed);
      while (true) {
        old = (Bits)(seen >> shift);
        if (old != want) break;
        const unsigned before =
            Device::compare_and_swap(word, seen, (seen & ~mask) | (unsigned)next << shift, order);
        if (before == seen) break;
        seen = before;
      }
    }
    if (old == want) return true;
    expected = value(old);
    return false;
#endif
  }
  /// Replaces *p by change(*p). @returns what *p was
  template <class Change>
  static WARPGRADE_HD_MEMBER T update(T* p, int order, Change change) {
    T old = load(p, cuda::memory_order_relaxed);
    while (!compare_and_swap(p, old, change(old), order)) {
    }
    return old;
  }
  static WARPGRADE_HD_MEMBER T exchange(T* p, T x, int order) {
#if defined(__CUDA_ARCH__)
    if constexpr (sizeof(T) >= 4) {
      return value(Device::exchange(bits(p), __builtin_bit_cast(Bits, x), order));
    } else {
      return update(p, order, [x](T) { return x; });
    }
#else
    return value(__atomic_exchange_n(bits(p), __builtin_bit_cast(Bits, x), order));
#endif
  }

// One instruction where PTX has it for T, else a loop around compare-and-swap.
#if defined(__CUDA_ARCH__)
#define WARPGRADE_ATOMIC_INTEGERS(name) \
  if constexpr (kIsInteger && sizeof(T) >= 4) return value(Device::name(bits(p), (Bits)x, order));
#define WARPGRADE_ATOMIC_SIGNED(name)                     \
  if constexpr (kIsInteger && sizeof(T) >= 4) {           \
    using Number = Selected<(T)-1 < (T)0, sizeof(T)>;     \
    return (T)Device::name((Number*)p, (Number)x, order); \
  }
#define WARPGRADE_ATOMIC_REAL(name) \
  if constexpr (std::is_floating_point_v<T>) return Device::name(p, x, order);
#else
#define WARPGRADE_ATOMIC_INTEGERS(name)
#define WARPGRADE_ATOMIC_SIGNED(name)
#define WARPGRADE_ATOMIC_REAL(name)
#endif
#define WARPGRADE_ATOMIC_UPDATE(name, instruction, expression)  \
  static WARPGRADE_HD_MEMBER T name(T* p, T x, int order) {     \
    instruction;                                                \
    return update(p, order, [x](T old) { return expression; }); \
  }
  static constexpr bool kIsInteger = std::is_integral_v<T>;
  template <bool Signed, unsigned Bytes, class = void>
  struct NumberOf {
    using type = Word<T>;
  };
  template <class Unused>
  struct NumberOf<true, 4, Unused> {
    using type = int;
  };
  template <class Unused>
  struct NumberOf<true, 8, Unused> {
    using type = long long;
  };
  template <bool Signed, unsigned Bytes>
  using Selected = typename NumberOf<Signed, Bytes>::type;

  // Integers wrap around.
  static WARPGRADE_HD_MEMBER T sum(T a, T b) {
    if constexpr (kIsInteger) {
      return (T)((unsigned long long)a + (unsigned long long)b);
    } else {
      return a + b;
    }
  }
  WARPGRADE_ATOMIC_UPDATE(add, WARPGRADE_ATOMIC_INTEGERS(add) WARPGRADE_ATOMIC_REAL(add),
                          sum(old, x))
  WARPGRADE_ATOMIC_UPDATE(bit_and, WARPGRADE_ATOMIC_INTEGERS(bit_and), (T)(old& x))
  WARPGRADE_ATOMIC_UPDATE(bit_or, WARPGRADE_ATOMIC_INTEGERS(bit_or), (T)(old | x))
  WARPGRADE_ATOMIC_UPDATE(bit_xor, WARPGRADE_ATOMIC_INTEGERS(bit_xor), (T)(old ^ x))
  WARPGRADE_ATOMIC_UPDATE(least, WARPGRADE_ATOMIC_SIGNED(least), x < old ? x : old)
  WARPGRADE_ATOMIC_UPDATE(largest, WARPGRADE_ATOMIC_SIGNED(largest), old < x ? x : old)
#undef WARPGRADE_ATOMIC_UPDATE
#undef WARPGRADE_ATOMIC_REAL
#undef WARPGRADE_ATOMIC_SIGNED
#undef WARPGRADE_ATOMIC_INTEGERS
};

}  // namespace warpgrade_cuda
