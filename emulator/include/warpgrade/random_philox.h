#pragma once

// cuRAND's Philox generator: J. Salmon and others, "Parallel random numbers: as easy as 1, 2, 3",
// 2011, philox4x32-10. The seed is the key; the counter's two high words are the subsequence, and
// each value of the counter gives four numbers.

struct curandStatePhilox4_32_10 {
  uint4 counter, output;
  uint2 key;
  unsigned place;  // how many numbers of output have been used
  int kept, kept_double;  // see random_distributions.h
  float kept_value;
  double kept_value_double;
};
typedef curandStatePhilox4_32_10 curandStatePhilox4_32_10_t;

namespace warpgrade_cuda {

WARPGRADE_DEVICE uint4 philox_numbers(uint4 c, uint2 key) {
  for (int round = 0; round < 10; ++round) {
    const unsigned long long even = 0xd2511f53ull * c.x, odd = 0xcd9e8d57ull * c.z;
    c = uint4{(unsigned)(odd >> 32) ^ c.y ^ key.x, (unsigned)odd,
              (unsigned)(even >> 32) ^ c.w ^ key.y, (unsigned)even};
    key.x += 0x9e3779b9u;
    key.y += 0xbb67ae85u;
  }
  return c;
}

/// Adds n * 2^64 if `high`, else n, to the counter of 128 bits.
WARPGRADE_DEVICE void philox_add(uint4& counter, unsigned long long n, bool high) {
  unsigned long long upper = (unsigned long long)counter.w << 32 | counter.z;
  if (high) {
    upper += n;
  } else {
    const unsigned long long lower = ((unsigned long long)counter.y << 32 | counter.x) + n;
    upper += lower < n;
    counter.x = (unsigned)lower;
    counter.y = (unsigned)(lower >> 32);
  }
  counter.z = (unsigned)upper;
  counter.w = (unsigned)(upper >> 32);
}

WARPGRADE_DEVICE unsigned philox_number(const curandStatePhilox4_32_10& state) {
  return state.place == 0   ? state.output.x
         : state.place == 1 ? state.output.y
         : state.place == 2 ? state.output.z
                            : state.output.w;
}

}  // namespace warpgrade_cuda

/// Jumps over n numbers.
WARPGRADE_DEVICE void skipahead(unsigned long long n, curandStatePhilox4_32_10_t* state) {
  state->place += (unsigned)n & 3;
  n /= 4;
  if (state->place > 3) {
    state->place -= 4;
    ++n;
  }
  warpgrade_cuda::philox_add(state->counter, n, false);
  state->output = warpgrade_cuda::philox_numbers(state->counter, state->key);
}
/// Jumps over n subsequences.
WARPGRADE_DEVICE void skipahead_sequence(unsigned long long n, curandStatePhilox4_32_10_t* state) {
  warpgrade_cuda::philox_add(state->counter, n, true);
  state->output = warpgrade_cuda::philox_numbers(state->counter, state->key);
}

WARPGRADE_DEVICE void curand_init(unsigned long long seed, unsigned long long subsequence,
                                  unsigned long long offset, curandStatePhilox4_32_10_t* state) {
  *state = {};
  state->key = uint2{(unsigned)seed, (unsigned)(seed >> 32)};
  skipahead_sequence(subsequence, state);
  skipahead(offset, state);
}

WARPGRADE_DEVICE unsigned curand(curandStatePhilox4_32_10_t* state) {
  const unsigned number = warpgrade_cuda::philox_number(*state);
  if (++state->place == 4) {
    warpgrade_cuda::philox_add(state->counter, 1, false);
    state->output = warpgrade_cuda::philox_numbers(state->counter, state->key);
    state->place = 0;
  }
  return number;
}
/// The next four numbers.
WARPGRADE_DEVICE uint4 curand4(curandStatePhilox4_32_10_t* state) {
  const unsigned x = curand(state), y = curand(state), z = curand(state), w = curand(state);
  return uint4{x, y, z, w};
}
