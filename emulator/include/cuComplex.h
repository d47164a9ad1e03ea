#pragma once

// Complex numbers of cuBLAS and cuFFT, in host and device code: cuFloatComplex, cuDoubleComplex.

#include "cuda_runtime.h"

typedef float2 cuFloatComplex;
WARPGRADE_HOST_DEVICE cuFloatComplex make_cuFloatComplex(float real, float imaginary) {
  return float2{real, imaginary};
}
WARPGRADE_HOST_DEVICE float cuCrealf(cuFloatComplex z) {
  return z.x;
}
WARPGRADE_HOST_DEVICE float cuCimagf(cuFloatComplex z) {
  return z.y;
}
WARPGRADE_HOST_DEVICE cuFloatComplex cuConjf(cuFloatComplex z) {
  return float2{z.x, -z.y};
}
WARPGRADE_HOST_DEVICE cuFloatComplex cuCaddf(cuFloatComplex a, cuFloatComplex b) {
  return float2{a.x + b.x, a.y + b.y};
}
WARPGRADE_HOST_DEVICE cuFloatComplex cuCsubf(cuFloatComplex a, cuFloatComplex b) {
  return float2{a.x - b.x, a.y - b.y};
}
WARPGRADE_HOST_DEVICE cuFloatComplex cuCmulf(cuFloatComplex a, cuFloatComplex b) {
  return float2{a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x};
}
/// Scaled by |b|, so that squares do not overflow.
WARPGRADE_HOST_DEVICE cuFloatComplex cuCdivf(cuFloatComplex a, cuFloatComplex b) {
  const float scale = 1 / (__builtin_fabsf(b.x) + __builtin_fabsf(b.y));
  const float2 p = {a.x * scale, a.y * scale}, q = {b.x * scale, b.y * scale};
  const float factor = 1 / (q.x * q.x + q.y * q.y);
  return float2{(p.x * q.x + p.y * q.y) * factor, (p.y * q.x - p.x * q.y) * factor};
}
WARPGRADE_HOST_DEVICE float cuCabsf(cuFloatComplex z) {
  return hypotf(z.x, z.y);
}
WARPGRADE_HOST_DEVICE cuFloatComplex cuCfmaf(cuFloatComplex a, cuFloatComplex b, cuFloatComplex c) {
  return cuCaddf(cuCmulf(a, b), c);
}

typedef double2 cuDoubleComplex;
WARPGRADE_HOST_DEVICE cuDoubleComplex make_cuDoubleComplex(double real, double imaginary) {
  return double2{real, imaginary};
}
WARPGRADE_HOST_DEVICE double cuCreal(cuDoubleComplex z) {
  return z.x;
}
WARPGRADE_HOST_DEVICE double cuCimag(cuDoubleComplex z) {
  return z.y;
}
WARPGRADE_HOST_DEVICE cuDoubleComplex cuConj(cuDoubleComplex z) {
  return double2{z.x, -z.y};
}
WARPGRADE_HOST_DEVICE cuDoubleComplex cuCadd(cuDoubleComplex a, cuDoubleComplex b) {
  return double2{a.x + b.x, a.y + b.y};
}
WARPGRADE_HOST_DEVICE cuDoubleComplex cuCsub(cuDoubleComplex a, cuDoubleComplex b) {
  return double2{a.x - b.x, a.y - b.y};
}
WARPGRADE_HOST_DEVICE cuDoubleComplex cuCmul(cuDoubleComplex a, cuDoubleComplex b) {
  return double2{a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x};
}
/// Scaled by |b|, so that squares do not overflow.
WARPGRADE_HOST_DEVICE cuDoubleComplex cuCdiv(cuDoubleComplex a, cuDoubleComplex b) {
  const double scale = 1 / (__builtin_fabs(b.x) + __builtin_fabs(b.y));
  const double2 p = {a.x * scale, a.y * scale}, q = {b.x * scale, b.y * scale};
  const double factor = 1 / (q.x * q.x + q.y * q.y);
  return double2{(p.x * q.x + p.y * q.y) * factor, (p.y * q.x - p.x * q.y) * factor};
}
WARPGRADE_HOST_DEVICE double cuCabs(cuDoubleComplex z) {
  return hypot(z.x, z.y);
}
WARPGRADE_HOST_DEVICE cuDoubleComplex cuCfma(cuDoubleComplex a, cuDoubleComplex b,
                                             cuDoubleComplex c) {
  return cuCadd(cuCmul(a, b), c);
}

typedef cuFloatComplex cuComplex;
WARPGRADE_HOST_DEVICE cuComplex make_cuComplex(float real, float imaginary) {
  return float2{real, imaginary};
}
WARPGRADE_HOST_DEVICE cuDoubleComplex cuComplexFloatToDouble(cuFloatComplex z) {
  return double2{z.x, z.y};
}
WARPGRADE_HOST_DEVICE cuFloatComplex cuComplexDoubleToFloat(cuDoubleComplex z) {
  return float2{(float)z.x, (float)z.y};
}
