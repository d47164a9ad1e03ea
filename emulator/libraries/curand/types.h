#pragma once

// The constants of cuRAND's host interface that this library knows. The toolkit's header is not
// needed to build it; the tests hold these against that header. A program may pass any number.

namespace warpsim::curand {

enum class Status : int {
  success = 0,
  not_initialized = 101,
  type_error = 103,
  out_of_range = 104,
  length_not_multiple = 105,
  launch_failure = 201,
  initialization_failed = 203,
  internal_error = 999,
};

enum class Type : int {
  pseudo_default = 100,
  xorwow = 101,
  mrg32k3a = 121,
  mtgp32 = 141,
  mt19937 = 142,
  philox = 161,
  quasi_default = 200,
  sobol32 = 201,
  scrambled_sobol32 = 202,
  sobol64 = 203,
  scrambled_sobol64 = 204,
};

enum class Ordering : int {
  best = 100,
  standard = 101,  // CURAND_ORDERING_PSEUDO_DEFAULT
  seeded = 102,
  legacy = 103,
  dynamic = 104,
  quasi_default = 201,
};

/// The version of the library: cuRAND 10.4.0, of CUDA 13.0.
inline constexpr int kVersion = 10400;

}  // namespace warpsim::curand
