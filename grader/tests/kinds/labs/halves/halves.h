#pragma once

#include <cuda_bf16.h>
#include <cuda_fp16.h>

/// y[i] = a x[i] in half precision, z[i] = a x[i] in bfloat16. The pointers are device pointers.
void halves(const __half* x, __half* y, __nv_bfloat16* z, float a, int n);
