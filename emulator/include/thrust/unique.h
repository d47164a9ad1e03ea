#pragma once
#error \
    "thrust/unique.h is not among the headers for clang (docs/cuda-headers.md): compile with nvcc"
