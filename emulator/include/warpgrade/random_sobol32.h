#pragma once

// cuRAND's quasi-random generator Sobol32: the n-th point is the combination of direction numbers
// that the Gray code of n selects (I. Antonov and V. Saleev, 1979). The program brings the
// direction numbers, as curandGetDirectionVectors32() of the host's library is not covered.

typedef unsigned curandDirectionVectors32_t[32];

struct curandStateSobol32 {
  unsigned index, point;
  unsigned directions[32];
};
typedef curandStateSobol32 curandStateSobol32_t;

namespace warpgrade_cuda {
WARPGRADE_DEVICE void sobol_go_to(curandStateSobol32* state, unsigned index) {
  state->index = index;
  state->point = 0;
  for (int bit = 0; bit < 32; ++bit) {
    if ((index ^ index >> 1) >> bit & 1) state->point ^= state->directions[bit];
  }
}
}  // namespace warpgrade_cuda

/// Jumps over n points.
WARPGRADE_DEVICE void skipahead(unsigned n, curandStateSobol32_t* state) {
  warpgrade_cuda::sobol_go_to(state, state->index + n);
}
WARPGRADE_DEVICE void curand_init(curandDirectionVectors32_t directions, unsigned offset,
                                  curandStateSobol32_t* state) {
  for (int bit = 0; bit < 32; ++bit) state->directions[bit] = directions[bit];
  warpgrade_cuda::sobol_go_to(state, offset);
}
WARPGRADE_DEVICE unsigned curand(curandStateSobol32_t* state) {
  const unsigned point = state->point;
  // The Gray codes of n and n + 1 differ where n has its lowest zero.
  const int bit = __ffs((int)~state->index);
  state->point ^= state->directions[bit == 0 ? 31 : bit - 1];
  ++state->index;
  return point;
}
