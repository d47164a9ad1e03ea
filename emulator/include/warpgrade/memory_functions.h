#pragma once

// Loads and stores with cache hints, and predicates of addresses (Programming Guide, "Read-Only
// Data Cache Load Function", "Load Functions Using Cache Hints", "Address Space Predicate
// Functions", "Address Space Conversion Functions").

#define WARPGRADE_SPACE(name, space)                                        \
  WARPGRADE_DEVICE unsigned __is##name(const void* pointer) {               \
    unsigned is;                                                            \
    asm("{ .reg .pred p; isspacep." space " p, %1; selp.u32 %0, 1, 0, p; }" \
        : "=r"(is)                                                          \
        : "l"(pointer));                                                    \
    return is;                                                              \
  }
WARPGRADE_SPACE(Global, "global")
WARPGRADE_SPACE(Shared, "shared")
WARPGRADE_SPACE(Constant, "const")
WARPGRADE_SPACE(Local, "local")
#undef WARPGRADE_SPACE

#define WARPGRADE_CONVERT(name, space)                                    \
  WARPGRADE_DEVICE size_t __cvta_generic_to_##name(const void* pointer) { \
    size_t address;                                                       \
    asm("cvta.to." space ".u64 %0, %1;" : "=l"(address) : "l"(pointer));  \
    return address;                                                       \
  }                                                                       \
  WARPGRADE_DEVICE void* __cvta_##name##_to_generic(size_t address) {     \
    void* pointer;                                                        \
    asm("cvta." space ".u64 %0, %1;" : "=l"(pointer) : "l"(address));     \
    return pointer;                                                       \
  }
WARPGRADE_CONVERT(global, "global")
WARPGRADE_CONVERT(shared, "shared")
WARPGRADE_CONVERT(constant, "const")
WARPGRADE_CONVERT(local, "local")
#undef WARPGRADE_CONVERT

// One load of each kind of element that an instruction knows; `letter` is asm's constraint.
#define WARPGRADE_LOAD_1(name, text, type, ptx, letter, as) \
  WARPGRADE_DEVICE type name(const type* pointer) {         \
    as value;                                               \
    asm volatile(text ptx " %0, [%1];"                      \
                 : "=" letter(value)                        \
                 : "l"(__cvta_generic_to_global(pointer))   \
                 : "memory");                               \
    return (type)value;                                     \
  }
#define WARPGRADE_LOAD_2(name, text, type, element, ptx, letter, as) \
  WARPGRADE_DEVICE type name(const type* pointer) {                  \
    as x, y;                                                         \
    asm volatile(text "v2." ptx " {%0, %1}, [%2];"                   \
                 : "=" letter(x), "=" letter(y)                      \
                 : "l"(__cvta_generic_to_global(pointer))            \
                 : "memory");                                        \
    return type{(element)x, (element)y};                             \
  }
#define WARPGRADE_LOAD_4(name, text, type, element, ptx, letter, as)          \
  WARPGRADE_DEVICE type name(const type* pointer) {                           \
    as x, y, z, w;                                                            \
    asm volatile(text "v4." ptx " {%0, %1, %2, %3}, [%4];"                    \
                 : "=" letter(x), "=" letter(y), "=" letter(z), "=" letter(w) \
                 : "l"(__cvta_generic_to_global(pointer))                     \
                 : "memory");                                                 \
    return type{(element)x, (element)y, (element)z, (element)w};              \
  }
#define WARPGRADE_STORE_1(name, text, type, ptx, letter, as)                                       \
  WARPGRADE_DEVICE void name(type* pointer, type value) {                                          \
    asm volatile(text ptx " [%0], %1;" ::"l"(__cvta_generic_to_global(pointer)), letter((as)value) \
                 : "memory");                                                                      \
  }
#define WARPGRADE_STORE_2(name, text, type, element, ptx, letter, as)                        \
  WARPGRADE_DEVICE void name(type* pointer, type value) {                                    \
    asm volatile(text "v2." ptx " [%0], {%1, %2};" ::"l"(__cvta_generic_to_global(pointer)), \
                 letter((as)value.x), letter((as)value.y)                                    \
                 : "memory");                                                                \
  }
#define WARPGRADE_STORE_4(name, text, type, element, ptx, letter, as)                       \
  WARPGRADE_DEVICE void name(type* pointer, type value) {                                   \
    asm volatile(                                                                           \
        text "v4." ptx " [%0], {%1, %2, %3, %4};" ::"l"(__cvta_generic_to_global(pointer)), \
        letter((as)value.x), letter((as)value.y), letter((as)value.z), letter((as)value.w)  \
        : "memory");                                                                        \
  }
/// All element types of one function; `what` is LOAD or STORE.
#define WARPGRADE_ALL(what, name, text)                                                            \
  WARPGRADE_##what##_1(name, text, char, "s8", "h", short) WARPGRADE_##what##_1(                   \
      name, text, signed char, "s8", "h", short) WARPGRADE_##what##_1(name, text, unsigned char,   \
                                                                      "u8", "h", unsigned short)   \
      WARPGRADE_##what##_1(name, text, short, "s16", "h", short) WARPGRADE_##what##_1(             \
          name, text, unsigned short, "u16", "h",                                                  \
          unsigned short) WARPGRADE_##what##_1(name, text, int, "s32", "r", int)                   \
          WARPGRADE_##what##_1(name, text, unsigned, "u32", "r", unsigned) WARPGRADE_##what##_1(   \
              name, text, long, "s64", "l", long) WARPGRADE_##what##_1(name, text, unsigned long,  \
                                                                       "u64", "l", unsigned long)  \
              WARPGRADE_##what##_1(name, text, long long, "s64", "l",                              \
                                   long long) WARPGRADE_##what##_1(name, text, unsigned long long, \
                                                                   "u64", "l", unsigned long long) \
                  WARPGRADE_##what##_1(name, text, float, "f32", "f", float) WARPGRADE_##what##_1( \
                      name, text, double, "f64", "d",                                              \
                      double) WARPGRADE_##what##_2(name, text, char2, signed char, "s8", "h",      \
                                                   short) WARPGRADE_##what##_4(name, text, char4,  \
                                                                               signed char, "s8",  \
                                                                               "h", short)         \
                      WARPGRADE_##what##_2(name, text, uchar2, unsigned char, "u8", "h",           \
                                           unsigned short)                                         \
                          WARPGRADE_##what##_4(name, text, uchar4, unsigned char, "u8",            \
                                               "h", unsigned short)                                \
                              WARPGRADE_##what##_2(name, text, short2, short, "s16", "h", short)   \
                                  WARPGRADE_##what##_4(name, text, short4, short, "s16",           \
                                                       "h", short)                                 \
                                      WARPGRADE_##what##_2(name, text, ushort2, unsigned short,    \
                                                           "u16",                                  \
                                                           "h", unsigned short)                    \
                                          WARPGRADE_##what##_4(name, text,                         \
                                                               ushort4, unsigned short, "u16",     \
                                                               "h", unsigned short)                \
                                              WARPGRADE_##what##_2(name, text, int2, int, "s32",   \
                                                                   "r", int)                       \
                                                  WARPGRADE_##what##_4(                            \
                                                      name, text, int4, int, "s32", "r",           \
                                                      int) WARPGRADE_##what##_2(name, text, uint2, \
                                                                                unsigned, "u32",   \
                                                                                "r", unsigned)     \
                                                      WARPGRADE_##what##_4(name, text, uint4,      \
                                                                           unsigned, "u32",        \
                                                                           "r", unsigned)          \
                                                          WARPGRADE_##what##_2(name, text,         \
                                                                               longlong2,          \
                                                                               long long, "s64",   \
                                                                               "l", long long)     \
                                                              WARPGRADE_##what##_2(                \
                                                                  name, text, ulonglong2,          \
                                                                  unsigned long long, "u64", "l",  \
                                                                  unsigned long long)              \
                                                                  WARPGRADE_##what##_2(            \
                                                                      name, text, float2, float,   \
                                                                      "f32", "f", float)           \
                                                                      WARPGRADE_##what##_4(        \
                                                                          name, text, float4,      \
                                                                          float, "f32", "f",       \
                                                                          float)                   \
                                                                          WARPGRADE_##what##_2(    \
                                                                              name, text, double2, \
                                                                              double, "f64", "d",  \
                                                                              double)

WARPGRADE_ALL(LOAD, __ldg, "ld.global.nc.")
WARPGRADE_ALL(LOAD, __ldca, "ld.global.ca.")
WARPGRADE_ALL(LOAD, __ldcg, "ld.global.cg.")
WARPGRADE_ALL(LOAD, __ldcs, "ld.global.cs.")
WARPGRADE_ALL(LOAD, __ldlu, "ld.global.lu.")
WARPGRADE_ALL(LOAD, __ldcv, "ld.global.cv.")
WARPGRADE_ALL(STORE, __stwb, "st.global.wb.")
WARPGRADE_ALL(STORE, __stcg, "st.global.cg.")
WARPGRADE_ALL(STORE, __stcs, "st.global.cs.")
WARPGRADE_ALL(STORE, __stwt, "st.global.wt.")
#undef WARPGRADE_ALL
#undef WARPGRADE_LOAD_1
#undef WARPGRADE_LOAD_2
#undef WARPGRADE_LOAD_4
#undef WARPGRADE_STORE_1
#undef WARPGRADE_STORE_2
#undef WARPGRADE_STORE_4
