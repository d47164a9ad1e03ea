#pragma once
#error \
    "cuda_awbarrier_primitives.h is not among the headers for clang (docs/cuda-headers.md): compile with nvcc"
