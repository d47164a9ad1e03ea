#pragma once

// Random numbers in device code (cuRAND Library, "Device API"): the generators XORWOW, MRG32k3a,
// Philox4_32_10 and Sobol32. The generators' numbers, uniform numbers and Poisson numbers with a
// mean below 64 are those of cuRAND, bit by bit. Normal and log-normal numbers are as well, except
// for the last bits of the logarithm, sine and cosine. Poisson numbers with a mean from 64 to 4000
// differ, but have the same distribution. docs/cuda-headers.md says more.

#include "cuda_runtime.h"

#if defined(__CUDA__)

#include "warpgrade/random_mrg32k3a.h"
#include "warpgrade/random_philox.h"
#include "warpgrade/random_sobol32.h"
#include "warpgrade/random_xorwow.h"
// After the generators.
#include "warpgrade/random_distributions.h"

#endif
