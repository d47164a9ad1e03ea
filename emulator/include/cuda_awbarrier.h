#pragma once
#error \
    "cuda_awbarrier.h is not among the headers for clang (docs/cuda-headers.md): compile with nvcc"
