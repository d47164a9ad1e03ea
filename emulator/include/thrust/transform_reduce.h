#pragma once
#error \
    "thrust/transform_reduce.h is not among the headers for clang (docs/cuda-headers.md): compile with nvcc"
