#pragma once
#error \
    "thrust/execution_policy.h is not among the headers for clang (docs/cuda-headers.md): compile with nvcc"
