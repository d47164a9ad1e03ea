#pragma once
#error \
    "thrust/iterator/zip_iterator.h is not among the headers for clang (docs/cuda-headers.md): compile with nvcc"
