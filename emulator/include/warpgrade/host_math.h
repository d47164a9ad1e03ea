#pragma once

// Functions that CUDA adds to the C library's, in host code.

static __inline__ __host__ float rsqrtf(float x) {
  return 1 / ::sqrtf(x);
}
static __inline__ __host__ double rsqrt(double x) {
  return 1 / ::sqrt(x);
}
