#pragma once
#error \
    "cub/device/device_radix_sort.cuh is not among the headers for clang (docs/cuda-headers.md): compile with nvcc"
