#pragma once
#error \
    "thrust/device_ptr.h is not among the headers for clang (docs/cuda-headers.md): compile with nvcc"
