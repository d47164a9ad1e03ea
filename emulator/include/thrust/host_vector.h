#pragma once
#error \
    "thrust/host_vector.h is not among the headers for clang (docs/cuda-headers.md): compile with nvcc"
