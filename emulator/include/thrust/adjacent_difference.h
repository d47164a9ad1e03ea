#pragma once
#error \
    "thrust/adjacent_difference.h is not among the headers for clang (docs/cuda-headers.md): compile with nvcc"
