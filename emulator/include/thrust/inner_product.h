#pragma once
#error \
    "thrust/inner_product.h is not among the headers for clang (docs/cuda-headers.md): compile with nvcc"
