#pragma once

#include <cuda_runtime.h>

/// out[i] = 3 in[i], on pointers of device 0. Device 1 computes the second half.
void twins(const float* in, float* out, int n);
