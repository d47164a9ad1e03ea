#pragma once

// The functions that CUDA adds to those of the C library, in host code.

static __inline__ __host__ float rsqrtf(float x) {
  return 1 / ::sqrtf(x);
}
static __inline__ __host__ double rsqrt(double x) {
  return 1 / ::sqrt(x);
}
