#pragma once
#error \
    "thrust/iterator/counting_iterator.h is not among the headers for clang (docs/cuda-headers.md): compile with nvcc"
