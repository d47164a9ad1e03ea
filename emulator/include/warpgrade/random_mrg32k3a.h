#pragma once

// cuRAND's MRG32k3a generator: P. L'Ecuyer, "Good parameters and implementations for combined
// multiple recursive random number generators", 1999. Subsequences begin 2^76 numbers apart, as in
// L'Ecuyer's RngStreams.

struct curandStateMRG32k3a {
  unsigned first[3], second[3];  // oldest first
  int kept, kept_double;  // see random_distributions.h
  float kept_value;
  int unused;  // no padding: a copy of the state would read uninitialized memory
  double kept_value_double;
};
typedef curandStateMRG32k3a curandStateMRG32k3a_t;

namespace warpgrade_cuda {

constexpr unsigned kMrgModulus1 = 4294967087u, kMrgModulus2 = 4294944443u;

WARPGRADE_DEVICE unsigned product_modulo(unsigned a, unsigned b, unsigned modulus) {
  return (unsigned)((unsigned long long)a * b % modulus);
}
/// One step of both recurrences; their difference in [1, kMrgModulus1].
WARPGRADE_DEVICE double mrg_number(curandStateMRG32k3a* state) {
  const unsigned long long m1 = kMrgModulus1, m2 = kMrgModulus2;
  const unsigned p =
      (unsigned)((1403580ull * state->first[1] + 810728ull * (m1 - state->first[0])) % m1);
  const unsigned q =
      (unsigned)((527612ull * state->second[2] + 1370589ull * (m2 - state->second[0])) % m2);
  state->first[0] = state->first[1];
  state->first[1] = state->first[2];
  state->first[2] = p;
  state->second[0] = state->second[1];
  state->second[1] = state->second[2];
  state->second[2] = q;
  return p > q ? (double)(p - q) : (double)p - (double)q + (double)m1;
}

struct MrgMatrix {
  unsigned m[3][3];
};
WARPGRADE_DEVICE MrgMatrix mrg_product(const MrgMatrix& a, const MrgMatrix& b, unsigned modulus) {
  MrgMatrix c;
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) {
      unsigned long long sum = 0;
      for (int k = 0; k < 3; ++k) sum += product_modulo(a.m[i][k], b.m[k][j], modulus);
      c.m[i][j] = (unsigned)(sum % modulus);
    }
  }
  return c;
}
/// words = step^n words.
static __device__ __attribute__((noinline, nodebug)) void mrg_jump(unsigned (&words)[3],
                                                                   MrgMatrix step,
                                                                   unsigned long long n,
                                                                   unsigned modulus) {
  for (; n != 0; n >>= 1) {
    if (n & 1) {
      unsigned long long next[3] = {};
      for (int i = 0; i < 3; ++i) {
        for (int k = 0; k < 3; ++k) next[i] += product_modulo(step.m[i][k], words[k], modulus);
      }
      for (int i = 0; i < 3; ++i) words[i] = (unsigned)(next[i] % modulus);
    }
    if (n > 1) step = mrg_product(step, step, modulus);
  }
}

}  // namespace warpgrade_cuda

/// Jumps over n numbers.
WARPGRADE_DEVICE void skipahead(unsigned long long n, curandStateMRG32k3a_t* state) {
  using namespace warpgrade_cuda;
  mrg_jump(state->first, {{{0, 1, 0}, {0, 0, 1}, {kMrgModulus1 - 810728u, 1403580u, 0}}}, n,
           kMrgModulus1);
  mrg_jump(state->second, {{{0, 1, 0}, {0, 0, 1}, {kMrgModulus2 - 1370589u, 0, 527612u}}}, n,
           kMrgModulus2);
}
/// Jumps over n subsequences. The matrices are those of one step to the power of 2^76.
WARPGRADE_DEVICE void skipahead_subsequence(unsigned long long n, curandStateMRG32k3a_t* state) {
  using namespace warpgrade_cuda;
  mrg_jump(state->first,
           {{{82758667u, 1871391091u, 4127413238u},
             {3672831523u, 69195019u, 1871391091u},
             {3672091415u, 3528743235u, 69195019u}}},
           n, kMrgModulus1);
  mrg_jump(state->second,
           {{{1511326704u, 3759209742u, 1610795712u},
             {4292754251u, 1511326704u, 3889917532u},
             {3859662829u, 4292754251u, 3708466080u}}},
           n, kMrgModulus2);
}

WARPGRADE_DEVICE void curand_init(unsigned long long seed, unsigned long long subsequence,
                                  unsigned long long offset, curandStateMRG32k3a_t* state) {
  using namespace warpgrade_cuda;
  *state = {{12345, 12345, 12345}, {12345, 12345, 12345}, 0, 0, 0, 0};
  if (seed != 0) {
    const unsigned low = (unsigned)seed ^ 0x55555555u;
    const unsigned high = (unsigned)(seed >> 32) ^ 0xaaaaaaaau;
    for (int i = 0; i < 3; ++i) {
      state->first[i] = product_modulo(i == 1 ? high : low, 12345, kMrgModulus1);
      state->second[i] = product_modulo(i == 1 ? low : high, 12345, kMrgModulus2);
    }
  }
  skipahead_subsequence(subsequence, state);
  skipahead(offset, state);
}

WARPGRADE_DEVICE unsigned curand(curandStateMRG32k3a_t* state) {
  // From (0, kMrgModulus1] to 32 bits.
  return (unsigned)(warpgrade_cuda::mrg_number(state) * 1.000000048662);
}
