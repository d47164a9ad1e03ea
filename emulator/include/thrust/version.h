#pragma once
#error \
    "thrust/version.h is not among the headers for clang (docs/cuda-headers.md): compile with nvcc"
