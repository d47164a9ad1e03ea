#pragma once

// min() and max() of numbers at global scope, for host and device (CUDA Math API). Of floats they
// are fminf() and fmaxf(): a NaN gives way to the other argument.

#define WARPGRADE_MIN_MAX(type, a_type, b_type)                              \
  WARPGRADE_HOST_DEVICE constexpr type min(const a_type a, const b_type b) { \
    return (type)a < (type)b ? (type)a : (type)b;                            \
  }                                                                          \
  WARPGRADE_HOST_DEVICE constexpr type max(const a_type a, const b_type b) { \
    return (type)a > (type)b ? (type)a : (type)b;                            \
  }
#define WARPGRADE_INTEGER_MIN_MAX(type)                          \
  WARPGRADE_MIN_MAX(type, type, type)                            \
  WARPGRADE_MIN_MAX(unsigned type, unsigned type, unsigned type) \
  WARPGRADE_MIN_MAX(unsigned type, type, unsigned type)          \
  WARPGRADE_MIN_MAX(unsigned type, unsigned type, type)
WARPGRADE_INTEGER_MIN_MAX(int)
WARPGRADE_INTEGER_MIN_MAX(long)
WARPGRADE_INTEGER_MIN_MAX(long long)
#undef WARPGRADE_INTEGER_MIN_MAX
#undef WARPGRADE_MIN_MAX
WARPGRADE_HOST_DEVICE float min(float a, float b) {
  return __builtin_fminf(a, b);
}
WARPGRADE_HOST_DEVICE float max(float a, float b) {
  return __builtin_fmaxf(a, b);
}
WARPGRADE_HOST_DEVICE double min(double a, double b) {
  return __builtin_fmin(a, b);
}
WARPGRADE_HOST_DEVICE double max(double a, double b) {
  return __builtin_fmax(a, b);
}
WARPGRADE_HOST_DEVICE double min(float a, double b) {
  return __builtin_fmin(a, b);
}
WARPGRADE_HOST_DEVICE double max(float a, double b) {
  return __builtin_fmax(a, b);
}
WARPGRADE_HOST_DEVICE double min(double a, float b) {
  return __builtin_fmin(a, b);
}
WARPGRADE_HOST_DEVICE double max(double a, float b) {
  return __builtin_fmax(a, b);
}
