#pragma once

// Two 16-bit or four 8-bit numbers in a word (CUDA Math API, "SIMD Intrinsics"), by PTX's SIMD
// video instructions.

#define WARPGRADE_SIMD(name, instruction)                                    \
  WARPGRADE_DEVICE unsigned name(unsigned a, unsigned b) {                   \
    unsigned d;                                                              \
    asm(instruction " %0, %1, %2, %3;" : "=r"(d) : "r"(a), "r"(b), "r"(0u)); \
    return d;                                                                \
  }
/// A comparison gives 1 per element (set) or all of its bits (cmp): `ones` times the former.
#define WARPGRADE_SIMD_COMPARE(name, width, ones, instruction)            \
  WARPGRADE_SIMD(__vset##name##width, instruction)                        \
  WARPGRADE_DEVICE unsigned __vcmp##name##width(unsigned a, unsigned b) { \
    return __vset##name##width(a, b) * ones;                              \
  }
#define WARPGRADE_SIMD_WIDTH(width, ones)                               \
  WARPGRADE_SIMD(__vadd##width, "vadd" #width ".u32.u32.u32")           \
  WARPGRADE_SIMD(__vaddss##width, "vadd" #width ".s32.s32.s32.sat")     \
  WARPGRADE_SIMD(__vaddus##width, "vadd" #width ".u32.u32.u32.sat")     \
  WARPGRADE_SIMD(__vsub##width, "vsub" #width ".u32.u32.u32")           \
  WARPGRADE_SIMD(__vsubss##width, "vsub" #width ".s32.s32.s32.sat")     \
  WARPGRADE_SIMD(__vsubus##width, "vsub" #width ".u32.u32.u32.sat")     \
  WARPGRADE_SIMD(__vavgs##width, "vavrg" #width ".s32.s32.s32")         \
  WARPGRADE_SIMD(__vavgu##width, "vavrg" #width ".u32.u32.u32")         \
  WARPGRADE_SIMD(__vmaxs##width, "vmax" #width ".s32.s32.s32")          \
  WARPGRADE_SIMD(__vmaxu##width, "vmax" #width ".u32.u32.u32")          \
  WARPGRADE_SIMD(__vmins##width, "vmin" #width ".s32.s32.s32")          \
  WARPGRADE_SIMD(__vminu##width, "vmin" #width ".u32.u32.u32")          \
  WARPGRADE_SIMD(__vabsdiffs##width, "vabsdiff" #width ".s32.s32.s32")  \
  WARPGRADE_SIMD(__vabsdiffu##width, "vabsdiff" #width ".u32.u32.u32")  \
  WARPGRADE_SIMD(__vsads##width, "vabsdiff" #width ".s32.s32.s32.add")  \
  WARPGRADE_SIMD(__vsadu##width, "vabsdiff" #width ".u32.u32.u32.add")  \
  WARPGRADE_SIMD_COMPARE(eq, width, ones, "vset" #width ".u32.u32.eq")  \
  WARPGRADE_SIMD_COMPARE(ne, width, ones, "vset" #width ".u32.u32.ne")  \
  WARPGRADE_SIMD_COMPARE(geu, width, ones, "vset" #width ".u32.u32.ge") \
  WARPGRADE_SIMD_COMPARE(gtu, width, ones, "vset" #width ".u32.u32.gt") \
  WARPGRADE_SIMD_COMPARE(leu, width, ones, "vset" #width ".u32.u32.le") \
  WARPGRADE_SIMD_COMPARE(ltu, width, ones, "vset" #width ".u32.u32.lt") \
  WARPGRADE_SIMD_COMPARE(ges, width, ones, "vset" #width ".s32.s32.ge") \
  WARPGRADE_SIMD_COMPARE(gts, width, ones, "vset" #width ".s32.s32.gt") \
  WARPGRADE_SIMD_COMPARE(les, width, ones, "vset" #width ".s32.s32.le") \
  WARPGRADE_SIMD_COMPARE(lts, width, ones, "vset" #width ".s32.s32.lt") \
  WARPGRADE_DEVICE unsigned __vneg##width(unsigned a) {                 \
    return __vsub##width(0, a);                                         \
  }                                                                     \
  WARPGRADE_DEVICE unsigned __vnegss##width(unsigned a) {               \
    return __vsubss##width(0, a);                                       \
  }                                                                     \
  WARPGRADE_DEVICE unsigned __vabs##width(unsigned a) {                 \
    return __vmaxs##width(a, __vneg##width(a));                         \
  }                                                                     \
  WARPGRADE_DEVICE unsigned __vabsss##width(unsigned a) {               \
    return __vmaxs##width(a, __vnegss##width(a));                       \
  }
WARPGRADE_SIMD_WIDTH(2, 0xffffu)
WARPGRADE_SIMD_WIDTH(4, 0xffu)
#undef WARPGRADE_SIMD_WIDTH
#undef WARPGRADE_SIMD_COMPARE
#undef WARPGRADE_SIMD

// Averages of unsigned numbers, rounded down.
WARPGRADE_DEVICE unsigned __vhaddu2(unsigned a, unsigned b) {
  return (a & b) + (((a ^ b) & 0xfffefffeu) >> 1);
}
WARPGRADE_DEVICE unsigned __vhaddu4(unsigned a, unsigned b) {
  return (a & b) + (((a ^ b) & 0xfefefefeu) >> 1);
}
