#pragma once
#error \
    "curand_kernel.h is not among the headers for clang (docs/cuda-headers.md): compile with nvcc"
