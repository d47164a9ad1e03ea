#pragma once

// Barriers, fences, and what the lanes of a warp do together (Programming Guide, "Synchronization
// Functions", "Memory Fence Functions", "Warp Vote", "Warp Match", "Warp Reduce" and "Warp Shuffle
// Functions").

// Assembly, because clang 14 and 15 move accesses to shared variables across their own built-in
// barriers (global alias analysis did not know that other threads write them). __syncthreads() is
// such a built-in function, hence the macro.
#define __syncthreads() ::warpgrade_cuda::wait_for_block()
namespace warpgrade_cuda {
WARPGRADE_DEVICE void wait_for_block() {
  asm volatile("bar.sync 0;" ::: "memory");
}
}  // namespace warpgrade_cuda
WARPGRADE_DEVICE int __syncthreads_count(int predicate) {
  int count;
  asm volatile("{ .reg .pred p; setp.ne.s32 p, %1, 0; bar.red.popc.u32 %0, 0, p; }"
               : "=r"(count)
               : "r"(predicate)
               : "memory");
  return count;
}
#define WARPGRADE_BARRIER(name)                                            \
  WARPGRADE_DEVICE int __syncthreads_##name(int predicate) {               \
    int result;                                                            \
    asm volatile("{ .reg .pred p, q; setp.ne.s32 p, %1, 0; bar.red." #name \
                 ".pred q, 0, p; "                                         \
                 "selp.s32 %0, 1, 0, q; }"                                 \
                 : "=r"(result)                                            \
                 : "r"(predicate)                                          \
                 : "memory");                                              \
    return result;                                                         \
  }
WARPGRADE_BARRIER(and)
WARPGRADE_BARRIER(or)
#undef WARPGRADE_BARRIER
WARPGRADE_DEVICE void __syncwarp(unsigned mask = 0xffffffffu) {
  asm volatile("bar.warp.sync %0;" ::"r"(mask) : "memory");
}
WARPGRADE_DEVICE void __threadfence_block() {
  asm volatile("membar.cta;" ::: "memory");
}
WARPGRADE_DEVICE void __threadfence() {
  asm volatile("membar.gl;" ::: "memory");
}
WARPGRADE_DEVICE void __threadfence_system() {
  asm volatile("membar.sys;" ::: "memory");
}

WARPGRADE_DEVICE int __all_sync(unsigned mask, int predicate) {
  return __nvvm_vote_all_sync(mask, predicate);
}
WARPGRADE_DEVICE int __any_sync(unsigned mask, int predicate) {
  return __nvvm_vote_any_sync(mask, predicate);
}
WARPGRADE_DEVICE int __uni_sync(unsigned mask, int predicate) {
  return __nvvm_vote_uni_sync(mask, predicate);
}
WARPGRADE_DEVICE unsigned __ballot_sync(unsigned mask, int predicate) {
  return __nvvm_vote_ballot_sync(mask, predicate);
}
// The compiler must not merge two calls in different branches into one before the branch: the
// number makes each call's instruction different.
#define __activemask() ::warpgrade_cuda::active_lanes<__COUNTER__>()
namespace warpgrade_cuda {
template <int Place>
WARPGRADE_DEVICE unsigned active_lanes() {
  unsigned mask;
  asm volatile("activemask.b32 %0; // %1" : "=r"(mask) : "n"(Place));
  return mask;
}
}  // namespace warpgrade_cuda

// Match compares bits: floats as integers of their size. By assembly: clang 14's built-in function
// keeps the mask of 64-bit values in a register of 64 bits, which PTX does not have.
#define WARPGRADE_MATCH(type, bits_type, width, letter)                             \
  WARPGRADE_DEVICE unsigned __match_any_sync(unsigned mask, type value) {           \
    bits_type bits;                                                                 \
    __builtin_memcpy(&bits, &value, sizeof bits);                                   \
    unsigned equal;                                                                 \
    asm volatile("match.any.sync.b" #width " %0, %1, %2;"                           \
                 : "=r"(equal)                                                      \
                 : letter(bits), "r"(mask));                                        \
    return equal;                                                                   \
  }                                                                                 \
  WARPGRADE_DEVICE unsigned __match_all_sync(unsigned mask, type value, int* all) { \
    bits_type bits;                                                                 \
    __builtin_memcpy(&bits, &value, sizeof bits);                                   \
    unsigned equal;                                                                 \
    int same;                                                                       \
    asm volatile("{ .reg .pred p; match.all.sync.b" #width                          \
                 " %0|p, %2, %3; selp.s32 %1, 1, 0, p; }"                           \
                 : "=r"(equal), "=r"(same)                                          \
                 : letter(bits), "r"(mask));                                        \
    *all = same;                                                                    \
    return equal;                                                                   \
  }
WARPGRADE_MATCH(int, unsigned, 32, "r")
WARPGRADE_MATCH(unsigned, unsigned, 32, "r")
WARPGRADE_MATCH(float, unsigned, 32, "r")
WARPGRADE_MATCH(long, unsigned long long, 64, "l")
WARPGRADE_MATCH(unsigned long, unsigned long long, 64, "l")
WARPGRADE_MATCH(long long, unsigned long long, 64, "l")
WARPGRADE_MATCH(unsigned long long, unsigned long long, 64, "l")
WARPGRADE_MATCH(double, unsigned long long, 64, "l")
#undef WARPGRADE_MATCH

// Compute capability 8.0 and higher; without it the function is not declared.
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 800
#define WARPGRADE_REDUCE(name, type, instruction, letter)                   \
  WARPGRADE_DEVICE type __reduce_##name##_sync(unsigned mask, type value) { \
    type result;                                                            \
    asm volatile("redux.sync." instruction " %0, %1, %2;"                   \
                 : "=" letter(result)                                       \
                 : letter(value), "r"(mask));                               \
    return result;                                                          \
  }
WARPGRADE_REDUCE(add, int, "add.s32", "r")
WARPGRADE_REDUCE(add, unsigned, "add.u32", "r")
WARPGRADE_REDUCE(min, int, "min.s32", "r")
WARPGRADE_REDUCE(min, unsigned, "min.u32", "r")
WARPGRADE_REDUCE(max, int, "max.s32", "r")
WARPGRADE_REDUCE(max, unsigned, "max.u32", "r")
WARPGRADE_REDUCE(and, unsigned, "and.b32", "r")
WARPGRADE_REDUCE(or, unsigned, "or.b32", "r")
WARPGRADE_REDUCE(xor, unsigned, "xor.b32", "r")
#undef WARPGRADE_REDUCE
#endif

// A width below 32 divides the warp into segments: the instruction's last operand holds the
// segment's mask and the highest (for `up`: lowest) lane that may be read.
//
// The value is taken by reference: one of one lane, undefined in the others (int first; if (lane ==
// 0) first = ...; __shfl_sync(mask, first, 0)), would be passed as an argument that clang takes for
// defined, and therefore every lane for lane 0. References to const do not bind volatile variables
// of the same type, hence a second function.
#define WARPGRADE_SHUFFLE_32(name, mode, type, suffix, lane_type, clamp)                \
  WARPGRADE_DEVICE type name(unsigned mask, const type& value, lane_type lane,          \
                             int width = warpSize) {                                    \
    return __nvvm_shfl_sync_##mode##_##suffix(mask, value, (int)lane,                   \
                                              ((warpSize - width) << 8) | clamp);       \
  }                                                                                     \
  WARPGRADE_DEVICE type name(unsigned mask, const volatile type& value, lane_type lane, \
                             int width = warpSize) {                                    \
    const type copy = value;                                                            \
    return name(mask, copy, lane, width);                                               \
  }
#define WARPGRADE_SHUFFLE_64(name, type, lane_type)                                     \
  WARPGRADE_DEVICE type name(unsigned mask, const type& value, lane_type lane,          \
                             int width = warpSize) {                                    \
    unsigned halves[2];                                                                 \
    __builtin_memcpy(halves, &value, sizeof halves);                                    \
    halves[0] = name(mask, halves[0], lane, width);                                     \
    halves[1] = name(mask, halves[1], lane, width);                                     \
    return __builtin_bit_cast(type, halves);                                            \
  }                                                                                     \
  WARPGRADE_DEVICE type name(unsigned mask, const volatile type& value, lane_type lane, \
                             int width = warpSize) {                                    \
    const type copy = value;                                                            \
    return name(mask, copy, lane, width);                                               \
  }
#define WARPGRADE_SHUFFLES(name, mode, lane_type, clamp)            \
  WARPGRADE_SHUFFLE_32(name, mode, int, i32, lane_type, clamp)      \
  WARPGRADE_SHUFFLE_32(name, mode, unsigned, i32, lane_type, clamp) \
  WARPGRADE_SHUFFLE_32(name, mode, float, f32, lane_type, clamp)    \
  WARPGRADE_SHUFFLE_64(name, long, lane_type)                       \
  WARPGRADE_SHUFFLE_64(name, unsigned long, lane_type)              \
  WARPGRADE_SHUFFLE_64(name, long long, lane_type)                  \
  WARPGRADE_SHUFFLE_64(name, unsigned long long, lane_type)         \
  WARPGRADE_SHUFFLE_64(name, double, lane_type)
WARPGRADE_SHUFFLES(__shfl_sync, idx, int, 31)
WARPGRADE_SHUFFLES(__shfl_up_sync, up, unsigned, 0)
WARPGRADE_SHUFFLES(__shfl_down_sync, down, unsigned, 31)
WARPGRADE_SHUFFLES(__shfl_xor_sync, bfly, int, 31)
#undef WARPGRADE_SHUFFLES
#undef WARPGRADE_SHUFFLE_64
#undef WARPGRADE_SHUFFLE_32
