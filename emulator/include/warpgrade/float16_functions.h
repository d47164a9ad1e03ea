// No include guard: cuda_fp16.h and cuda_bf16.h include it, each for its type. They define
//   WARPGRADE_F16, WARPGRADE_F16_PAIR  the type, and the pair of two
//   WARPGRADE_F16_OF, WARPGRADE_F16_PAIR_OF  either one of its bits
//   WARPGRADE_F16_TO_FLOAT, WARPGRADE_F16_FROM_FLOAT  the conversions
//   WARPGRADE_F16_INFINITY  the bits of infinity
// Functions of both types that do not depend on the format: signs, comparisons, mathematical
// functions, operators.

WARPGRADE_DEVICE WARPGRADE_F16 __hneg(WARPGRADE_F16 a) {
  return WARPGRADE_F16_OF(a.bits_ ^ 0x8000);
}
WARPGRADE_DEVICE WARPGRADE_F16 __habs(WARPGRADE_F16 a) {
  return WARPGRADE_F16_OF(a.bits_ & 0x7fff);
}
WARPGRADE_DEVICE WARPGRADE_F16_PAIR __hneg2(WARPGRADE_F16_PAIR a) {
  return WARPGRADE_F16_PAIR(__hneg(a.x), __hneg(a.y));
}
WARPGRADE_DEVICE WARPGRADE_F16_PAIR __habs2(WARPGRADE_F16_PAIR a) {
  return WARPGRADE_F16_PAIR(__habs(a.x), __habs(a.y));
}
WARPGRADE_DEVICE WARPGRADE_F16 __hdiv(WARPGRADE_F16 a, WARPGRADE_F16 b) {
  return WARPGRADE_F16_FROM_FLOAT(WARPGRADE_F16_TO_FLOAT(a) / WARPGRADE_F16_TO_FLOAT(b));
}
WARPGRADE_DEVICE WARPGRADE_F16_PAIR __h2div(WARPGRADE_F16_PAIR a, WARPGRADE_F16_PAIR b) {
  return WARPGRADE_F16_PAIR(__hdiv(a.x, b.x), __hdiv(a.y, b.y));
}
WARPGRADE_DEVICE bool __hisnan(WARPGRADE_F16 a) {
  return (a.bits_ & 0x7fff) > WARPGRADE_F16_INFINITY;
}
WARPGRADE_DEVICE int __hisinf(WARPGRADE_F16 a) {
  return (a.bits_ & 0x7fff) != WARPGRADE_F16_INFINITY ? 0 : a.bits_ >> 15 != 0 ? -1 : 1;
}

// Comparisons: of pairs, 1 or 0 per element, or (b) whether it holds for both. The unordered ones
// (u) hold when either is a NaN.
#define WARPGRADE_COMPARE(name, condition)                                                       \
  WARPGRADE_DEVICE bool __h##name(WARPGRADE_F16 left, WARPGRADE_F16 right) {                     \
    const float a = WARPGRADE_F16_TO_FLOAT(left), b = WARPGRADE_F16_TO_FLOAT(right);             \
    return condition;                                                                            \
  }                                                                                              \
  WARPGRADE_DEVICE WARPGRADE_F16_PAIR __h##name##2(WARPGRADE_F16_PAIR a, WARPGRADE_F16_PAIR b) { \
    return WARPGRADE_F16_PAIR(WARPGRADE_F16(__h##name(a.x, b.x) ? 1.0f : 0.0f),                  \
                              WARPGRADE_F16(__h##name(a.y, b.y) ? 1.0f : 0.0f));                 \
  }                                                                                              \
  WARPGRADE_DEVICE bool __hb##name##2(WARPGRADE_F16_PAIR a, WARPGRADE_F16_PAIR b) {              \
    return __h##name(a.x, b.x) && __h##name(a.y, b.y);                                           \
  }
WARPGRADE_COMPARE(eq, a == b)
WARPGRADE_COMPARE(ne, a != b && a == a && b == b)
WARPGRADE_COMPARE(lt, a < b)
WARPGRADE_COMPARE(le, a <= b)
WARPGRADE_COMPARE(gt, a > b)
WARPGRADE_COMPARE(ge, a >= b)
WARPGRADE_COMPARE(equ, !(a < b || a > b))
WARPGRADE_COMPARE(neu, a != b)
WARPGRADE_COMPARE(ltu, !(a >= b))
WARPGRADE_COMPARE(leu, !(a > b))
WARPGRADE_COMPARE(gtu, !(a <= b))
WARPGRADE_COMPARE(geu, !(a < b))
#undef WARPGRADE_COMPARE

// Mathematical functions, by those of single precision.
#define WARPGRADE_MATH(name, f)                                        \
  WARPGRADE_DEVICE WARPGRADE_F16 h##name(WARPGRADE_F16 a) {            \
    return WARPGRADE_F16_FROM_FLOAT(f(WARPGRADE_F16_TO_FLOAT(a)));     \
  }                                                                    \
  WARPGRADE_DEVICE WARPGRADE_F16_PAIR h2##name(WARPGRADE_F16_PAIR a) { \
    return WARPGRADE_F16_PAIR(h##name(a.x), h##name(a.y));             \
  }
WARPGRADE_MATH(ceil, ::ceilf)
WARPGRADE_MATH(cos, ::cosf)
WARPGRADE_MATH(exp, ::expf)
WARPGRADE_MATH(exp10, ::exp10f)
WARPGRADE_MATH(exp2, ::exp2f)
WARPGRADE_MATH(floor, ::floorf)
WARPGRADE_MATH(log, ::logf)
WARPGRADE_MATH(log10, ::log10f)
WARPGRADE_MATH(log2, ::log2f)
WARPGRADE_MATH(rcp, 1.0f /)
WARPGRADE_MATH(rint, ::rintf)
WARPGRADE_MATH(rsqrt, ::rsqrtf)
WARPGRADE_MATH(sin, ::sinf)
WARPGRADE_MATH(sqrt, ::sqrtf)
WARPGRADE_MATH(tanh, ::tanhf)
WARPGRADE_MATH(trunc, ::truncf)
#undef WARPGRADE_MATH

// Operators.
#define WARPGRADE_OPERATOR(type, name, operation, assignment)              \
  WARPGRADE_DEVICE type operator operation(const type& a, const type& b) { \
    return name(a, b);                                                     \
  }                                                                        \
  WARPGRADE_DEVICE type& operator assignment(type& a, const type& b) {     \
    return a = name(a, b);                                                 \
  }
WARPGRADE_OPERATOR(WARPGRADE_F16, __hadd, +, +=)
WARPGRADE_OPERATOR(WARPGRADE_F16, __hsub, -, -=)
WARPGRADE_OPERATOR(WARPGRADE_F16, __hmul, *, *=)
WARPGRADE_OPERATOR(WARPGRADE_F16, __hdiv, /, /=)
WARPGRADE_OPERATOR(WARPGRADE_F16_PAIR, __hadd2, +, +=)
WARPGRADE_OPERATOR(WARPGRADE_F16_PAIR, __hsub2, -, -=)
WARPGRADE_OPERATOR(WARPGRADE_F16_PAIR, __hmul2, *, *=)
WARPGRADE_OPERATOR(WARPGRADE_F16_PAIR, __h2div, /, /=)
#undef WARPGRADE_OPERATOR
#define WARPGRADE_OPERATOR(operation, name, pair_name)                                       \
  WARPGRADE_DEVICE bool operator operation(const WARPGRADE_F16& a, const WARPGRADE_F16& b) { \
    return name(a, b);                                                                       \
  }                                                                                          \
  WARPGRADE_DEVICE bool operator operation(const WARPGRADE_F16_PAIR& a,                      \
                                           const WARPGRADE_F16_PAIR& b) {                    \
    return pair_name(a, b);                                                                  \
  }
WARPGRADE_OPERATOR(==, __heq, __hbeq2)
WARPGRADE_OPERATOR(!=, __hneu, __hbneu2)
WARPGRADE_OPERATOR(<, __hlt, __hblt2)
WARPGRADE_OPERATOR(<=, __hle, __hble2)
WARPGRADE_OPERATOR(>, __hgt, __hbgt2)
WARPGRADE_OPERATOR(>=, __hge, __hbge2)
#undef WARPGRADE_OPERATOR
WARPGRADE_DEVICE WARPGRADE_F16 operator-(const WARPGRADE_F16& a) {
  return __hneg(a);
}
WARPGRADE_DEVICE WARPGRADE_F16_PAIR operator-(const WARPGRADE_F16_PAIR& a) {
  return __hneg2(a);
}
WARPGRADE_DEVICE WARPGRADE_F16 operator+(const WARPGRADE_F16& a) {
  return a;
}
WARPGRADE_DEVICE WARPGRADE_F16& operator++(WARPGRADE_F16& a) {
  return a = __hadd(a, WARPGRADE_F16(1.0f));
}
WARPGRADE_DEVICE WARPGRADE_F16& operator--(WARPGRADE_F16& a) {
  return a = __hsub(a, WARPGRADE_F16(1.0f));
}
